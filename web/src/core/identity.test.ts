import { describe, expect, it } from "vitest";
import { follow, type Place, type Zones } from "./identity";

function maker(): () => string {
  let count = 0;
  return () => `n${(count += 1)}`;
}

const NOBODY: ReadonlySet<string> = new Set();

function placed(zones: Record<string, readonly string[]>): readonly Place[] {
  return Object.entries(zones).map(([zone, cards]) => ({ zone, cards }));
}

function first(zones: Record<string, readonly string[]>): Zones {
  let count = 0;
  return follow(new Map(), placed(zones), NOBODY, () => `k${(count += 1)}`).zones;
}

const keys = (zones: Zones, zone: string): readonly string[] => (zones.get(zone) ?? []).map((one) => one.key);

describe("the keys of cards", () => {
  it("are new at first", () => {
    const { zones, came, gone } = follow(new Map(), placed({ hand: ["7h", "7h"], pile: ["X"] }), NOBODY, maker());
    expect(keys(zones, "hand")).toEqual(["n1", "n2"]);
    expect(came).toEqual(["n1", "n2", "n3"]);
    expect(gone.size).toBe(0);
  });

  it("stay where the cards stay, whatever their order", () => {
    const before = first({ hand: ["7h", "8h", "X"] });
    const { zones, came } = follow(before, placed({ hand: ["X", "7h", "8h"] }), NOBODY, maker());
    expect(keys(zones, "hand")).toEqual(["k3", "k1", "k2"]);
    expect(came).toEqual([]);
  });

  it("go along from the hand to a meld and to the pile", () => {
    const before = first({ hand: ["7h", "8h", "9h", "Kc"], pile: ["2d"] });
    const after = placed({ hand: [], "side-0-1": ["7h", "8h", "9h"], pile: ["2d", "Kc"] });
    const { zones, came, gone } = follow(before, after, NOBODY, maker());
    expect(keys(zones, "side-0-1")).toEqual(["k1", "k2", "k3"]);
    expect(keys(zones, "pile")).toEqual(["k5", "k4"]);
    expect([came, [...gone]]).toEqual([[], []]);
  });

  it("of twins: the preferred one leaves", () => {
    const before = first({ hand: ["7h", "7h", "7h"], pile: [] });
    for (const preferred of ["k1", "k2", "k3"]) {
      const after = placed({ hand: ["7h", "7h"], pile: ["7h"] });
      const { zones } = follow(before, after, new Set([preferred]), maker());
      expect(keys(zones, "pile")).toEqual([preferred]);
      expect(keys(zones, "hand")).toEqual(["k1", "k2", "k3"].filter((key) => key !== preferred));
    }
  });

  it("come and go with cards that are hidden before or after", () => {
    const before = first({ hand: ["7h"], pile: ["2d", "3d"] });
    const { zones, came, gone } = follow(before, placed({ hand: ["7h", "Ks"], pile: [] }), NOBODY, maker());
    expect(keys(zones, "hand")).toEqual(["k1", "n1"]);
    expect(came).toEqual(["n1"]);
    expect([...gone]).toEqual([
      ["k2", "pile"],
      ["k3", "pile"],
    ]);
  });

  it("are never given twice", () => {
    const before = first({ hand: ["7h", "7h", "X", "X"], "side-0-1": ["5h", "6h", "X"], pile: ["7h"] });
    const after = placed({ hand: ["7h", "X"], "side-0-1": ["5h", "6h", "7h", "X"], pile: ["7h", "X"] });
    const { zones, came } = follow(before, after, new Set(["k2", "k4"]), maker());
    const all = [...zones.values()].flat().map((one) => one.key);
    expect(new Set(all).size).toBe(all.length);
    expect(came).toEqual([]);
    expect(keys(zones, "hand")).toEqual(["k1", "k3"]);
  });
});
