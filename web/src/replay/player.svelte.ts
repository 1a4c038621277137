// Goes through a recorded match: which deal is shown, which move of it, and whether it plays by itself.
import { framesOf, wayBetween, type Frame, type Moment } from "../core/replay";
import type { Journeys } from "../core/flip";
import type { ReplayedDeal } from "../protocol";
import { api, problemText } from "../core/http";
import { language } from "../core/i18n";

const SPEEDS = [1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];
/** The time of a move at single speed. */
const MOVE_MS = 900;
/** The end of a deal is shown for as long as this many moves. */
const LINGER = 4;
/** How many deals are kept, as each seat saw them. */
const KEPT_MAX = 12;

export interface PlayerHost {
  /** Called right before and right after cards change places; `null`: nobody could follow them. */
  before(way: Journeys | null): void;
  after(): void;
}

/** Where the last move of a deal is to be shown. */
const END = 999_999;

export class Player {
  film = $state.raw<ReplayedDeal | null>(null);
  /** The move that is shown, 0 when the deal is dealt. */
  move = $state(0);
  playing = $state(false);
  speed = $state<Speed>(1);
  /** As that seat saw it; null: every hand open. */
  seat = $state<number | null>(null);
  busy = $state(false);
  failure = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  // No view follows it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  private readonly kept = new Map<string, ReplayedDeal>();

  constructor(
    private readonly record: string,
    private readonly host: PlayerHost,
  ) {}

  readonly frames: readonly Frame[] = $derived(framesOf(this.film?.steps ?? []));
  readonly frame: Frame | null = $derived(this.frames[this.move] ?? null);
  readonly last = $derived(Math.max(0, this.frames.length - 1));
  readonly deal = $derived(this.film?.deal ?? 1);
  readonly deals = $derived(this.film?.deal_count ?? 1);
  /** Where the record stops to hold, if that is in this deal. */
  readonly faultHere = $derived(this.film?.fault?.deal === this.film?.deal ? (this.film?.fault ?? null) : null);
  readonly atEnd = $derived(this.move >= this.last);
  readonly more = $derived(this.film !== null && this.deal < this.deals && this.film.fault?.deal !== this.deal);
  readonly moment: Moment = $derived({ deal: this.deal, move: this.move, seat: this.seat });

  /** Show a moment; what is not here yet is asked for. */
  async open({ deal, move, seat }: Moment): Promise<void> {
    const asked = (this.asked += 1);
    this.busy = true;
    this.failure = "";
    try {
      const film = await this.fetch(deal, seat);
      if (asked !== this.asked) return;
      this.host.before(null);
      this.film = film;
      this.seat = seat;
      this.move = Math.min(move, Math.max(0, film.steps.length - 1));
      this.host.after();
    } catch (error) {
      if (asked === this.asked) this.failure = problemText(error);
      this.pause();
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  private async fetch(deal: number, seat: number | null): Promise<ReplayedDeal> {
    const name = `${language.get()} ${deal} ${seat}`;
    const known = this.kept.get(name);
    if (known) return known;
    const film = await api<ReplayedDeal>("POST", "/api/replay/deal", { record: this.record, deal, seat });
    this.kept.set(name, film);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_MAX && oldest !== undefined) this.kept.delete(oldest);
    return film;
  }

  /** Go to a move of this deal. */
  go(move: number): void {
    const to = Math.max(0, Math.min(move, this.last));
    if (to === this.move) return;
    this.host.before(wayBetween(this.frames, this.move, to));
    this.move = to;
    this.host.after();
  }

  async step(by: 1 | -1): Promise<void> {
    if (by > 0 && this.atEnd) {
      if (this.more) await this.jump(this.deal + 1);
    } else if (by < 0 && this.move === 0) {
      if (this.deal > 1) await this.jump(this.deal - 1, END);
    } else this.go(this.move + by);
  }

  async jump(deal: number, move = 0): Promise<void> {
    if (deal < 1 || deal > this.deals || this.busy) return;
    await this.open({ deal, move, seat: this.seat });
  }

  toggle(): void {
    if (this.playing) return this.pause();
    this.playing = true;
    if (this.atEnd && !this.more) this.go(0);
    this.arm();
  }

  pause(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }

  private arm(): void {
    clearTimeout(this.timer);
    const wait = (MOVE_MS * (this.atEnd ? LINGER : 1)) / this.speed;
    this.timer = setTimeout(() => void this.next(), wait);
  }

  private async next(): Promise<void> {
    if (this.atEnd && !this.more) return this.pause();
    await this.step(1);
    if (this.playing) this.arm();
  }

  faster(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length] ?? 1;
    if (this.playing) this.arm();
  }
}
