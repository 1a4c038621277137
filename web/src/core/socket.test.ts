import { beforeEach, describe, expect, it, vi } from "vitest";
import { CLOSE_CODES } from "../protocol";
import {
  FATAL_CODES,
  FAULTY_CODES,
  HIDDEN_MS,
  PAUSE_FIRST_MS,
  PAUSE_LAST_MS,
  PAUSE_RATE_MS,
  PROOF_MS,
  SILENT_MS,
  TableSocket,
  type LineState,
  type Reply,
  type Told,
} from "./socket";
import { FakeSocket, aSnapshot, anUpdate } from "./testing/fakes";

class Client {
  readonly told: Told[] = [];
  readonly lines: LineState[] = [];
  readonly socket: TableSocket;

  constructor(readonly language = "en") {
    const host = { told: (one: Told) => this.told.push(one), line: (one: LineState) => this.lines.push(one) };
    this.socket = new TableSocket("ABC", host, () => this.language);
    this.socket.open();
  }

  get line(): LineState | undefined {
    return this.lines.at(-1);
  }

  /** Connected, with a picture. */
  static connected(): Client {
    const client = new Client();
    FakeSocket.last.accept();
    FakeSocket.last.tell(aSnapshot());
    return client;
  }
}

const ack = (id: unknown, version = 11): unknown => ({ type: "ack", id, version, result: null });

async function settled(promise: Promise<Reply>): Promise<Reply | "waits"> {
  return Promise.race([promise, Promise.resolve("waits" as const)]);
}

let hidden = false;

function show(seen: boolean): void {
  hidden = !seen;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => (hidden ? "hidden" : "visible"));
  hidden = false;
  FakeSocket.all = [];
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

