// The tables that can be watched, as their page shows them.
import { durationText } from "../panels/words";
import type { TableSummary } from "../protocol";
import { t } from "../core/i18n";

/** The tables that are being played and may be watched: those that most people watch first, then the newest. */
export function watchable(tables: readonly TableSummary[]): TableSummary[] {
  return tables
    .filter((table) => table.phase !== "open" && table.phase !== "closed" && table.spectators)
    .sort((one, other) => other.spectator_count - one.spectator_count || other.created_ms - one.created_ms);
}

/** How many watch, and how much later they see it. */
export function watchersWords(table: TableSummary): string {
  const words: string[] = [];
  if (table.spectator_count > 0) words.push(t("web.watching.watchers", { n: table.spectator_count }));
  words.push(
    table.spectator_delay_ms > 0
      ? t("web.watching.later", { time: durationText(table.spectator_delay_ms) })
      : t("web.watching.live"),
  );
  return words.join(" · ");
}
