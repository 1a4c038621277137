import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FairState, TableState } from "../protocol";
import { SPARE_MS, SeedGiver, cutOf } from "./seed";
import type { Ask } from "./socket";
import { YOU, aTable } from "./testing/fakes";

const NOW = 1_000_000;
const RULES = { cut_bonus: 100, cut_bonus_count: 22 };

function shuffling(change: Partial<FairState> = {}): TableState {
  const fair = { deal: 2, commitment: "ab", seeds_from: [], until_ms: NOW + 2000, cutter: null, ...change };
  return aTable({ phase: "shuffling", fair, cut_max: 107, rules: RULES });
}

class Giver {
  readonly asked: Readonly<Record<string, unknown>>[] = [];
  readonly seeds = new SeedGiver((async (_: string, members: Record<string, unknown>) => {
    this.asked.push(members);
  }) as unknown as Ask);
}

describe("the own part of the shuffle", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    return () => vi.useRealTimers();
  });

  it("is 32 random bytes, given once for each deal", () => {
    const giver = new Giver();
    giver.seeds.look(shuffling(), YOU, NOW);
    giver.seeds.look(shuffling(), YOU, NOW);
    giver.seeds.look(shuffling({ deal: 3, commitment: "cd" }), YOU, NOW);
    expect(giver.asked.map((one) => one.deal)).toEqual([2, 3]);
    expect(giver.asked[0]?.seed).toMatch(/^[0-9a-f]{64}$/);
    expect(giver.asked[0]?.seed).not.toBe(giver.asked[1]?.seed);
    expect(giver.asked[0]).not.toHaveProperty("cut_aim");
  });

  it("is not given when it is not wanted", () => {
    const giver = new Giver();
    giver.seeds.look(shuffling({ until_ms: null }), YOU, NOW);
    giver.seeds.look(shuffling({ seeds_from: [0] }), YOU, NOW);
    giver.seeds.look(shuffling(), { ...YOU, seat: null }, NOW);
    giver.seeds.look(aTable({ fair: null }), YOU, NOW);
    expect(giver.asked).toEqual([]);
  });

  it("waits for the cutter, but not for too long", () => {
    const giver = new Giver();
    giver.seeds.look(shuffling({ cutter: 0 }), YOU, NOW);
    vi.advanceTimersByTime(2000 - SPARE_MS - 1);
    expect(giver.asked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(giver.asked.length).toBe(1);
    expect(giver.asked[0]).not.toHaveProperty("cut_aim");
  });

  it("says how many cards the cutter lifts", () => {
    const giver = new Giver();
    giver.seeds.look(shuffling({ cutter: 0 }), YOU, NOW);
    giver.seeds.cut(2, 21);
    vi.advanceTimersByTime(5000);
    expect(giver.asked).toMatchObject([{ deal: 2, cut_aim: 21 }]);
  });

  it("remembers what was said beforehand", () => {
    const giver = new Giver();
    giver.seeds.aim = 24;
    giver.seeds.look(shuffling({ cutter: 0 }), YOU, NOW);
    vi.advanceTimersByTime(2000);
    expect(giver.asked).toMatchObject([{ deal: 2, cut_aim: 24 }]);
  });
});

describe("the cut", () => {
  it("is ours while we are the cutter and have given nothing", () => {
    expect(cutOf(shuffling({ cutter: 0 }), YOU)).toEqual({
      deal: 2,
      untilMs: NOW + 2000,
      most: 107,
      paid: 22,
      points: 100,
    });
    expect(cutOf(shuffling({ cutter: 1 }), YOU)).toBeNull();
    expect(cutOf(shuffling({ cutter: 0, seeds_from: [0] }), YOU)).toBeNull();
    expect(cutOf(shuffling(), { ...YOU, seat: null })).toBeNull();
    expect(cutOf(null, null)).toBeNull();
  });

  it("is nobody's where the server says no range", () => {
    expect(cutOf({ ...shuffling({ cutter: 0 }), cut_max: null }, YOU)).toBeNull();
  });
});
