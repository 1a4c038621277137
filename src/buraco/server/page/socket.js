// The socket of a table: every message gets one reply, lost connections come back, nothing is done twice.
const FATAL = new Set([4000, 4001, 4003, 4004]);

export class TableSocket {
  // told(message): what is no reply; line(state, text): the state of the connection.
  constructor(name, told, line) {
    this.name = name;
    this.told = told;
    this.line = line;
    this.version = null; // The last change that was told; what comes back after a lost connection goes on from there.
    this.acked = 0; // The last change of our own, which may be told after its reply.
    this.count = 0;
    this.waiting = new Map();
    this.pause = 500;
    this.ended = false;
    this.prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (one) => one.toString(16).padStart(2, "0")).join("");
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const since = this.version === null ? "" : `?since=${this.version}`;
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${this.name}/socket${since}`, "buraco.1");
    this.socket = socket;
    this.line("waiting", "connecting…");
    socket.addEventListener("open", () => {
      this.pause = 500;
      this.line("open", "connected");
      // The same id has no second effect, so what had no reply is simply sent again.
      for (const { text } of this.waiting.values()) socket.send(text);
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.closed(event));
  }

  hear(message) {
    if (message.type === "ack" || message.type === "refused") {
      const one = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "ack") this.acked = Math.max(this.acked, message.version);
      if (one) one.resolve(message);
      return;
    }
    if (message.version !== undefined) this.version = message.version;
    this.told(message);
  }

  closed(event) {
    if (this.ended) return;
    if (FATAL.has(event.code)) {
      this.ended = true;
      this.line("ended", event.reason || `closed (${event.code})`);
      for (const one of this.waiting.values()) one.resolve({ type: "refused", code: "closed", text: event.reason });
      this.waiting.clear();
      return;
    }
    this.line("lost", "connection lost; it comes back by itself");
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(this.pause * 2, 8000);
  }

  // Send a message and return its reply.
  ask(type, members = {}) {
    this.count += 1;
    const id = `${this.prefix}-${this.count}`;
    const text = JSON.stringify({ type, id, version: Math.max(this.version ?? 0, this.acked), ...members });
    return new Promise((resolve) => {
      this.waiting.set(id, { text, resolve });
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  close() {
    this.ended = true;
    this.socket.close();
  }
}