describe("a socket of a table", () => {
  it("asks for the table in the language of the reader, by the protocol", () => {
    new Client("pt-BR");
    expect(FakeSocket.last.url).toMatch(/^ws:\/\/[^/]+\/api\/tables\/ABC\/socket\?language=pt-BR$/);
    expect(FakeSocket.last.protocol).toBe("buraco.1");
  });

  it("says how the line is", () => {
    const client = Client.connected();
    expect(client.lines.map((one) => one.line)).toEqual(["connecting", "open"]);
  });

  it("gives each message an id of its own and the version that was seen, and its reply to who asked", async () => {
    const client = Client.connected();
    const [one, other] = [client.socket.ask("act", { action: 0 }), client.socket.ask("chat", { text: "hi" })];
    const [first, second] = FakeSocket.last.messages;
    expect(first).toMatchObject({ type: "act", action: 0, version: 10 });
    expect(second?.id).not.toBe(first?.id);
    FakeSocket.last.tell(ack(second?.id));
    expect(await settled(one)).toBe("waits");
    expect(await other).toMatchObject({ type: "ack" });
  });

  it("goes on from its own last change, whether it was told already or not", async () => {
    const client = Client.connected();
    const asked = client.socket.ask("act", { action: 0 });
    FakeSocket.last.tell(ack(FakeSocket.last.messages[0]?.id, 11));
    await asked;
    void client.socket.ask("act", { action: 4 });
    expect(FakeSocket.last.messages[1]?.version).toBe(11);
  });

  it("comes back with what it missed, later each time up to a bound", () => {
    const client = Client.connected();
    FakeSocket.last.tell(anUpdate(11, []));
    let wait = PAUSE_FIRST_MS;
    for (let tries = 0; tries < 8; tries += 1) {
      const before = FakeSocket.all.length;
      FakeSocket.last.end(1006);
      expect(client.line?.line).toBe("lost");
      vi.advanceTimersByTime(wait - 1);
      expect(FakeSocket.all.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all.length).toBe(before + 1);
      expect(FakeSocket.last.url).toContain("since=11");
      wait = Math.min(wait * 2, PAUSE_LAST_MS);
    }
    FakeSocket.last.accept();
    FakeSocket.last.tell(anUpdate(12, []));
    FakeSocket.last.end(1006);
    vi.advanceTimersByTime(PAUSE_FIRST_MS);
    expect(FakeSocket.last.url).toContain("since=12");
  });

  it("sends again whatever had no reply, with the same id, and nothing else", async () => {
    const client = Client.connected();
    const done = client.socket.ask("act", { action: 0 });
    FakeSocket.last.tell(ack(FakeSocket.last.messages[0]?.id));
    await done;
    const lost = client.socket.ask("act", { action: 4 });
    const text = FakeSocket.last.sent[1];
    FakeSocket.last.end(1006);
    const offline = client.socket.ask("chat", { text: "anybody?" });
    vi.advanceTimersByTime(PAUSE_FIRST_MS);
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent[0]).toBe(text);
    expect(FakeSocket.last.messages.map((one) => one.type)).toEqual(["act", "chat"]);
    for (const { id } of FakeSocket.last.messages) FakeSocket.last.tell(ack(id));
    expect([(await lost).type, (await offline).type]).toEqual(["ack", "ack"]);
    expect(client.socket.busy).toBe(false);
  });

  it("comes back at once when the computer is online again or the page is seen again", () => {
    for (const wake of [() => window.dispatchEvent(new Event("online")), () => show(true)]) {
      const client = Client.connected();
      FakeSocket.last.end(1006);
      const before = FakeSocket.all.length;
      wake();
      expect(FakeSocket.all.length).toBe(before + 1);
      client.socket.close();
    }
  });

  it("has the connection proved after a long sleep, and gives up one that is silent", () => {
    const client = Client.connected();
    show(false);
    vi.advanceTimersByTime(HIDDEN_MS);
    show(true);
    expect(FakeSocket.last.messages.at(-1)).toMatchObject({ type: "resume", since: 10 });
    const before = FakeSocket.all.length;
    vi.advanceTimersByTime(PROOF_MS);
    expect(FakeSocket.all.length).toBe(before + 1);
    expect(client.lines.at(-1)?.line).toBe("lost");
  });

  it("keeps a connection that answers after a sleep", () => {
    Client.connected();
    show(false);
    vi.advanceTimersByTime(HIDDEN_MS);
    show(true);
    FakeSocket.last.tell(ack(FakeSocket.last.messages.at(-1)?.id, 10));
    vi.advanceTimersByTime(PROOF_MS * 2);
    expect(FakeSocket.all.length).toBe(1);
  });

  it("has a connection proved that is silent, and gives it up if it stays so", async () => {
    const client = Client.connected();
    const reply = client.socket.ask("act", { action: 4 });
    const sent = FakeSocket.last.messages[0];
    vi.advanceTimersByTime(SILENT_MS);
    expect(FakeSocket.last.messages.map((one) => one.type)).toEqual(["act", "resume"]);
    vi.advanceTimersByTime(PROOF_MS);
    expect(client.line?.line).toBe("lost");
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.accept();
    expect(FakeSocket.last.messages[0]).toEqual(sent);
    FakeSocket.last.tell(ack(sent?.id));
    expect((await reply).type).toBe("ack");
  });

  it("gives up a connection that never opens, or opens and never says anything", () => {
    const client = new Client();
    vi.advanceTimersByTime(SILENT_MS);
    expect(client.line?.line).toBe("connecting");
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.accept();
    vi.advanceTimersByTime(SILENT_MS);
    expect(FakeSocket.all).toHaveLength(3);
  });

  it("passes over messages of a kind that it does not know", () => {
    const client = Client.connected();
    const before = client.told.length;
    FakeSocket.last.tell({ type: "fireworks", version: 99 });
    FakeSocket.last.tell(anUpdate(11));
    expect(client.told.slice(before).map((one) => one.type)).toEqual(["update"]);
    expect(client.line?.line).toBe("open");
  });

  it("asks nothing after a short look away", () => {
    Client.connected();
    show(false);
    vi.advanceTimersByTime(HIDDEN_MS - 1);
    show(true);
    expect(FakeSocket.last.sent).toEqual([]);
  });

  it.each([...FATAL_CODES])("ends with the close code %i, and does not come back by itself", (code) => {
    const client = Client.connected();
    FakeSocket.last.end(code, "why");
    expect(client.line).toEqual({ line: "ended", closeCode: code, reason: "why" });
    vi.advanceTimersByTime(60_000);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(1);
    client.socket.open();
    expect(FakeSocket.all.length).toBe(2);
  });

  it("knows what every close code of the protocol means", () => {
    const comesBack = [1011, 1012, 1013, 4008, 4029];
    const known = [...FATAL_CODES, ...comesBack].sort((one, other) => one - other);
    expect(known).toEqual(Object.keys(CLOSE_CODES).map(Number));
  });

  it.each([...FAULTY_CODES])("does not repeat the message that ended it with %i", async (code) => {
    const client = Client.connected();
    const asked = client.socket.ask("chat", { text: "?" });
    FakeSocket.last.end(code);
    expect(await asked).toMatchObject({ type: "refused", code: "closed" });
    client.socket.open();
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent).toEqual([]);
  });

  it("says what the server said before it stopped", () => {
    const client = Client.connected();
    FakeSocket.last.tell({ type: "stopping", code: "stopping", text: "Back soon." });
    FakeSocket.last.end(1012);
    expect(client.line).toEqual({ line: "lost", closeCode: 1012, reason: "Back soon." });
    vi.advanceTimersByTime(PAUSE_FIRST_MS);
    FakeSocket.last.accept();
    FakeSocket.last.end(1006);
    expect(client.line?.reason).toBe("");
  });

  it("waits longer where it was too fast", () => {
    Client.connected();
    FakeSocket.last.end(4029);
    vi.advanceTimersByTime(PAUSE_RATE_MS - 1);
    expect(FakeSocket.all.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all.length).toBe(2);
  });

  it("hears an old connection no longer", () => {
    const client = Client.connected();
    const [old] = FakeSocket.all;
    client.socket.refresh();
    const told = client.told.length;
    old?.tell(anUpdate(11, []));
    old?.end(4004);
    expect(client.told.length).toBe(told);
    expect(client.line?.line).toBe("connecting");
    expect(FakeSocket.last.url).not.toContain("since");
  });

  it("gives way to another tab, and comes back when it is asked to", () => {
    const client = Client.connected();
    client.socket.yield();
    expect(client.line?.line).toBe("elsewhere");
    expect(FakeSocket.last.readyState).toBe(FakeSocket.CLOSED);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(1);
    client.socket.open();
    expect(FakeSocket.last.url).toContain("since=10");
  });

  it("refuses what has no reply once it is closed for good", async () => {
    const client = Client.connected();
    const asked = client.socket.ask("hint");
    client.socket.close();
    expect(await asked).toMatchObject({ type: "refused", code: "closed" });
  });
});
