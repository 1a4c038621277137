// The player's own part of each shuffle: 32 random bytes, given as soon as the server has committed to its own. Who cuts
// may say first how many cards to lift.
import type { TableState, You } from "../protocol";
import { ruleNumber } from "./rule-fields";
import type { Ask } from "./socket";

/** So long before the time for seeds is up the seed is given, whether the cutter has chosen or not. */
export const SPARE_MS = 600;

/** What may still be said about the cut of the coming deal; null where it is not ours to say. */
export interface Cut {
  readonly deal: number;
  readonly untilMs: number;
  /** The most cards that may be lifted. */
  readonly most: number;
  /** The number that the rules pay for. */
  readonly paid: number;
  readonly points: number;
}

const isMine = (table: TableState, you: You | null): boolean =>
  you !== null && you.seat !== null && table.seats[you.seat]?.kind === "person";

export function cutOf(table: TableState | null, you: You | null): Cut | null {
  const fair = table?.fair;
  const seat = you?.seat ?? null;
  if (!table || !fair || fair.until_ms === null || !isMine(table, you) || fair.cutter !== seat) return null;
  if (table.cut_max === null) return null;
  if (seat === null || fair.seeds_from.includes(seat)) return null;
  return {
    deal: fair.deal,
    untilMs: fair.until_ms,
    most: table.cut_max,
    paid: ruleNumber(table, "cut_bonus_count"),
    points: ruleNumber(table, "cut_bonus"),
  };
}

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (one) => one.toString(16).padStart(2, "0")).join("");
}

export class SeedGiver {
  /** What the cutter wants to lift; null for what the rules pay for. */
  aim: number | null = null;
  private given = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: Ask) {}

  /** Look at the table: give the seed where it is wanted, for a cut a little later. */
  look(table: TableState | null, you: You | null, nowMs: number): void {
    const fair = table?.fair;
    if (!table || !fair || fair.until_ms === null || !isMine(table, you)) return;
    if (you?.seat === null || you?.seat === undefined || fair.seeds_from.includes(you.seat)) return;
    const deal = `${table.match}.${fair.deal}.${fair.commitment}`;
    if (this.given === deal) return;
    this.given = deal;
    clearTimeout(this.timer);
    const wait = cutOf(table, you) ? fair.until_ms - SPARE_MS - nowMs : 0;
    if (wait <= 0) this.give(fair.deal, cutOf(table, you) !== null);
    else this.timer = setTimeout(() => this.give(fair.deal, true), wait);
  }

  /** The cutter has chosen: nothing is to be waited for any more. */
  cut(deal: number, aim: number): void {
    this.aim = aim;
    clearTimeout(this.timer);
    this.give(deal, true);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private give(deal: number, cuts: boolean): void {
    void this.ask("seed", { deal, seed: randomSeed(), ...(cuts && this.aim !== null ? { cut_aim: this.aim } : {}) });
  }
}
