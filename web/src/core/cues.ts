// What is heard of the table, and that the screen stays on while the game is on.
import type { Event } from "../protocol";
import type { Sound } from "./sound";
import type { Picture, Step } from "./table-store";

/** Whether the one who looks is to act, and nobody acts for them. */
export function isMyTurn({ table, view, you }: Pick<Picture, "table" | "view" | "you">): boolean {
  if (!table || !view || !you || you.seat === null) return false;
  return table.phase === "playing" && view.turn_seat === you.seat && !table.seats[you.seat]?.played_by_bot;
}

const SOUNDS: Readonly<Partial<Record<Event["event"], Sound>>> = {
  deal_started: "deal",
  drew: "draw",
  pile_taken: "draw",
  meld_laid: "lay",
  card_added: "lay",
  discarded: "discard",
};

function canastas({ view }: Picture): number {
  return view ? view.melds.flat().filter((meld) => meld.category !== "plain").length : 0;
}

/** The sound of a step, and whether the own turn began with it. What is caught up makes one sound at most. */
export function cuesOf(step: Step): { readonly sound: Sound | null; readonly turn: boolean } {
  const turn =
    isMyTurn(step.after) && (!isMyTurn(step.before) || step.after.view?.turn_count !== step.before.view?.turn_count);
  if (step.how === "whole") return { sound: null, turn: turn && step.before.table !== null };
  const sameDeal = step.before.view?.deal === step.after.view?.deal;
  if (sameDeal && canastas(step.after) > canastas(step.before)) return { sound: "canasta", turn };
  const sounds = step.events.flatMap((event) => SOUNDS[event.event] ?? []);
  return { sound: sounds.at(-1) ?? null, turn };
}

interface Sentinel {
  release(): Promise<void>;
}

/** Keeps the screen on, where the browser can and the page is seen. */
export class Awake {
  private wanted = false;
  private held: Sentinel | null = null;

  constructor() {
    document.addEventListener("visibilitychange", this.seen);
  }

  want(wanted: boolean): void {
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    void this.adjust();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.seen);
    this.want(false);
  }

  private readonly seen = (): void => {
    // The browser takes the lock back from a page that nobody sees.
    if (document.visibilityState === "hidden") this.held = null;
    else void this.adjust();
  };

  private async adjust(): Promise<void> {
    const lock = "wakeLock" in navigator ? navigator.wakeLock : null;
    if (!lock) return;
    try {
      if (this.wanted && this.held === null && document.visibilityState === "visible") {
        const held = await lock.request("screen");
        if (this.wanted) this.held = held;
        else await held.release();
      } else if (!this.wanted && this.held !== null) {
        const { held } = this;
        this.held = null;
        await held.release();
      }
    } catch {
      // Low battery, or no permission: the screen may go off.
    }
  }
}
