// Who agrees to what, and whose word is still missing. The server alone decides; this is for the words.
import type { SeatState, TableState } from "../protocol";
import { sideOf } from "./names";

export type Offer = "draw" | "rematch" | "resign";

const plays = (seat: SeatState): boolean => seat.kind === "person" && seat.played_by_bot === "";

/** The seats whose word counts, as the server says; with giving up those of the own side, for a spectator all. */
function askedSeats(table: TableState, offer: Offer, ownSeat: number | null): readonly number[] {
  const { offers } = table;
  if (offer === "draw") return offers.draw_asked;
  if (offer === "rematch") return offers.rematch_asked;
  return ownSeat === null ? offers.resign_asked.flat() : offers.resign_asked[sideOf(ownSeat)];
}

/** The seats that agree; with giving up, of the own side only. */
export function agreeing(table: TableState, offer: Offer, ownSeat: number | null): readonly number[] {
  const asked = askedSeats(table, offer, ownSeat);
  return table.offers[offer].filter((seat) => asked.includes(seat));
}

/** The seats whose word is missing. */
export function missingSeats(table: TableState, offer: Offer, ownSeat: number | null): readonly number[] {
  return askedSeats(table, offer, ownSeat).filter((seat) => !table.offers[offer].includes(seat));
}

/** Whether a match is on. */
export function isRunning(table: TableState): boolean {
  return table.phase === "shuffling" || table.phase === "playing" || table.phase === "between";
}

/** Whether every person of the other side is gone, so that the match may be claimed in a while. */
export function othersGone(table: TableState, ownSeat: number): boolean {
  const people = table.seats.filter((seat) => seat.kind === "person" && sideOf(seat.seat) !== sideOf(ownSeat));
  return people.length > 0 && people.every((seat) => seat.played_by_bot !== "");
}

/** What others offer and the own seat has not answered. */
export function openOffers(table: TableState, ownSeat: number | null): readonly Offer[] {
  if (ownSeat === null) return [];
  const own = table.seats[ownSeat];
  if (own === undefined || !plays(own)) return [];
  return (["draw", "resign"] as const).filter(
    (offer) => isRunning(table) && agreeing(table, offer, ownSeat).length > 0 && !table.offers[offer].includes(ownSeat),
  );
}
