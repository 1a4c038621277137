import { beforeEach, describe, expect, it, vi } from "vitest";
import { CATCH_UP_MS, GAPS_MS, ShowQueue, WAITING_MAX } from "./queue";
import type { Pace } from "./settings";

interface Shown {
  readonly atMs: number;
  readonly items: readonly number[];
  readonly how: string;
}

class Looker {
  pace: Pace = "normal";
  seen = true;
  readonly shown: Shown[] = [];
  readonly queue = new ShowQueue<number>({
    show: (items, how) => this.shown.push({ atMs: Date.now(), items, how }),
    pace: () => this.pace,
    seen: () => this.seen,
  });

  get items(): readonly number[] {
    return this.shown.flatMap((one) => one.items);
  }
}

describe("changes of the table", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    return () => vi.useRealTimers();
  });

  it("are shown at once where none was shown just before", () => {
    const looker = new Looker();
    looker.queue.push(1);
    expect(looker.items).toEqual([1]);
  });

  it("are shown one by one at the pace of the player", () => {
    for (const pace of ["slow", "normal", "fast"] as const) {
      const looker = new Looker();
      looker.pace = pace;
      const began = Date.now();
      [1, 2, 3].forEach((item) => looker.queue.push(item));
      vi.advanceTimersByTime(5000);
      expect(looker.shown.map((one) => one.atMs - began)).toEqual([0, GAPS_MS[pace], 2 * GAPS_MS[pace]]);
      expect(looker.shown.every((one) => one.how === "paced")).toBe(true);
    }
  });

  it("are caught up with when more than a few wait, in order and before two seconds are over", () => {
    const looker = new Looker();
    const items = Array.from({ length: 30 }, (_, index) => index);
    items.forEach((item) => looker.queue.push(item));
    expect(looker.queue.length).toBeGreaterThan(WAITING_MAX);
    vi.advanceTimersByTime(CATCH_UP_MS + 50);
    expect(looker.items).toEqual(items);
    expect(looker.shown.length).toBe(30);
  });

  it("are all shown at once to who has no pace", () => {
    const looker = new Looker();
    looker.pace = "none";
    [1, 2, 3].forEach((item) => looker.queue.push(item));
    expect(looker.items).toEqual([1, 2, 3]);
  });

  it("do not wait while nobody looks", () => {
    const looker = new Looker();
    [1, 2].forEach((item) => looker.queue.push(item));
    looker.seen = false;
    looker.queue.push(3);
    expect(looker.items).toEqual([1, 2, 3]);
    expect(looker.shown.at(-1)?.how).toBe("at once");
  });

  it("do not wait once the page is hidden", () => {
    const looker = new Looker();
    [1, 2, 3].forEach((item) => looker.queue.push(item));
    looker.seen = false;
    vi.advanceTimersByTime(GAPS_MS.normal);
    expect(looker.items).toEqual([1, 2, 3]);
  });

  it("do not wait for a clock that was set back by a day", () => {
    const looker = new Looker();
    looker.queue.push(1);
    vi.setSystemTime(Date.now() - 86_400_000);
    looker.queue.push(2);
    vi.advanceTimersByTime(GAPS_MS.normal);
    expect(looker.items).toEqual([1, 2]);
  });

  it("are shown together when the player acts", () => {
    const looker = new Looker();
    [1, 2, 3].forEach((item) => looker.queue.push(item));
    looker.queue.flush();
    expect(looker.shown.map((one) => [one.items, one.how])).toEqual([
      [[1], "paced"],
      [[2, 3], "at once"],
    ]);
    vi.advanceTimersByTime(5000);
    expect(looker.items).toEqual([1, 2, 3]);
  });

  it("are forgotten when something newer holds them all", () => {
    const looker = new Looker();
    [1, 2, 3].forEach((item) => looker.queue.push(item));
    looker.queue.clear();
    vi.advanceTimersByTime(5000);
    expect(looker.items).toEqual([1]);
  });
});
