// What a seat shows of who sits there.
import { list, t } from "../core/i18n";
import { levelName, seatName, sideOf, sidesOf } from "../panels/names";
import type { Presence, TableState, View, You } from "../protocol";

export interface SeatInfo {
  readonly seat: number;
  readonly kind: "person" | "bot" | "empty";
  readonly name: string;
  readonly ours: boolean;
  readonly own: boolean;
  readonly turn: boolean;
  readonly count: number | null;
  /** Their side has its morto. */
  readonly morto: boolean;
  /** A bot plays here, for itself or for somebody. */
  readonly bot: boolean;
  readonly away: boolean;
  /** Seconds in the bank of the clock; null without one. */
  readonly bank: number | null;
  /** A word about who is not there, or is ready. */
  readonly note: string;
  /** All of it, for the ear. */
  readonly label: string;
}

function noteOf(table: TableState, seat: number, away: boolean): string {
  const one = table.seats[seat];
  if (one?.played_by_bot) return t("web.table.seat.stand_in");
  if (away) return t("web.table.seat.away");
  return table.phase === "between" && one?.kind === "person" && one.ready ? t("web.table.seat.ready") : "";
}

function bankOf(table: TableState, seat: number): number | null {
  const ms = table.phase === "playing" ? (table.clocks.banks_ms?.[seat] ?? null) : null;
  return ms === null ? null : Math.ceil(ms / 1000);
}

function labelOf(info: Omit<SeatInfo, "label">, table: TableState, view: View | null): string {
  const one = table.seats[info.seat];
  const parts = [
    info.own ? t("web.panel.you") : info.name,
    ...(one?.kind === "bot" ? [levelName(one.level)] : []),
    ...(one?.bot_of ? [t("web.panel.bot_of", { name: one.bot_of })] : []),
    ...(info.turn ? [t("web.table.seat.turn")] : []),
    ...(info.count === null ? [] : [t("web.table.seat.cards", { n: info.count })]),
    ...(info.morto ? [t("web.table.seat.morto_taken")] : []),
    ...(view?.dealer === info.seat ? [t("web.table.seat.dealer")] : []),
    ...(info.note ? [info.note] : []),
  ];
  return list(parts);
}

/** A seat of the table as it is seen by one who looks. */
export function seatInfo(
  seat: number,
  table: TableState,
  you: You | null,
  view: View | null,
  presence: Presence | null,
): SeatInfo {
  const one = table.seats[seat];
  const kind = one?.kind ?? "empty";
  const playing = table.phase === "playing" && view !== null;
  const away = kind === "person" && presence !== null && (presence.away_since_ms[seat] ?? null) !== null;
  const side = sideOf(seat);
  const info = {
    seat,
    kind,
    name: seatName(table, seat),
    ours: side === sidesOf(you)[0],
    own: you?.seat === seat,
    turn: playing && view.turn_seat === seat,
    count: view?.hand_counts[seat] ?? null,
    morto: view?.mortos.some((morto) => morto.state === "side" && morto.side === side) ?? false,
    bot: kind === "bot" || Boolean(one?.played_by_bot) || Boolean(one?.bot_of),
    away,
    bank: bankOf(table, seat),
    note: noteOf(table, seat, away),
  };
  return { ...info, label: labelOf(info, table, view) };
}

/** The others in the order of play, from the one after us; for spectators everybody. */
export function otherSeats(table: TableState, you: You | null): readonly number[] {
  const own = you?.seat ?? null;
  const count = table.seats.length;
  if (own === null) return table.seats.map((one) => one.seat);
  return Array.from({ length: count - 1 }, (_, index) => (own + 1 + index) % count);
}
