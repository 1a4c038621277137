/**
 * The socket of a table: every message gets one reply, lost connections come back, nothing is done twice.
 *
 * What has no reply yet is sent again after a reconnection with the same id, which the server answers once only.
 */
import { early, socketAddress, type EarlySocket } from "../early/begin";
import {
  SUBPROTOCOL,
  type Ack,
  type ClientMessage,
  type Presence,
  type Refused,
  type ServerMessage,
  type Snapshot,
  type Stopping,
  type Update,
} from "../protocol";

export type Line = "connecting" | "open" | "lost" | "ended" | "elsewhere";

export interface LineState {
  readonly line: Line;
  /** The code with which the server closed the socket, 0 where it did not. */
  readonly closeCode: number;
  /** What the server said: why it closed the socket, or that it stops. */
  readonly reason: string;
}

export type Told = Presence | Snapshot | Stopping | Update;
export type Reply = Ack | Refused;

type Members<T extends ClientMessage["type"]> = Omit<Extract<ClientMessage, { type: T }>, "type" | "id" | "version">;

/** Send a message and wait for its reply; what is sent while the connection is lost waits for it. */
export type Ask = <T extends ClientMessage["type"]>(
  type: T,
  ...members: Record<never, never> extends Members<T> ? [members?: Members<T>] : [members: Members<T>]
) => Promise<Reply>;

export interface SocketHost {
  /** `lateMs` is how long the message has lain here unheard. */
  told(message: Told, lateMs: number): void;
  line(state: LineState): void;
}

/** Close codes after which the socket does not come back by itself. */
export const FATAL_CODES: ReadonlySet<number> = new Set([1002, 1003, 1007, 1009, 4000, 4001, 4003, 4004, 4028]);

/** Close codes that the client's own messages brought about: sending them again would only bring them about again. */
export const FAULTY_CODES: ReadonlySet<number> = new Set([1002, 1003, 1007, 1009, 4000]);

export const PAUSE_FIRST_MS = 500;
export const PAUSE_LAST_MS = 8000;
/** The pause after the server said that messages came too fast. */
export const PAUSE_RATE_MS = 5000;
/** How long a socket that may have died in the machine's sleep has to say something. */
export const PROOF_MS = 4000;
/** A page hidden for this long has its socket proved when it is shown again. */
export const HIDDEN_MS = 15_000;
/** A socket that says nothing for this long has to prove that it lives: a network that went says so to nobody. */
export const SILENT_MS = 25_000;

interface Waiting {
  readonly text: string;
  readonly resolve: (reply: Reply) => void;
}

const TOLD: ReadonlySet<string> = new Set<Told["type"]>(["presence", "snapshot", "stopping", "update"]);

const isReply = (message: ServerMessage): message is Reply => message.type === "ack" || message.type === "refused";

