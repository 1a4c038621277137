// A table of the lobby in words.
import type { TableSummary } from "../protocol";
import { list, t } from "./i18n";

/** The people at a table by name, and how many seats bots have. */
export function whoSits(table: TableSummary): string {
  const names = table.seats.filter((seat) => seat.kind === "person").map((seat) => seat.name);
  const bots = table.seats.filter((seat) => seat.kind === "bot").length;
  if (bots > 0) names.push(t("web.home.bot_count", { n: bots }));
  return names.length === 0 ? t("web.home.nobody") : list(names);
}

export function freeSeats(table: TableSummary): number {
  return table.seats.filter((seat) => seat.kind === "empty").length;
}

export function phaseWords(table: TableSummary): string {
  if (table.phase === "open") return t("web.home.free_seats", { n: freeSeats(table) });
  return t(`web.home.phase.${table.phase}`);
}
