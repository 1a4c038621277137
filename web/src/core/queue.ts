// Changes of the table wait here until it is their turn to be seen: one by one at the pace of the player, quicker when
// many wait, all at once when nobody looks or the player acts.
import type { Pace } from "./settings";

/** The time between two changes that are shown, in milliseconds. */
export const GAPS_MS: Readonly<Record<Pace, number>> = { slow: 900, normal: 420, fast: 180, none: 0 };
/** When more changes than this wait, they are caught up with. */
export const WAITING_MAX = 3;
/** However many wait, the last of them is seen after this time. */
export const CATCH_UP_MS = 1500;

export interface QueueHost<T> {
  /** Show changes, in order; `at once` where they were not shown one by one. */
  show(items: readonly T[], how: "paced" | "at once"): void;
  pace(): Pace;
  /** Whether the page can be seen. */
  seen(): boolean;
}

export class ShowQueue<T> {
  private items: T[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAt = Number.NEGATIVE_INFINITY;
  /** Until when everything is to be shown, while it is caught up; 0 while there is no hurry. */
  private deadline = 0;

  constructor(
    private readonly host: QueueHost<T>,
    private readonly now: () => number = () => Date.now(),
  ) {}

  get length(): number {
    return this.items.length;
  }

  push(item: T): void {
    this.items.push(item);
    if (this.host.pace() === "none" || !this.host.seen()) {
      this.flush();
      return;
    }
    if (this.items.length > WAITING_MAX) this.deadline = this.now() + CATCH_UP_MS;
    this.arm();
  }

  /** Show everything that waits, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.deadline = 0;
    if (this.items.length === 0) return;
    const items = this.items;
    this.items = [];
    this.shownAt = this.now();
    this.host.show(items, items.length > 1 ? "at once" : "paced");
  }

  /** Forget what waits: something newer holds it all. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.deadline = 0;
    this.items = [];
  }

  private arm(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.items.length === 0) {
      this.deadline = 0;
      return;
    }
    const gap = this.gap();
    // Never longer, though somebody set the clock of the computer back.
    const wait = Math.min(gap, this.shownAt + gap - this.now());
    if (wait <= 0) this.next();
    else this.timer = setTimeout(() => this.next(), wait);
  }

  private gap(): number {
    const usual = GAPS_MS[this.host.pace()];
    if (this.deadline === 0) return usual;
    return Math.min(usual, Math.max(0, this.deadline - this.now()) / this.items.length);
  }

  private next(): void {
    if (!this.host.seen()) {
      this.flush();
      return;
    }
    const [item, ...rest] = this.items;
    this.items = rest;
    this.shownAt = this.now();
    if (item !== undefined) this.host.show([item], "paced");
    this.arm();
  }
}
