import { describe, expect, it } from "vitest";
import type { Event, TableMeld } from "../protocol";
import { follow, type Keyed, type Zones } from "./identity";
import { NO_MOVE, freshAfter, journeysOf, lastMove, meldOf, meldsOf, placesOf, type Sending } from "./scene";
import { aView } from "./testing/fakes";

const NOBODY: ReadonlySet<string> = new Set();

function meld(number: number, cards: string, wild: number | null = null): TableMeld {
  return {
    meld: number,
    kind: "run",
    cards: cards.split(" "),
    words: cards.split(" "),
    low: 1,
    wild,
    category: "plain",
    clean: wild === null,
    points: 20,
    bonus: 0,
  };
}

function zonesOf(view: Parameters<typeof placesOf>[0], before: Zones = new Map()): Zones {
  let count = [...before.values()].flat().length;
  return follow(before, placesOf(view), NOBODY, () => `k${(count += 1)}`).zones;
}

const faces = (cards: readonly Keyed[] | undefined): string => (cards ?? []).map((one) => one.card).join(" ");
const event = (one: Record<string, unknown>): Event => ({ number: 1, ...one }) as unknown as Event;

describe("places", () => {
  it("are the own hand, the melds of both sides, and the pile as far as it is seen", () => {
    const view = aView({ melds: [[meld(1, "3c 4c 5c")], [meld(1, "3d 4d 5d"), meld(2, "3s 4s 5s")]] });
    expect(placesOf(view).map((one) => one.zone)).toEqual(["hand", "side-0-1", "side-1-1", "side-1-2", "pile"]);
  });

  it("of a spectator have no hand", () => {
    expect(placesOf(aView({ seat: null, hands: [null, null] }))[0]).toEqual({ zone: "hand", cards: [] });
    expect(placesOf(null)).toEqual([]);
  });

  it.each([
    ["new-meld", null],
    ["meld-12", 12],
    ["hand", undefined],
    ["pile", undefined],
    ["meld-", undefined],
  ])("%s is the meld %s", (zone, number) => {
    expect(meldOf(zone)).toBe(number);
  });
});

describe("journeys", () => {
  const before = aView();

  it("lead from the stock for a drawn card, from the morto for a taken one", () => {
    const after = aView({ hands: [["7h", "8h", "9h", "Kc", "7h", "As"], null] });
    const drawn = [event({ event: "drew", seat: 0 }), event({ event: "card_drawn", seat: 0, card: "As" })];
    const taken = [event({ event: "morto_taken", seat: 0, morto: 1 })];
    for (const [events, from] of [
      [drawn, "stock"],
      [taken, "morto-1"],
    ] as const) {
      const followed = follow(zonesOf(before), placesOf(after), NOBODY, () => "new");
      expect([...journeysOf(followed, followed.zones, events, 0).from]).toEqual([["new", from]]);
    }
  });

  it("lead from the seat of others, and back to it for the pile that they take", () => {
    const laid = aView({ melds: [[], [meld(1, "3d 4d 5d")]], pile: [], pile_count: 0 });
    const followed = follow(zonesOf(before), placesOf(laid), NOBODY, () => crypto.randomUUID());
    const { from, to } = journeysOf(followed, followed.zones, [event({ event: "meld_laid", seat: 1, meld: 0 })], 0);
    expect([...from.values()]).toEqual(["seat-1", "seat-1", "seat-1"]);
    expect([...to.values()]).toEqual(["seat-1"]);
  });
});

