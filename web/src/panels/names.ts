// What seats and sides are called, seen from the one who looks.
import { list, t } from "../core/i18n";
import type { SeatState, TableState, You } from "../protocol";
import type { Side } from "./types";

export type Relation = "you" | "partner" | "opponent" | "none";

export function sideOf(seat: number): Side {
  return (seat % 2) as Side;
}

/** The side that is shown as ours: the own one, for spectators the one of seat 0. */
export function ourSide(you: You | null): Side {
  return you === null || you.seat === null ? 0 : sideOf(you.seat);
}

/** The two sides, ours first. */
export function sidesOf(you: You | null): readonly [Side, Side] {
  const ours = ourSide(you);
  return [ours, (1 - ours) as Side];
}

export function relation(seat: number, you: You | null): Relation {
  if (you === null || you.seat === null) return "none";
  if (seat === you.seat) return "you";
  return sideOf(seat) === sideOf(you.seat) ? "partner" : "opponent";
}

/** The name of who sits there. */
export function seatName(table: Pick<TableState, "seats">, seat: number): string {
  const one: SeatState | undefined = table.seats[seat];
  if (one?.kind === "person") return one.name;
  if (one?.kind === "bot") return t("web.panel.bot_name", { n: seat + 1 });
  return t("web.panel.seat_name", { n: seat + 1 });
}

/** The name, or "You". */
export function seatLabel(table: Pick<TableState, "seats">, seat: number, you: You | null): string {
  return you !== null && you.seat === seat ? t("web.panel.you") : seatName(table, seat);
}

/** Names in a row as the language joins them. */
export function seatNames(table: Pick<TableState, "seats">, seats: readonly number[], you: You | null = null): string {
  return list(seats.map((seat) => seatLabel(table, seat, you)));
}

export function seatsOfSide(table: Pick<TableState, "seats">, side: Side): readonly SeatState[] {
  return table.seats.filter((one) => sideOf(one.seat) === side);
}

/** "We" and "They" for a player with a partner, the names for those who watch or play alone. */
export function sideName(table: Pick<TableState, "seats">, side: Side, you: You | null): string {
  const seats = seatsOfSide(table, side);
  if (you !== null && you.seat !== null) {
    if (seats.length > 1) return side === sideOf(you.seat) ? t("web.panel.we") : t("web.panel.they");
    if (side === sideOf(you.seat)) return t("web.panel.you");
  }
  return list(seats.map((one) => seatName(table, one.seat)));
}

/** The letter that means a person in a round mark. */
export function initial(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? "?";
}

export { levelName } from "../core/server-info";
