// The log by turns: what belongs to a turn stands together, what nobody needs stays out.
import type { Event, You } from "../protocol";
import { QUIET } from "./events";
import type { LogEntry } from "./types";

type EventName = Event["event"];

export interface LogGroup {
  /** The key of its first entry. */
  readonly key: number;
  readonly atMs: number;
  /** Whose turn it is; null for what happens to the table itself. */
  readonly seat: number | null;
  readonly entries: readonly LogEntry[];
}

const TURN: ReadonlySet<EventName> = new Set<EventName>([
  "drew",
  "card_drawn",
  "first_card_kept",
  "first_card_rejected",
  "pile_taken",
  "pile_rest_seen",
  "meld_laid",
  "card_added",
  "discarded",
  "morto_taken",
  "morto_seen",
  "opening_failed",
  "stock_refilled",
  "undone",
  "turn_ended",
]);

/** Whether a line of the log is worth its place. Chat has a panel of its own. */
export function isShown(entry: LogEntry, you: You | null, details: boolean): boolean {
  const { event } = entry;
  if (event.event === "chat_said") return false;
  if (details) return true;
  if (QUIET.has(event.event)) return false;
  // The card that the own seat drew is told right after.
  if (event.event === "drew") return you === null || you.seat !== event.seat;
  return !(event.event === "match_result" && event.result.kind === "played");
}

/** Whether a draw is told by the next entry, with its card: of the own seat, or where the hands lie open. */
export function drawIsTold(entry: LogEntry, next: LogEntry | undefined): boolean {
  const { event } = entry;
  const told = next?.event;
  return event.event === "drew" && told?.event === "card_drawn" && told.seat === event.seat;
}

/** The entries that are shown, the oldest first, those of a turn together. */
export function groupByTurn(log: readonly LogEntry[], you: You | null, details = false): readonly LogGroup[] {
  const groups: { key: number; atMs: number; seat: number | null; entries: LogEntry[] }[] = [];
  let open: number | null = null;
  let fresh = true;
  for (const [index, entry] of log.entries()) {
    const { event } = entry;
    const seat = TURN.has(event.event) && "seat" in event ? (event.seat as number) : null;
    if (seat !== null && seat !== open) {
      open = seat;
      fresh = true;
    }
    if (isShown(entry, you, details) && (details || !drawIsTold(entry, log[index + 1]))) {
      const last = groups.at(-1);
      if (last === undefined || fresh || last.seat !== open) {
        groups.push({ key: entry.key, atMs: entry.atMs, seat: open, entries: [entry] });
        fresh = false;
      } else last.entries.push(entry);
    }
    if (event.event === "turn_ended" || event.event === "deal_ended" || event.event === "deal_started") {
      open = null;
      fresh = true;
    }
  }
  return groups;
}
