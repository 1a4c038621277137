import { describe, expect, it } from "vitest";
import { createHouses, houseFrom, houseLink, houseOf, houseToml, HOUSES_KEY, withField, type House } from "./house";

const HOUSE: House = {
  base: "aberto",
  changes: {
    title: "Casa da Ana & Rui = 100 % #1",
    sets: true,
    aces_both_ends: false,
    hand_size: 9,
    player_counts: [2],
    opening: "over_turn",
    pack_ranks: "345678",
    bonus_clean_13: null,
  },
};

describe("a link to house rules", () => {
  it("brings every kind of value back", () => {
    expect(houseOf(houseLink(HOUSE))).toEqual(HOUSE);
    expect(houseOf(`https://cards.example/house#${houseLink(HOUSE)}`)).toEqual(HOUSE);
  });

  it("is short and can be read", () => {
    const house: House = { base: "burraco", changes: { sets: false, hand_size: 12, player_counts: [2, 4] } };
    expect(houseLink(house)).toBe("burraco&sets=f&hand_size=12&player_counts=2,4");
  });

  it("may change nothing", () => {
    expect(houseOf("#aberto")).toEqual({ base: "aberto", changes: {} });
  });

  it.each(["", "#", "#<b>", "#aberto&sets", "#aberto&sets=x", "#aberto&sets=%", "#aberto&Sets=t", "#aberto&a=1=2"])(
    "that makes no sense (%j) holds none",
    (link) => expect(houseOf(link)).toBeUndefined(),
  );

  it("that is endless holds none", () => {
    expect(houseOf(`#aberto&title=.${"a".repeat(9000)}`)).toBeUndefined();
  });
});

describe("a field", () => {
  const base = { sets: false, player_counts: [4] };

  it("that is as in the base again is no change", () => {
    const house = withField({ base: "aberto", changes: {} }, base, "sets", true);
    expect(house.changes).toEqual({ sets: true });
    expect(withField(house, base, "sets", false).changes).toEqual({});
    expect(withField(house, base, "player_counts", [4]).changes).toEqual({ sets: true });
  });
});

it("as TOML an absent bonus is the word none, and quotes are kept", () => {
  const toml = houseToml({
    base: "aberto",
    changes: { title: 'The "best"', bonus_clean_13: null, player_counts: [2, 4] },
  });
  expect(toml).toBe(
    'base = "aberto"\ntitle = "The \\"best\\""\n\n[fields]\nbonus_clean_13 = "none"\nplayer_counts = [2, 4]\n',
  );
});

it("of all fields those that differ are the changes", () => {
  const house = houseFrom(
    "aberto",
    { sets: false, hand_size: 11, pack: [4] },
    { sets: true, hand_size: 11, pack: [4] },
  );
  expect(house).toEqual({ base: "aberto", changes: { sets: true } });
});

describe("the house rules of a browser", () => {
  function storage(text: string | null): Pick<Storage, "getItem" | "setItem"> & { text: string | null } {
    return {
      text,
      getItem() {
        return this.text;
      },
      setItem(_, value) {
        this.text = value;
      },
    };
  }

  it("are there again after a reload, the newest first, one of each title", () => {
    const disk = storage(null);
    const kept = createHouses(disk);
    kept.keep({ title: "Ana", link: "aberto&sets=t" });
    kept.keep({ title: "Rui", link: "aberto&sets=f" });
    kept.keep({ title: "Ana", link: "burraco" });
    const again = createHouses(disk).get();
    expect(again.map((one) => one.link)).toEqual(["burraco", "aberto&sets=f"]);
    kept.forget("burraco");
    expect(createHouses(disk).get()).toHaveLength(1);
    expect(HOUSES_KEY).toBe("buraco.houses");
  });

  it.each(["{", "7", '[{"title":1}]', '[{"title":"x","link":"<"}]'])("that make no sense (%j) are none", (text) => {
    expect(createHouses(storage(text)).get()).toEqual([]);
  });

  it("live as long as the page where nothing can be kept", () => {
    const kept = createHouses({
      getItem() {
        throw new Error("forbidden");
      },
      setItem() {
        throw new Error("full");
      },
    });
    const seen: number[] = [];
    kept.subscribe((all) => seen.push(all.length));
    kept.keep({ title: "Ana", link: "aberto" });
    expect(seen).toEqual([0, 1]);
  });
});
