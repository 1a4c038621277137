import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SeatState, TableSummary } from "../protocol";
import { home, sortLobby, type HomePicture } from "./home";
import { setLanguage } from "./i18n";
import { LOOK_EVERY_MS } from "./looking";
import { people } from "./person";
import { summary as seatless } from "./testing/fakes";
import { freeSeats, phaseWords, whoSits } from "./summary";

beforeAll(() => setLanguage("en"));

const seat = (kind: SeatState["kind"], name = ""): SeatState => ({
  seat: 0,
  kind,
  member: null,
  name,
  level: kind === "bot" ? "greedy" : "",
  ready: false,
  played_by_bot: "",
  bot_of: null,
});

const summary = (table: string, change: Partial<TableSummary> = {}): TableSummary =>
  seatless(table, { seats: [seat("person", "Ana"), seat("empty"), seat("bot"), seat("bot")], ...change });

describe("a table in words", () => {
  it("names the people and counts the bots and the free seats", () => {
    expect(whoSits(summary("a"))).toBe("Ana and 2 bots");
    expect(whoSits(summary("a", { seats: [seat("empty"), seat("empty")] }))).toBe("Nobody yet");
    expect(freeSeats(summary("a"))).toBe(1);
    expect(phaseWords(summary("a"))).toBe("1 free seat");
  });

  it.each(["shuffling", "playing", "between", "finished", "closed"])("has words for the phase %s", (phase) => {
    expect(phaseWords(summary("a", { phase }))).not.toContain("web.");
  });
});

describe("the lobby", () => {
  it("has tables that wait first, the newest first", () => {
    const tables = [
      summary("old", { created_ms: 1 }),
      summary("runs", { created_ms: 9, phase: "playing" }),
      summary("new", { created_ms: 5 }),
    ];
    expect(sortLobby(tables).map((table) => table.table)).toEqual(["new", "old", "runs"]);
  });
});

describe("the home page", () => {
  const answers: Record<string, unknown> = {};

  beforeEach(() => {
    vi.useFakeTimers();
    people.set({ person: "p", name: "Ana", login: null, created_ms: 0, bot_of: null });
    Object.assign(answers, {
      "/api/server": { version: "1" },
      "/api/rule-sets": { rule_sets: [] },
      "/api/bots": { levels: [], usual: "" },
      "/api/tables": { tables: [summary("a")] },
      "/api/me/tables": { tables: [summary("m"), summary("gone", { phase: "closed" })] },
    });
    vi.stubGlobal("fetch", (path: string) => {
      const answer = answers[path.split("?")[0] ?? ""];
      if (answer instanceof Response) return Promise.resolve(answer.clone());
      if (answer === undefined) return Promise.reject(new TypeError("failed"));
      return Promise.resolve(new Response(JSON.stringify(answer)));
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("has my running tables and those of others", async () => {
    const picture = await home().load();
    expect(picture.mine.map((table) => table.table)).toEqual(["m"]);
    expect(picture.lobby.map((table) => table.table)).toEqual(["a"]);
    expect(picture.stale).toBe(false);
  });

  it("keeps what was asked for last, whichever answer comes later", async () => {
    const page = home();
    const told: HomePicture[] = [];
    const first = page.load();
    const held: (() => void)[] = [];
    const fetched = globalThis.fetch;
    vi.stubGlobal("fetch", async (path: string) => {
      const answer = await fetched(path);
      await new Promise<void>((go) => held.push(go));
      return answer;
    });
    await first;
    const stop = page.watch((picture) => told.push(picture));
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    const looked = held.splice(0);
    answers["/api/tables"] = { tables: [summary("new")] };
    vi.stubGlobal("fetch", fetched);
    expect((await page.load()).lobby.map((table) => table.table)).toEqual(["new"]);
    looked.forEach((go) => go());
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([]);
    stop();
  });

  it("has none of mine, and nobody, where the token has ended", async () => {
    answers["/api/me/tables"] = new Response('{"code": "no_token"}', { status: 401 });
    expect((await home().load()).mine).toEqual([]);
    expect(people.get()).toBeNull();
  });

  it("follows what others do, keeps its own rows where they are, and says when it is cut off", async () => {
    const page = home();
    const told: HomePicture[] = [];
    await page.load();
    const stop = page.watch((picture) => told.push(picture));
    answers["/api/tables"] = { tables: [summary("a"), summary("b", { created_ms: 1 })] };
    answers["/api/me/tables"] = { tables: [summary("new")] };
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    expect(told.at(-1)?.lobby.map((table) => table.table)).toEqual(["b", "a"]);
    expect(told.at(-1)?.mine.map((table) => [table.table, table.phase])).toEqual([["m", "closed"]]);
    delete answers["/api/tables"];
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
    expect(told.at(-1)?.stale).toBe(true);
    expect(told.at(-1)?.lobby).toHaveLength(2);
    stop();
    await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS * 3);
    expect(told).toHaveLength(2);
  });
});