export class TableSocket {
  private socket: WebSocket | null = null;
  /** The last change that was told; what comes back after a lost connection goes on from there. */
  private version: number | null = null;
  /** The last change of our own, which may be told after its reply. */
  private acked = 0;
  private count = 0;
  private readonly prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (one) =>
    one.toString(16).padStart(2, "0"),
  ).join("");
  private readonly waiting = new Map<string, Waiting>();
  private pause = PAUSE_FIRST_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private proof: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private hiddenSince = 0;
  private running = false;
  private farewell = "";

  constructor(
    private readonly name: string,
    private readonly host: SocketHost,
    private readonly language: () => string,
  ) {}

  /** Whether messages without a reply are on their way. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Open the socket, also after it ended. */
  open(): void {
    if (!this.running) {
      this.running = true;
      addEventListener("online", this.wake);
      // A server on the same computer may be there all the same.
      addEventListener("offline", this.wake);
      addEventListener("pagehide", this.hide);
      document.addEventListener("visibilitychange", this.seen);
    }
    this.connect();
  }

  /** Give the socket up for good (`line` is told nothing). */
  close(): void {
    this.stop();
    this.drop(1000);
    this.refuseAll("closed", "");
  }

  /** Give the socket up, since another tab has the table now; `open` brings it back. */
  yield(): void {
    this.stop();
    this.drop(1000);
    this.host.line({ line: "elsewhere", closeCode: 0, reason: "" });
  }

  /** Fetch everything anew, as after a change of the language. */
  refresh(): void {
    if (!this.running) return;
    this.version = null;
    this.drop(1000);
    this.connect();
  }

  /** Come back at once where the connection is lost; where it seems open, have it prove that it is. */
  readonly wake = (): void => {
    if (!this.running) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.prove();
    else if (this.socket?.readyState !== WebSocket.CONNECTING) this.connect();
  };

  readonly ask: Ask = (type, ...members) => {
    this.count += 1;
    const id = `${this.prefix}-${this.count}`;
    const version = Math.max(this.version ?? 0, this.acked);
    const text = JSON.stringify({ type, id, version, ...members[0] });
    return new Promise<Reply>((resolve) => {
      this.waiting.set(id, { text, resolve });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.drop(1000);
    const address = socketAddress(location, this.name, this.language(), this.version);
    const begun = early.takeSocket(address);
    const socket = begun?.socket ?? new WebSocket(address, SUBPROTOCOL);
    this.socket = socket;
    this.listen();
    if (this.version === null) this.host.line({ line: "connecting", closeCode: 0, reason: "" });
    socket.addEventListener("open", () => this.opened(socket));
    socket.addEventListener("message", (event: MessageEvent<string>) => this.heard(socket, event.data));
    socket.addEventListener("close", (event) => this.closed(socket, event));
    // Whoever opens a table hears of it only afterwards.
    if (begun) queueMicrotask(() => this.catchUp(begun));
  }

  /** Hear what a socket has said before it was ours. */
  private catchUp({ socket, said }: EarlySocket): void {
    if (socket.readyState === WebSocket.OPEN) this.opened(socket);
    for (const { data, atMs } of said) this.heard(socket, data, Date.now() - atMs);
  }

  private opened(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.farewell = "";
    this.host.line({ line: "open", closeCode: 0, reason: "" });
    for (const { text } of this.waiting.values()) socket.send(text);
  }

  private heard(socket: WebSocket, data: string, lateMs = 0): void {
    if (socket !== this.socket) return;
    clearTimeout(this.proof);
    this.proof = undefined;
    this.pause = PAUSE_FIRST_MS;
    this.listen();
    const message = JSON.parse(data) as ServerMessage;
    if (isReply(message)) {
      const one = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "ack") this.acked = Math.max(this.acked, message.version);
      one?.resolve(message);
      return;
    }
    // A newer server may tell of what this page does not know.
    if (!TOLD.has(message.type)) return;
    if (message.type === "snapshot" || message.type === "update") this.version = message.version;
    if (message.type === "stopping") this.farewell = message.text;
    this.host.told(message, lateMs);
  }

  private closed(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.socket) return;
    this.socket = null;
    clearTimeout(this.silence);
    clearTimeout(this.proof);
    this.proof = undefined;
    if (FATAL_CODES.has(event.code)) {
      this.stop();
      if (FAULTY_CODES.has(event.code)) this.refuseAll("closed", event.reason);
      this.host.line({ line: "ended", closeCode: event.code, reason: event.reason });
      return;
    }
    this.host.line({ line: "lost", closeCode: event.code, reason: this.farewell });
    const wait = event.code === 4029 ? Math.max(this.pause, PAUSE_RATE_MS) : this.pause;
    this.timer = setTimeout(() => this.connect(), wait);
    this.pause = Math.min(this.pause * 2, PAUSE_LAST_MS);
  }

  /** Ask something of the server that it always answers; who is silent is lost. */
  private prove(): void {
    if (this.proof !== undefined || this.version === null) return;
    void this.ask("resume", { since: this.version });
    this.proof = setTimeout(() => {
      this.proof = undefined;
      this.comeBack();
    }, PROOF_MS);
  }

  /** Begin anew to wait for whatever the socket says next. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (this.socket?.readyState === WebSocket.OPEN && this.version !== null) this.prove();
      else this.comeBack();
    }, SILENT_MS);
  }

  private comeBack(): void {
    this.host.line({ line: "lost", closeCode: 0, reason: "" });
    this.connect();
  }

  private readonly seen = (): void => {
    if (document.visibilityState === "hidden") {
      this.hiddenSince = Date.now();
      return;
    }
    const long = this.hiddenSince > 0 && Date.now() - this.hiddenSince >= HIDDEN_MS;
    if (long || this.socket?.readyState !== WebSocket.OPEN) this.wake();
  };

  private readonly hide = (): void => {
    this.hiddenSince = Date.now();
  };

  private stop(): void {
    this.running = false;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    clearTimeout(this.proof);
    this.proof = undefined;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.wake);
    removeEventListener("pagehide", this.hide);
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** Let go of the present socket: what it still says is not heard. */
  private drop(code: number): void {
    const socket = this.socket;
    this.socket = null;
    if (socket && socket.readyState <= WebSocket.OPEN) socket.close(code);
  }

  private refuseAll(code: string, text: string): void {
    for (const [id, one] of this.waiting) {
      one.resolve({ type: "refused", id, version: this.version ?? 0, code, text, citation: "", rule: null });
    }
    this.waiting.clear();
  }
}
