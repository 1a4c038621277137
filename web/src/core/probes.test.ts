import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProbeResult } from "../protocol";
import { IN_FLIGHT_MAX, Probes, REST_MS, type Answers } from "./probes";
import type { Ask, Reply } from "./socket";

interface Question {
  readonly cards: readonly string[];
  readonly meld: number | null;
  readonly answer: (code: string) => Promise<void>;
}

function ack(code: string): Reply {
  const result: ProbeResult = { result: "probe", options: [], code, text: code, citation: "", rule: null };
  return { type: "ack", id: "1", version: 1, result };
}

class Table {
  readonly asked: Question[] = [];
  readonly told: { readonly answers: Answers; readonly complete: boolean }[] = [];
  readonly probes: Probes;

  constructor() {
    const ask = ((_type: string, members: { cards: readonly string[]; meld: number | null }) =>
      new Promise<Reply>((resolve) => {
        const answer = async (code: string): Promise<void> => {
          resolve(ack(code));
          await vi.advanceTimersByTimeAsync(0);
        };
        this.asked.push({ ...members, answer });
      })) as unknown as Ask;
    this.probes = new Probes(ask, (answers, complete) => this.told.push({ answers, complete }));
  }

  want(cards: string, melds: readonly (number | null)[], state = "1"): void {
    this.probes.want({ state, cards: cards.split(" "), melds });
  }
}

describe("questions about a selection", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("wait until the selection rests", () => {
    const table = new Table();
    table.want("7h 8h", [null]);
    vi.advanceTimersByTime(REST_MS - 1);
    table.want("7h 8h 9h", [null]);
    vi.advanceTimersByTime(REST_MS - 1);
    expect(table.asked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(table.asked.map((one) => one.cards)).toEqual([["7h", "8h", "9h"]]);
  });

  it("are a few at a time", async () => {
    const table = new Table();
    table.want("7h 8h", [null, 1, 2, 3, 4]);
    vi.advanceTimersByTime(REST_MS);
    expect(table.asked.length).toBe(IN_FLIGHT_MAX);
    await table.asked[0]!.answer("a");
    expect(table.asked.length).toBe(IN_FLIGHT_MAX + 1);
    for (const one of [...table.asked.slice(1)]) await one.answer("b");
    await table.asked.at(-1)!.answer("c");
    expect(table.asked.map((one) => one.meld)).toEqual([null, 1, 2, 3, 4]);
    expect(table.told.at(-1)?.complete).toBe(true);
  });

  it("are neither asked on nor heard once nobody wants to know", async () => {
    const table = new Table();
    table.want("7h 8h", [null, 1, 2, 3, 4]);
    vi.advanceTimersByTime(REST_MS);
    table.probes.want(null);
    await table.asked[0]!.answer("late");
    expect(table.asked.length).toBe(IN_FLIGHT_MAX);
    expect(table.told).toEqual([]);
  });

  it("are asked once for the same cards in the same state", async () => {
    const table = new Table();
    table.want("7h 8h", [1]);
    vi.advanceTimersByTime(REST_MS);
    await table.asked[0]!.answer("a");
    table.want("8h 7h", [1]);
    expect(table.told.at(-1)?.answers.get(1)?.code).toBe("a");
    vi.advanceTimersByTime(REST_MS);
    expect(table.asked.length).toBe(1);
    table.want("8h 7h", [1], "2");
    vi.advanceTimersByTime(REST_MS);
    expect(table.asked.length).toBe(2);
  });

  it("about a state that is over are not answered", async () => {
    const table = new Table();
    table.want("7h 8h", [1]);
    vi.advanceTimersByTime(REST_MS);
    table.want("7h 8h", [1], "2");
    await table.asked[0]!.answer("old");
    expect(table.told).toEqual([]);
    vi.advanceTimersByTime(REST_MS);
    await table.asked[1]!.answer("new");
    expect(table.told.at(-1)?.answers.get(1)?.code).toBe("new");
  });

  it("are asked once, even where the answer says nothing", async () => {
    let asked = 0;
    const ask = (async () => {
      asked += 1;
      if (asked > 1) throw new Error("asked again");
      return { type: "ack", id: "1", version: 1, result: null };
    }) as unknown as Ask;
    const told: Answers[] = [];
    new Probes(ask, (answers) => told.push(answers)).want({ state: "1", cards: ["7h", "8h"], melds: [null] });
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(told.map((answers) => answers.get(null)?.options)).toEqual([[]]);
  });
});
