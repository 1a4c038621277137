// What a table looks like now: the server's messages folded into one picture, shown at the pace of the player.
import type {
  ChatLine,
  DealEnded,
  DealSummary,
  Event,
  Member,
  Presence,
  Snapshot,
  TableState,
  Update,
  View,
  You,
} from "../protocol";
import { catalogueOf, language, t } from "./i18n";
import { ShowQueue } from "./queue";
import { settings } from "./settings";
import { FAULTY_CODES, TableSocket, type Ask, type Line, type LineState, type Told } from "./socket";

export interface LogEntry {
  readonly key: number;
  readonly atMs: number;
  /** The seat that did it; null where it was nobody's doing. */
  readonly seat: number | null;
  /** The version of the table that it belongs to. */
  readonly version: number;
  readonly event: Event;
}

export interface Picture {
  readonly line: Line;
  readonly lineText: string;
  readonly closeCode: number;
  readonly version: number;
  readonly table: TableState | null;
  readonly you: You | null;
  readonly members: readonly Member[];
  readonly view: View | null;
  readonly presence: Presence | null;
  readonly deals: readonly DealSummary[];
  readonly chat: readonly ChatLine[];
  readonly log: readonly LogEntry[];
  /** What to add to the clock of this computer to have the server's. */
  readonly skewMs: number;
  /** Whether a message of ours has no reply yet. */
  readonly busy: boolean;
  /** How many entries at the end of the log were shown at once, since nobody looked or too many waited. */
  readonly caughtUp: number;
}

/** One step of the picture: what happened, what was seen before and is seen now. */
export interface Step {
  readonly events: readonly Event[];
  readonly before: Picture;
  readonly after: Picture;
  /** Whether it is one change among others that were waited for, or a new beginning (`whole`). */
  readonly how: "paced" | "at once" | "whole";
}

export interface TableStore {
  get(): Picture;
  subscribe(run: (picture: Picture) => void): () => void;
  /** Hear of each step before `subscribe` does. */
  onStep(run: (step: Step) => void): () => void;
  readonly ask: Ask;
  /** Show at once all that waits to be shown. */
  flush(): void;
  /** Take the table over from the tab that has it. */
  playHere(): void;
  /** Come back after the connection has ended. */
  reopen(): void;
  close(): void;
}

/** A clock that goes so far off its pace was set by somebody. */
const SET_MS = 2000;
/** So often it is looked whether it was. */
const LOOK_MS = 1000;
const LOG_MAX = 400;
const CHAT_MAX = 200;

/** What is known of a table before the server has said anything. */
export const NOTHING: Picture = {
  line: "connecting",
  lineText: "",
  closeCode: 0,
  version: 0,
  table: null,
  you: null,
  members: [],
  view: null,
  presence: null,
  deals: [],
  chat: [],
  log: [],
  skewMs: 0,
  busy: false,
  caughtUp: 0,
};

function seatOf(event: Event): number | null {
  return "seat" in event && typeof event.seat === "number" ? event.seat : null;
}

function dealOf(event: DealEnded, before: Picture): DealSummary {
  const earlier = before.deals.at(-1)?.totals ?? [0, 0];
  const { deal, end_kind, sheets, scores, totals } = event;
  return {
    deal,
    dealer: before.view?.dealer ?? 0,
    end_kind,
    out_seat: event.out_seat < 0 ? null : event.out_seat,
    sheets,
    scores,
    cut_points: [totals[0] - scores[0] - earlier[0], totals[1] - scores[1] - earlier[1]],
    totals,
  };
}

function membersAfter(members: readonly Member[], event: Event): readonly Member[] {
  if (event.event !== "sat_down") return members;
  const { member, name, bot_of } = event;
  return [...members.filter((one) => one.member !== member), { member, name, bot_of }].sort(
    (a, b) => a.member - b.member,
  );
}

