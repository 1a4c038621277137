// What the live region says: each public event once, and a summary where many come at once.
import { t } from "../core/i18n";
import type { View } from "../protocol";
import { QUIET, chatWords, eventText, type Context } from "./events";
import { drawIsTold } from "./history";
import type { LogEntry } from "./types";

/** With more new events at once the region tells how many there were, and the last one. */
export const AT_ONCE_MAX = 8;

function text(entry: LogEntry, context: Context): string {
  const { event } = entry;
  if (QUIET.has(event.event)) return "";
  if (event.event === "chat_said") {
    const { line } = event;
    if (line.member === context.you?.member || context.you?.muted.includes(line.member)) return "";
    return t("web.panel.chat.quoted", { name: line.name, words: chatWords(line) });
  }
  // The card that the own seat drew is told by the next event.
  if (event.event === "drew" && event.seat === context.you?.seat && !event.may_reject) return "";
  return eventText(event, context);
}

/** The sentences for what came after the entry `afterKey`; `caughtUp` of the last entries came at once. */
export function announcements(
  log: readonly LogEntry[],
  afterKey: number,
  context: Context,
  caughtUp = 0,
): readonly string[] {
  const fresh = log.filter((entry) => entry.key > afterKey);
  const texts = fresh
    .filter((entry, index) => !drawIsTold(entry, fresh[index + 1]))
    .map((entry) => text(entry, context))
    .filter((one) => one !== "");
  if (texts.length <= (caughtUp > AT_ONCE_MAX ? 1 : AT_ONCE_MAX)) return texts;
  return [t("web.panel.announce.summary", { n: texts.length }), ...texts.slice(-1)];
}

/** The key of the last entry, -1 for an empty log. */
export function lastKey(log: readonly LogEntry[]): number {
  return log.at(-1)?.key ?? -1;
}

/** What the own turn begins with: that it is, and what has to be done. */
export function turnText(view: View): string {
  const need = view.legal?.duties.map((duty) => duty.text).join(" ") ?? "";
  return t("web.panel.announce.turn", { need }).trim();
}
