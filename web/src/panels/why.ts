// Which moves of the log the server explains: those of bots in deals that are over, and of a bot in the own seat at once.
import type { Event, ReasonText, TableState, You } from "../protocol";
import type { LogEntry } from "./types";

const MOVES: ReadonlySet<Event["event"]> = new Set<Event["event"]>([
  "drew",
  "card_drawn",
  "first_card_kept",
  "first_card_rejected",
  "pile_taken",
  "meld_laid",
  "card_added",
  "discarded",
]);

/** The keys of the entries that can be explained. What was done before the log begins is not known. */
export function explainable(log: readonly LogEntry[], table: TableState, you: You | null): ReadonlySet<number> {
  const found = new Set<number>();
  // In a lesson bots do what its script says: nobody thought about it.
  if (you === null || you.seat === null || table.lesson) return found;
  const bots = new Set(table.seats.filter((one) => one.kind === "bot").map((one) => one.seat));
  const standIns = new Set<number>();
  let waiting: number[] = [];
  for (const { key, event } of log) {
    if (event.event === "bot_took_over") standIns.add(event.seat);
    else if (event.event === "seat_taken_back") standIns.delete(event.seat);
    else if (event.event === "deal_ended" || event.event === "match_result") {
      for (const one of waiting) found.add(one);
      waiting = [];
    } else if (MOVES.has(event.event) && "seat" in event) {
      const seat = event.seat as number;
      if (!bots.has(seat) && !standIns.has(seat)) continue;
      if (seat === you.seat) found.add(key);
      else waiting.push(key);
    }
  }
  return found;
}

/** A reason as it stands around the cards that it names, which are drawn. */
export function reasonParts({ text, values }: Pick<ReasonText, "text" | "values">): {
  readonly before: string;
  readonly cards: readonly string[];
  readonly after: string;
} {
  const cards = typeof values.cards === "string" ? values.cards : "";
  const at = cards === "" ? -1 : text.indexOf(cards);
  if (at < 0) return { before: text, cards: [], after: "" };
  return { before: text.slice(0, at), cards: cards.split(" "), after: text.slice(at + cards.length) };
}