function dealsAfter(picture: Picture, event: Event): readonly DealSummary[] {
  if (event.event === "match_began") return [];
  if (event.event !== "deal_ended") return picture.deals;
  return [...picture.deals.filter((one) => one.deal !== event.deal), dealOf(event, picture)];
}

/** The picture after one update. */
function withUpdate(picture: Picture, update: Update, firstKey: number): Picture {
  let { members, deals, chat } = picture;
  const log = [...picture.log];
  let key = firstKey;
  for (const event of update.events) {
    members = membersAfter(members, event);
    deals = dealsAfter({ ...picture, deals }, event);
    if (event.event === "chat_said") chat = [...chat, event.line].slice(-CHAT_MAX);
    log.push({ key, atMs: update.at_ms, seat: seatOf(event), version: update.version, event });
    key += 1;
  }
  return {
    ...picture,
    version: update.version,
    table: update.table ?? picture.table,
    you: update.you ?? picture.you,
    view: update.view ?? picture.view,
    members,
    deals,
    chat,
    log: log.slice(-LOG_MAX),
  };
}

/** The picture after a snapshot: what the log told stays. */
function withSnapshot(picture: Picture, snapshot: Snapshot): Picture {
  const { version, table, you, members, view, deals, chat } = snapshot;
  return { ...picture, version, table, you, members, view, deals, chat, caughtUp: 0 };
}

/** The words for the state of the line. */
function lineText({ line, closeCode, reason }: LineState): string {
  if (line === "open") return "";
  if (line === "lost" && reason) return reason;
  if (line !== "ended") return t(`web.table.line.${line}`);
  const known = FAULTY_CODES.has(closeCode) ? "fault" : String(closeCode);
  return t(`web.table.close.${known}`);
}

interface Claim {
  readonly tab: string;
  readonly atMs: number;
}

/** Only one tab of a player has a table: the one that claimed it last. */
class Claims {
  private readonly channel: BroadcastChannel | null;
  private own: Claim = { tab: Array.from(crypto.getRandomValues(new Uint8Array(8))).join("."), atMs: 0 };

  constructor(name: string, taken: () => void) {
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`buraco.table.${name}`);
    this.channel?.addEventListener("message", (event: MessageEvent<Claim>) => {
      if (this.isLater(event.data)) taken();
    });
  }

  claim(): void {
    this.own = { ...this.own, atMs: performance.timeOrigin + performance.now() };
    this.channel?.postMessage(this.own);
  }

  close(): void {
    this.channel?.close();
  }

  /** Two tabs that open at once must not both give way. */
  private isLater({ tab, atMs }: Claim): boolean {
    return atMs > this.own.atMs || (atMs === this.own.atMs && tab > this.own.tab);
  }
}

class Store implements TableStore {
  private picture = NOTHING;
  private keys = 0;
  private readonly listeners = new Set<(picture: Picture) => void>();
  private readonly steps = new Set<(step: Step) => void>();
  private readonly socket: TableSocket;
  private readonly queue: ShowQueue<Update>;
  private readonly claims: Claims;
  private readonly stops: (() => void)[] = [];
  /** What the clock of this computer shows at the zero of the one that nobody can set. */
  private clockZero = Date.now() - performance.now();
  private lineState: LineState = { line: "connecting", closeCode: 0, reason: "" };

  constructor(name: string) {
    this.queue = new ShowQueue<Update>({
      show: (updates, how) => this.showUpdates(updates, how),
      pace: () => settings.get().pace,
      seen: () => document.visibilityState !== "hidden",
    });
    const host = {
      told: (message: Told, lateMs: number) => this.told(message, lateMs),
      line: (state: LineState) => this.lineIs(state),
    };
    this.socket = new TableSocket(name, host, () => catalogueOf(language.get()));
    this.claims = new Claims(name, () => this.takenOver());
    let first = true;
    this.stops.push(
      language.subscribe(() => {
        if (!first) this.spokenAnew();
        first = false;
      }),
    );
    const seen = (): void => {
      if (document.visibilityState === "hidden") this.queue.flush();
    };
    document.addEventListener("visibilitychange", seen);
    this.stops.push(() => document.removeEventListener("visibilitychange", seen));
    const looking = setInterval(() => this.followClock(), LOOK_MS);
    this.stops.push(() => clearInterval(looking));
    this.claims.claim();
    this.socket.open();
  }

