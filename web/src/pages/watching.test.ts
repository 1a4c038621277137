import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage, wantLater } from "../core/i18n";
import { summary } from "../core/testing/fakes";
import type { TableSummary } from "../protocol";
import { watchable, watchersWords } from "./watching";

beforeAll(async () => {
  await setLanguage("en");
  await wantLater();
});

const table = (name: string, change: Partial<TableSummary> = {}): TableSummary =>
  summary(name, { phase: "playing", players: 2, ...change });

describe("tables to watch", () => {
  it("are those that are played and let others watch, the most watched first, then the newest", () => {
    const all = [
      table("waits", { phase: "open" }),
      table("closed", { phase: "closed" }),
      table("private", { spectators: false }),
      table("old", { created_ms: 1 }),
      table("new", { created_ms: 2, phase: "between" }),
      table("watched", { spectator_count: 3 }),
    ];
    expect(watchable(all).map((one) => one.table)).toEqual(["watched", "new", "old"]);
  });

  it("say how many watch, and how much later they see it", () => {
    expect(watchersWords(table("a"))).toBe("shown at once");
    expect(watchersWords(table("a", { spectator_count: 1, spectator_delay_ms: 120_000 }))).toBe(
      "1 person watches · shown 2 min later",
    );
  });
});
