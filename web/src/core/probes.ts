// What selected cards would be is the server's to say. Questions wait until the selection rests, a few are on their way
// at once, and what nobody waits for any more is neither asked nor heard.
import type { ProbeResult } from "../protocol";
import type { Ask, Reply } from "./socket";

export const REST_MS = 90;
export const IN_FLIGHT_MAX = 3;

export interface Asked {
  /** What must be the same for an answer to hold: the state of the deal. */
  readonly state: string;
  readonly cards: readonly string[];
  /** Melds by number from 1; null for a new one. */
  readonly melds: readonly (number | null)[];
}

export type Answers = ReadonlyMap<number | null, ProbeResult>;

const keyOf = (asked: Asked, meld: number | null): string =>
  `${asked.state}|${[...asked.cards].sort().join(" ")}|${meld ?? "new"}`;

/** What a reply says of the cards; nothing is an answer too, else it would be asked for without end. */
function resultOf(reply: Reply): ProbeResult {
  if (reply.type === "refused") {
    const { code, text, citation, rule } = reply;
    return { result: "probe", options: [], code, text, citation, rule };
  }
  if (reply.result?.result === "probe") return reply.result;
  return { result: "probe", options: [], code: "", text: "", citation: "", rule: null };
}

export class Probes {
  private asked: Asked | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private flying = 0;
  private state = "";
  private readonly known = new Map<string, ProbeResult>();
  private readonly underway = new Set<string>();

  constructor(
    private readonly ask: Ask,
    private readonly told: (answers: Answers, complete: boolean) => void,
  ) {}

  /** Want to know; what was wanted before is not any more. */
  want(asked: Asked | null): void {
    clearTimeout(this.timer);
    this.asked = asked;
    if (asked === null) return;
    if (asked.state !== this.state) {
      this.state = asked.state;
      this.known.clear();
    }
    if (this.missing().length === 0) this.tell();
    else this.timer = setTimeout(() => this.next(), REST_MS);
  }

  private missing(): readonly (number | null)[] {
    const { asked } = this;
    return asked === null ? [] : asked.melds.filter((meld) => !this.known.has(keyOf(asked, meld)));
  }

  private next(): void {
    const { asked } = this;
    if (asked === null) return;
    for (const meld of this.missing()) {
      if (this.flying >= IN_FLIGHT_MAX) return;
      const key = keyOf(asked, meld);
      if (!this.underway.has(key)) void this.send(asked, meld, key);
    }
  }

  private async send(asked: Asked, meld: number | null, key: string): Promise<void> {
    this.flying += 1;
    this.underway.add(key);
    const reply = await this.ask("probe", { cards: asked.cards, meld });
    this.flying -= 1;
    this.underway.delete(key);
    if (asked.state === this.state) {
      this.known.set(key, resultOf(reply));
      if (this.asked === asked) this.tell();
    }
    this.next();
  }

  private tell(): void {
    const { asked } = this;
    if (asked === null) return;
    const answers = new Map<number | null, ProbeResult>();
    for (const meld of asked.melds) {
      const found = this.known.get(keyOf(asked, meld));
      if (found) answers.set(meld, found);
    }
    this.told(answers, answers.size === asked.melds.length);
  }
}
