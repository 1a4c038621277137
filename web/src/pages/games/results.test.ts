import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { setLanguage, wantLater } from "../../core/i18n";
import type { ResultInfo } from "../../protocol";
import { firstWon, momentText, moreHistory, outcomeOf, PAGE_COUNT, playersOfResult, totalsOf } from "./results";

beforeAll(async () => {
  await setLanguage("en");
  await wantLater();
});

function result(change: Partial<ResultInfo> = {}): ResultInfo {
  return {
    table: "t",
    match: 1,
    ended_ms: 1000,
    rules_name: "aberto",
    rules_title: "Aberto",
    kind: "played",
    winner: 0,
    totals: [3000, 1200],
    names: ["Ana", "greedy", "Bia", "greedy"],
    bots: ["", "greedy", "", "greedy"],
    own_seat: 0,
    ...change,
  };
}

describe("a finished match", () => {
  it.each([
    [{}, "won"],
    [{ own_seat: 2 }, "won"],
    [{ own_seat: 1 }, "lost"],
    [{ own_seat: null }, "over"],
    [{ winner: null, kind: "agreed" }, "draw"],
    [{ winner: null, kind: "played", own_seat: null }, "draw"],
    [{ winner: null, kind: "abandoned" }, "nobody"],
  ] as const)("of %j is %s", (change, outcome) => {
    expect(outcomeOf(result(change))).toBe(outcome);
  });

  it("is told from the own side", () => {
    expect([totalsOf(result()), firstWon(result())]).toEqual([[3000, 1200], true]);
    expect([totalsOf(result({ own_seat: 3 })), firstWon(result({ own_seat: 3 }))]).toEqual([[1200, 3000], false]);
    expect(totalsOf(result({ own_seat: null }))).toEqual([3000, 1200]);
    expect(firstWon(result({ winner: null }))).toBeNull();
  });

  it("names the people, and counts the bots of a level", () => {
    expect(playersOfResult(result({ own_seat: 2 }))).toBe("You and Ana against 2 bots (Casual)");
    expect(playersOfResult(result({ own_seat: null }))).toBe("Ana and Bia against 2 bots (Casual)");
    const mixed = result({ names: ["Ana", "club", "(deleted)", "novice"], bots: ["", "club", "", "novice"] });
    expect(playersOfResult(mixed)).toBe("You and somebody who left against a bot (Club player) and a bot (Beginner)");
  });

  it("says when it was in the language of the page", async () => {
    const moment = Date.UTC(2026, 10, 30, 12);
    expect(momentText(moment)).toMatch(/^Nov 30, 2026/);
    await setLanguage("it");
    expect(momentText(moment)).toMatch(/^30 nov 2026/);
    await setLanguage("en");
  });
});

describe("the history", () => {
  afterEach(() => vi.unstubAllGlobals());

  function serve(all: readonly ResultInfo[]): void {
    vi.stubGlobal("fetch", (path: string) => {
      const query = new URL(path, "http://x").searchParams;
      const before = Number(query.get("before_ms") ?? Infinity);
      const results = all.filter((one) => one.ended_ms < before).slice(0, Number(query.get("limit")));
      return Promise.resolve(new Response(JSON.stringify({ results })));
    });
  }

  it("has each match once, also those that ended in one moment over the edge of a page", async () => {
    const moments = Array.from({ length: 3 * PAGE_COUNT }, (_, at) => (at > 15 && at < 30 ? 500 : 1000 - at));
    const all = moments
      .map((ended_ms, at) => result({ ended_ms, match: at + 1 }))
      .sort((one, other) => other.ended_ms - one.ended_ms || one.match - other.match);
    serve(all);
    let known = await moreHistory();
    expect(known.results).toHaveLength(PAGE_COUNT);
    for (let turns = 0; known.more && turns < 9; turns += 1) known = await moreHistory(known.results);
    expect(known.results).toEqual(all);
    expect(known.more).toBe(false);
  });

  it("has no older ones where there are few, and none where nothing was played", async () => {
    serve([result()]);
    expect(await moreHistory()).toEqual({ results: [result()], more: false });
    serve([]);
    expect(await moreHistory()).toEqual({ results: [], more: false });
  });
});
