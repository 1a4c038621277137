// The time that is left, a second at a time, for as long as somebody looks.
import { secondsLeft } from "./words";

export class TimeLeft {
  #now = $state(Date.now());

  constructor(
    private readonly untilMs: () => number | null,
    private readonly skewMs: () => number,
  ) {
    $effect(() => {
      if (this.untilMs() === null) return;
      this.#now = Date.now();
      const timer = setInterval(() => (this.#now = Date.now()), 500);
      return () => clearInterval(timer);
    });
  }

  /** Whole seconds, null where nothing is waited for. */
  get seconds(): number | null {
    const until = this.untilMs();
    return until === null ? null : secondsLeft(until, this.#now, this.skewMs());
  }
}
