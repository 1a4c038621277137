// Stand-ins for tests of the table: a socket that is driven by hand, and parts of messages.
import type { Event, Snapshot, TableState, TableSummary, Update, View, You } from "../../protocol";

export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  readonly sent: string[] = [];

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    super();
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("no socket was opened");
    return last;
  }

  get messages(): readonly Readonly<Record<string, unknown>>[] {
    return this.sent.map((text) => JSON.parse(text) as Record<string, unknown>);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** The server takes the connection. */
  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new globalThis.Event("open"));
  }

  tell(message: unknown): void {
    this.dispatchEvent(Object.assign(new globalThis.Event("message"), { data: JSON.stringify(message) }));
  }

  /** The connection ends. */
  end(code: number, reason = ""): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(Object.assign(new globalThis.Event("close"), { code, reason }));
  }
}

export class FakeChannel extends EventTarget {
  static all: FakeChannel[] = [];

  constructor(readonly name: string) {
    super();
    FakeChannel.all.push(this);
  }

  postMessage(data: unknown): void {
    for (const one of FakeChannel.all) {
      if (one !== this && one.name === this.name) {
        one.dispatchEvent(Object.assign(new globalThis.Event("message"), { data }));
      }
    }
  }

  close(): void {
    FakeChannel.all = FakeChannel.all.filter((one) => one !== this);
  }
}

export function aTable(change: Partial<TableState> = {}): TableState {
  const person = { kind: "person", level: "", ready: false, played_by_bot: "", bot_of: null } as const;
  const bot = {
    kind: "bot",
    member: null,
    name: "",
    level: "greedy",
    ready: true,
    played_by_bot: "",
    bot_of: null,
  } as const;
  return {
    table: "t1",
    code: "ABC123",
    phase: "playing",
    match: 1,
    owner: 1,
    rules_name: "aberto",
    rules_title: "Aberto",
    rules: {},
    players: 2,
    clock: { kind: "none" },
    bot_level: "greedy",
    fill_with_bots: true,
    public: false,
    spectators: true,
    spectator_delay_ms: 0,
    spectator_chat: false,
    open_hands: false,
    chat: true,
    undo: true,
    hints: null,
    away_ms: 30_000,
    forfeit_ms: 300_000,
    next_deal_ms: 30_000,
    timeouts_max: 2,
    seats: [
      { ...person, seat: 0, member: 1, name: "Ana" },
      { ...bot, seat: 1 },
    ],
    offers: {
      resign: [],
      draw: [],
      rematch: [],
      resign_asked: [[0], []],
      draw_asked: [0],
      rematch_asked: [],
    },
    cut_max: null,
    fair: null,
    clocks: { seat: null, deadline_ms: null, banks_ms: null },
    next_deal_at_ms: null,
    lesson: null,
    result: null,
    ...change,
  };
}

export const YOU: You = { member: 1, seat: 0, owner: true, muted: [], may_chat: true, may_hint: true };

export function aView(change: Partial<View> = {}): View {
  return {
    deal: 1,
    state_number: 1,
    seat: 0,
    dealer: 1,
    turn_seat: 0,
    phase: "play",
    turn_count: 0,
    totals: [0, 0],
    hands: [["7h", "8h", "9h", "Kc", "7h"], null],
    hand_counts: [5, 11],
    known: [[], []],
    melds: [[], []],
    pile: [{ card: "2d", seat: 1, turn: 0 }],
    pile_count: 1,
    pile_closed: false,
    stock_count: 40,
    mortos: [
      { state: "waiting", side: null },
      { state: "waiting", side: null },
    ],
    unplayed: [false, false],
    opening_need: [0, 0],
    opened: [true, true],
    laid_points: 0,
    top_card: null,
    top_meld: null,
    rest_waits: false,
    barred_card: null,
    drawn_card: null,
    quiet_turns: 0,
    end_kind: "none",
    out_seat: null,
    can_undo: 0,
    legal: {
      actions: [],
      draw: false,
      pile: false,
      keep: false,
      reject: false,
      discards: ["7h", "8h", "9h", "Kc"].map((card, index) => ({ card, action: 10 + index, ends_deal: false })),
      adds: [],
      melds: 1,
      duties: [],
    },
    ...change,
  };
}

export function aSnapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    type: "snapshot",
    protocol: 1,
    version: 10,
    at_ms: 0,
    table: aTable(),
    you: YOU,
    members: [{ member: 1, name: "Ana", bot_of: null }],
    view: aView(),
    deals: [],
    chat: [],
    ...change,
  };
}

export function anUpdate(version: number, events: readonly Event[] = [], change: Partial<Update> = {}): Update {
  return { type: "update", version, at_ms: 0, events, table: null, view: null, you: null, ...change };
}

/** What a list says of a table where nothing is said otherwise. */
export function summary(table: string, change: Partial<TableSummary> = {}): TableSummary {
  return {
    table,
    code: table.toUpperCase(),
    phase: "open",
    rules_name: "r",
    rules_title: "Rules",
    players: 4,
    seats: [],
    clock: {},
    spectators: true,
    spectator_delay_ms: 0,
    open_hands: false,
    spectator_count: 0,
    created_ms: 0,
    totals: [0, 0],
    lesson: false,
    ...change,
  };
}
