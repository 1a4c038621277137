import { describe, expect, it } from "vitest";
import { HandMemory, HANDS_KEY, HANDS_MAX, arrange, inKeptOrder, indexBefore, moved, sorted } from "./hand";
import type { Keyed } from "./identity";

const hand = (text: string): readonly Keyed[] =>
  text.split(" ").map((card, index) => ({ key: `${card}.${index}`, card }));
const faces = (cards: readonly Keyed[]): string => cards.map((one) => one.card).join(" ");

class FakeStorage {
  readonly kept = new Map<string, string>();
  get length(): number {
    return this.kept.size;
  }
  key = (index: number): string | null => [...this.kept.keys()][index] ?? null;
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

describe("a hand", () => {
  it("by suit is ♠ ♥ ♣ ♦, in each A 2 … K, jokers last", () => {
    expect(faces(sorted(hand("X 2d Ad Kc 3c As Ts 9h Ah X 2s"), "suit"))).toBe("As 2s Ts Ah 9h 3c Kc Ad 2d X X");
  });

  it("by rank is A 2 … K, in each by suit, jokers last", () => {
    expect(faces(sorted(hand("X Kd Ks 2h Ad As 2s Tc 9c"), "rank"))).toBe("As Ad 2s 2h 9c Tc Ks Kd X");
  });

  it("keeps the player's order; new cards come to the right end", () => {
    const cards = hand("7h 8h 9h X");
    const order = [cards[2]!.key, cards[0]!.key, "gone"];
    expect(faces(arrange(order, cards))).toBe("9h 7h 8h X");
  });

  it.each([
    [0, "9h X 7h 8h"],
    [1, "7h 9h X 8h"],
    [2, "7h 8h 9h X"],
    [9, "7h 8h 9h X"],
    [-3, "9h X 7h 8h"],
  ])("takes cards moved together to %i", (index, after) => {
    const cards = hand("9h 7h X 8h");
    expect(faces(moved(cards, new Set([cards[0]!.key, cards[2]!.key]), index))).toBe(after);
  });

  it.each([
    [0, "9h X 7h 8h"],
    [1, "9h X 7h 8h"],
    [2, "7h 9h X 8h"],
    [3, "7h 9h X 8h"],
    [null, "7h 8h 9h X"],
  ])("takes cards moved together before the card at %j, be it one of them, or at its end", (target, after) => {
    const cards = hand("9h 7h X 8h");
    const keys = new Set([cards[0]!.key, cards[2]!.key]);
    const before = target === null ? null : cards[target]!.key;
    expect(faces(moved(cards, keys, indexBefore(cards, keys, before)))).toBe(after);
  });

  it("comes back in a kept order, twins and unknown cards included", () => {
    expect(faces(inKeptOrder(["X", "7h", "Kd"], hand("2c 7h 7h X")))).toBe("X 7h 2c 7h");
  });
});

describe("the order of a hand", () => {
  it("outlives the page, for its own deal only", () => {
    const storage = new FakeStorage();
    new HandMemory(storage, "ABC").save("1.2", ["X", "7h"], "rank");
    const memory = new HandMemory(storage, "ABC");
    expect(memory.load("1.2")).toMatchObject({ cards: ["X", "7h"], by: "rank" });
    expect(memory.load("1.3")).toBeNull();
    expect(new HandMemory(storage, "ABD").load("1.2")).toBeNull();
  });

  it.each(["", "null", "7", "{", '{"deal":1}', '{"deal":"1.2","cards":7}'])("is none where %j was kept", (kept) => {
    const storage = new FakeStorage();
    storage.setItem(`${HANDS_KEY}ABC`, kept);
    expect(new HandMemory(storage, "ABC").load("1.2")).toBeNull();
  });

  it("is kept for a number of tables, the newest", () => {
    const storage = new FakeStorage();
    storage.setItem("other", "stays");
    for (let number = 0; number < HANDS_MAX; number += 1) {
      const kept = { deal: "1.1", cards: ["X"], by: "suit", atMs: number };
      storage.setItem(`${HANDS_KEY}T${number}`, JSON.stringify(kept));
    }
    new HandMemory(storage, "NEW").save("1.1", ["X"], "suit");
    expect(storage.getItem(`${HANDS_KEY}T0`)).toBeNull();
    expect(storage.getItem(`${HANDS_KEY}T1`)).not.toBeNull();
    expect(storage.getItem(`${HANDS_KEY}NEW`)).not.toBeNull();
    expect(storage.length).toBe(HANDS_MAX + 1);
  });

  it("needs no storage", () => {
    const refusing = new FakeStorage();
    refusing.setItem = () => {
      throw new Error("full");
    };
    for (const storage of [undefined, refusing]) {
      const memory = new HandMemory(storage, "ABC");
      memory.save("1.1", ["X"], "suit");
      expect(memory.load("1.1")).toBeNull();
    }
  });
});