describe("the last move", () => {
  const view = aView({ melds: [[], [meld(1, "3d 4d 5d")]] });

  it("is what one player laid, added and discarded, until the next one acts", () => {
    const zones = zonesOf(view);
    const grown = aView({
      melds: [[], [meld(1, "3d 4d 5d 6d")]],
      pile: [...view.pile, { card: "Ks", seat: 1, turn: 1 }],
    });
    const later = zonesOf(grown, zones);
    const added = event({ event: "card_added", seat: 1, meld: 0, card: "6d" });
    const discarded = event({ event: "discarded", seat: 1, card: "Ks" });
    const move = lastMove(NO_MOVE, [event({ event: "drew", seat: 1 }), added, discarded], zones, later);
    const marked = [...later.values()].flat().filter((one) => move.keys.has(one.key));
    expect(faces(marked)).toBe("6d Ks");
    expect(lastMove(move, [event({ event: "turn_ended", seat: 1 })], later, later).keys.size).toBe(2);
    expect(lastMove(move, [event({ event: "drew", seat: 0 })], later, later).keys.size).toBe(0);
  });

  it("holds a whole new meld, and nothing that was taken back", () => {
    const zones = zonesOf(aView());
    const later = zonesOf(view, zones);
    const move = lastMove(NO_MOVE, [event({ event: "meld_laid", seat: 1, meld: 0 })], zones, later);
    expect(move.keys.size).toBe(3);
    expect(
      lastMove(move, [event({ event: "undone", seat: 1, count: 1 })], later, zonesOf(aView(), later)).keys.size,
    ).toBe(0);
  });
});

describe("new cards of the hand", () => {
  const own = (name: string): Event => event({ event: name, seat: 0 });

  it("are those that were drawn or taken", () => {
    for (const name of ["card_drawn", "pile_taken", "pile_rest_seen", "morto_seen"]) {
      expect([...freshAfter(NOBODY, [own(name)], 0, ["k1"])]).toEqual(["k1"]);
    }
    expect([...freshAfter(NOBODY, [own("undone")], 0, ["k1"])]).toEqual([]);
  });

  it("are new until the next own action, whatever others do", () => {
    const fresh = new Set(["k1"]);
    expect([...freshAfter(fresh, [event({ event: "discarded", seat: 1 })], 0, [])]).toEqual(["k1"]);
    for (const name of ["meld_laid", "card_added", "discarded"]) {
      expect([...freshAfter(fresh, [own(name)], 0, [])]).toEqual([]);
    }
  });
});

describe("melds", () => {
  const view = aView({ melds: [[meld(1, "5h 6h Th")], []] });
  const zones = zonesOf(view);
  const keyed = (cards: string): ReadonlySet<string> => {
    const hand = zones.get("hand") ?? [];
    return new Set(cards.split(" ").map((card) => hand.find((one) => one.card === card)!.key));
  };

  it("are shown with the cards that are on their way to them, as they will lie", () => {
    const sending: Sending = {
      zone: "meld-1",
      keys: keyed("7h 8h 9h"),
      words: "5h 6h 7h 8h 9h Th".split(" "),
      kind: "run",
    };
    const [shown, more] = meldsOf(view, 0, zones, sending);
    expect(more).toBeUndefined();
    expect(faces(shown?.cards)).toBe("5h 6h 7h 8h 9h Th");
    expect(shown?.pending).toBe(true);
  });

  it("of which one is new stand at the end, the wild in its place", () => {
    const sending: Sending = { zone: "new-meld", keys: keyed("8h 9h Kc"), words: ["8h", "9h", "Kc=T"], kind: "run" };
    const shown = meldsOf(view, 0, zones, sending);
    expect(shown.map((one) => [one.number, one.pending, one.wild])).toEqual([
      [1, false, null],
      [2, true, 2],
    ]);
  });

  it("are those of the view once the cards have arrived, and for the other side", () => {
    const sending: Sending = { zone: "new-meld", keys: new Set(["gone"]), words: ["8h", "9h", "Th"], kind: "run" };
    expect(meldsOf(view, 0, zones, sending).length).toBe(1);
    expect(meldsOf(view, 1, zones, { ...sending, keys: keyed("8h") }).length).toBe(0);
    expect(meldsOf(view, 0, zones, null)[0]?.pending).toBe(false);
  });
});