  get(): Picture {
    return this.picture;
  }

  subscribe(run: (picture: Picture) => void): () => void {
    this.listeners.add(run);
    run(this.picture);
    return () => this.listeners.delete(run);
  }

  onStep(run: (step: Step) => void): () => void {
    this.steps.add(run);
    return () => this.steps.delete(run);
  }

  readonly ask: Ask = async (type, ...members) => {
    const replied = this.socket.ask(type, ...members);
    this.busyIs();
    const reply = await replied;
    this.busyIs();
    return reply;
  };

  flush(): void {
    this.queue.flush();
  }

  playHere(): void {
    this.reopen();
  }

  reopen(): void {
    this.claims.claim();
    this.socket.open();
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.queue.clear();
    this.claims.close();
    this.socket.close();
    this.listeners.clear();
    this.steps.clear();
  }

  private takenOver(): void {
    const { line } = this.lineState;
    if (line !== "elsewhere" && line !== "ended") this.socket.yield();
  }

  private spokenAnew(): void {
    this.set({ lineText: lineText(this.lineState) });
    this.socket.refresh();
  }

  private busyIs(): void {
    if (this.picture.busy !== this.socket.busy) this.set({ busy: this.socket.busy });
  }

  private lineIs(state: LineState): void {
    this.lineState = state;
    this.set({ line: state.line, closeCode: state.closeCode, lineText: lineText(state), busy: this.socket.busy });
  }

  private told(message: Told, lateMs: number): void {
    if (message.type === "stopping") {
      this.set({ lineText: message.text });
      return;
    }
    this.followClock();
    // What is told was true a while ago: the least old message says best how far the clocks are apart.
    const skewMs = message.at_ms - (Date.now() - lateMs);
    if (message.type === "presence") {
      this.set({ presence: message, skewMs });
      return;
    }
    if (skewMs > this.picture.skewMs) this.set({ skewMs });
    if (message.type === "update") {
      if (this.picture.table === null) return;
      this.queue.push(message);
      // What the player did is seen at once, and all before it.
      const own = this.picture.you?.seat ?? null;
      if (own !== null && message.events.some((event) => seatOf(event) === own)) this.queue.flush();
      return;
    }
    this.queue.flush();
    this.step({ ...withSnapshot(this.picture, message) }, [], "whole");
  }

  /** The clock of this computer may be set while it plays; the server's stays. */
  private followClock(): void {
    const zero = Date.now() - performance.now();
    const set = zero - this.clockZero;
    if (Math.abs(set) < SET_MS) return;
    this.clockZero = zero;
    this.set({ skewMs: this.picture.skewMs - set });
  }

  private showUpdates(updates: readonly Update[], how: "paced" | "at once"): void {
    const events = updates.flatMap((update) => update.events);
    let picture = this.picture;
    for (const update of updates) {
      picture = withUpdate(picture, update, this.keys);
      this.keys += update.events.length;
    }
    this.step({ ...picture, caughtUp: how === "at once" ? events.length : 0 }, events, how);
  }

  private step(after: Picture, events: readonly Event[], how: Step["how"]): void {
    const before = this.picture;
    this.picture = after;
    for (const run of this.steps) run({ events, before, after, how });
    this.tell();
  }

  private set(change: Partial<Picture>): void {
    this.picture = { ...this.picture, ...change };
    this.tell();
  }

  private tell(): void {
    for (const run of this.listeners) run(this.picture);
  }
}

/** Open a table by its identifier or code. */
export function openTable(name: string): TableStore {
  return new Store(name);
}
