import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ChatLine, DealEnded, Event as TableEvent } from "../protocol";
import { setLanguage } from "./i18n";
import { settings } from "./settings";
import { FATAL_CODES } from "./socket";
import { openTable, type Picture, type Step, type TableStore } from "./table-store";
import { FakeChannel, FakeSocket, YOU, aSnapshot, aTable, aView, anUpdate } from "./testing/fakes";

const drew = (seat: number): TableEvent => ({ event: "drew", number: 1, seat, stock_count: 39, may_reject: false });

let open: TableStore[] = [];

function opened(): TableStore {
  const store = openTable("ABC");
  open.push(store);
  FakeSocket.last.accept();
  FakeSocket.last.tell(aSnapshot());
  return store;
}

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  FakeSocket.all = [];
  FakeChannel.all = [];
  settings.set({ pace: "none" });
  await setLanguage("en");
  return () => {
    for (const one of open) one.close();
    open = [];
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

describe("the picture of a table", () => {
  it("is empty until the server has told it", () => {
    const store = openTable("ABC");
    open.push(store);
    expect(store.get()).toMatchObject({ line: "connecting", table: null, view: null, log: [] });
    FakeSocket.last.accept();
    FakeSocket.last.tell(aSnapshot());
    expect(store.get()).toMatchObject({ line: "open", lineText: "", version: 10, you: YOU });
  });

  it("follows the updates: what is left out stays", () => {
    const store = opened();
    const view = aView({ state_number: 2, stock_count: 39 });
    FakeSocket.last.tell(anUpdate(11, [drew(1)], { view }));
    expect(store.get()).toMatchObject({ version: 11, table: aTable(), you: YOU, view });
    expect(store.get().log).toEqual([{ key: 0, atMs: 0, seat: 1, version: 11, event: drew(1) }]);
  });

  it("adds what was said, who came, and the sheets of deals", () => {
    const store = opened();
    const line: ChatLine = { version: 11, at_ms: 5, member: 2, name: "Bo", text: "<b>", phrase: "", apart: false };
    const ended: DealEnded = {
      event: "deal_ended",
      number: 9,
      deal: 1,
      end_kind: "closed",
      out_seat: -1,
      hands: [],
      sheets: [],
      scores: [100, -50],
      totals: [200, -50],
    };
    const sat: TableEvent = { event: "sat_down", seat: 1, member: 2, name: "Bo", bot_of: "Ana" };
    FakeSocket.last.tell(anUpdate(11, [sat, { event: "chat_said", line }, ended]));
    const { chat, members, deals } = store.get();
    expect(chat).toEqual([line]);
    expect(members.map((one) => [one.name, one.bot_of])).toEqual([
      ["Ana", null],
      ["Bo", "Ana"],
    ]);
    expect(deals).toMatchObject([{ deal: 1, out_seat: null, cut_points: [100, 0], totals: [200, -50] }]);
    FakeSocket.last.tell(anUpdate(12, [{ event: "match_began", match: 2 }]));
    expect(store.get().deals).toEqual([]);
  });

  it("has the clock of the server by the least old message", () => {
    const store = opened();
    FakeSocket.last.tell({ ...presence(), at_ms: Date.now() + 5000 });
    expect(store.get().skewMs).toBe(5000);
    FakeSocket.last.tell(anUpdate(11, [], { at_ms: Date.now() - 60_000 }));
    expect(store.get().skewMs).toBe(5000);
    FakeSocket.last.tell(anUpdate(12, [], { at_ms: Date.now() + 5200 }));
    expect(store.get().skewMs).toBe(5200);
  });

  it.each([86_400_000, -86_400_000])("keeps to the server's clock when the own one is set by %d ms", (set) => {
    const store = opened();
    FakeSocket.last.tell(anUpdate(11, [drew(1)], { at_ms: Date.now() + 5000 }));
    vi.setSystemTime(Date.now() + set);
    // An update that was long under way, so that it says little of the clocks.
    FakeSocket.last.tell(anUpdate(12, [drew(0)], { at_ms: Date.now() - set - 60_000 }));
    expect(store.get().skewMs).toBe(5000 - set);
  });

  it.each([3_600_000, -3_600_000])("notices by itself that the own clock was set by %d ms", (set) => {
    const store = opened();
    FakeSocket.last.tell({ ...presence(), at_ms: Date.now() + 5000 });
    vi.setSystemTime(Date.now() + set);
    vi.advanceTimersByTime(1000);
    expect(store.get().skewMs).toBe(5000 - set);
  });

  it("tells each step with what was before and after it", () => {
    const store = opened();
    const steps: Step[] = [];
    store.onStep((step) => steps.push(step));
    FakeSocket.last.tell(anUpdate(11, [drew(1)]));
    FakeSocket.last.tell(aSnapshot({ version: 20 }));
    expect(steps.map((one) => [one.how, one.before.version, one.after.version])).toEqual([
      ["paced", 10, 11],
      ["whole", 11, 20],
    ]);
  });

  it("is busy while a message has no reply", async () => {
    const store = opened();
    const seen: boolean[] = [];
    store.subscribe((picture: Picture) => seen.push(picture.busy));
    const asked = store.ask("ready");
    expect(store.get().busy).toBe(true);
    FakeSocket.last.tell({ type: "ack", id: FakeSocket.last.messages[0]?.id, version: 11, result: null });
    await asked;
    expect(store.get().busy).toBe(false);
  });
});

const presence = (): Record<string, unknown> => ({
  type: "presence",
  at_ms: Date.now(),
  here: [1],
  away_since_ms: [null, null],
  bot_at_ms: [null, null],
  spectators: 0,
});

describe("the pace", () => {
  beforeEach(() => settings.set({ pace: "normal" }));

  it("shows the moves of others one by one", () => {
    const store = opened();
    for (const version of [11, 12, 13]) FakeSocket.last.tell(anUpdate(version, [drew(1)]));
    expect(store.get().version).toBe(11);
    vi.advanceTimersByTime(5000);
    expect(store.get()).toMatchObject({ version: 13, caughtUp: 0 });
  });

  it("shows what the player did at once, and all that came before", () => {
    const store = opened();
    for (const version of [11, 12, 13]) FakeSocket.last.tell(anUpdate(version, [drew(version === 13 ? 0 : 1)]));
    expect(store.get()).toMatchObject({ version: 13, caughtUp: 2 });
  });

  it("gives way to an action, and to a snapshot", () => {
    const store = opened();
    for (const version of [11, 12]) FakeSocket.last.tell(anUpdate(version, [drew(1)]));
    store.flush();
    expect(store.get().version).toBe(12);
    for (const version of [13, 14]) FakeSocket.last.tell(anUpdate(version, [drew(1)]));
    FakeSocket.last.tell(aSnapshot({ version: 30 }));
    vi.advanceTimersByTime(5000);
    expect(store.get().version).toBe(30);
    expect(store.get().log.length).toBe(4);
  });

  it("catches up with thirty changes within two seconds", () => {
    const store = opened();
    for (let version = 11; version <= 40; version += 1) FakeSocket.last.tell(anUpdate(version, [drew(1)]));
    vi.advanceTimersByTime(2000);
    expect(store.get().version).toBe(40);
  });
});

describe("the line", () => {
  it("says in words that it is lost and that the server stops", () => {
    const store = opened();
    FakeSocket.last.tell({ type: "stopping", code: "stopping", text: "Back soon." });
    expect(store.get().lineText).toBe("Back soon.");
    FakeSocket.last.end(1012);
    expect(store.get()).toMatchObject({ line: "lost", lineText: "Back soon." });
    vi.advanceTimersByTime(500);
    FakeSocket.last.accept();
    FakeSocket.last.end(1006);
    expect(store.get().lineText).toContain("comes back by itself");
  });

  it.each([...FATAL_CODES])("says in words why it ended with %i", (code) => {
    const store = opened();
    FakeSocket.last.end(code);
    expect(store.get()).toMatchObject({ line: "ended", closeCode: code });
    expect(store.get().lineText).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("is open again after it was opened again", () => {
    const store = opened();
    FakeSocket.last.end(4028);
    store.reopen();
    FakeSocket.last.accept();
    expect(store.get()).toMatchObject({ line: "open", lineText: "" });
  });

  it("asks again in another language", async () => {
    opened();
    const before = FakeSocket.all.length;
    await setLanguage("it");
    expect(FakeSocket.all.length).toBe(before + 1);
    expect(FakeSocket.last.url).toContain("language=it");
    expect(FakeSocket.last.url).not.toContain("since");
  });
});

describe("two tabs of one player", () => {
  it("have the table in turn: the one opened last, and who asks for it", () => {
    const first = opened();
    vi.advanceTimersByTime(10);
    const second = opened();
    expect([first.get().line, second.get().line]).toEqual(["elsewhere", "open"]);
    expect(first.get().lineText).toContain("another tab");
    vi.advanceTimersByTime(10);
    first.playHere();
    FakeSocket.last.accept();
    expect([first.get().line, second.get().line]).toEqual(["open", "elsewhere"]);
  });

  it("do not both give way", () => {
    const first = opened();
    vi.advanceTimersByTime(10);
    const second = opened();
    FakeChannel.all[0]?.postMessage({ tab: "0", atMs: 0 });
    expect([first.get().line, second.get().line]).toEqual(["elsewhere", "open"]);
  });

  it("do not mind one another at different tables", () => {
    const first = opened();
    const other = openTable("OTHER");
    open.push(other);
    expect(first.get().line).toBe("open");
  });
});
