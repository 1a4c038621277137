// Finished matches in words, seen from the one who played them.
import type { ResultInfo, Results } from "../../protocol";
import { api } from "../../core/http";
import { catalogueOf, language, list, t } from "../../core/i18n";
import { levelName } from "../../core/server-info";

/** How a match ended for the one who played it; `over` where they only read of it. */
export type Outcome = "won" | "lost" | "draw" | "nobody" | "over";

/** What the server calls somebody whose data was deleted. */
const DELETED = "(deleted)";

export const PAGE_COUNT = 20;

/** The side that is told first: the own one, else that of seat 0. */
const sideOf = (result: ResultInfo): 0 | 1 => (result.own_seat !== null && result.own_seat % 2 === 1 ? 1 : 0);

export function outcomeOf(result: ResultInfo): Outcome {
  if (result.winner === null) return result.kind === "abandoned" ? "nobody" : "draw";
  if (result.own_seat === null) return "over";
  return result.winner === result.own_seat % 2 ? "won" : "lost";
}

/** The totals, those of the side that is told first before the others. */
export function totalsOf(result: ResultInfo): readonly [number, number] {
  const side = sideOf(result);
  return [result.totals[side], result.totals[1 - side] ?? 0];
}

/** Whether the side that is told first won; null where none did. */
export function firstWon(result: ResultInfo): boolean | null {
  return result.winner === null ? null : result.winner === sideOf(result);
}

function sideNames(result: ResultInfo, side: number): string {
  const names: string[] = [];
  const bots = new Map<string, number>();
  result.names.forEach((name, seat) => {
    if (seat % 2 !== side) return;
    const level = result.bots[seat] ?? "";
    if (level !== "") bots.set(level, (bots.get(level) ?? 0) + 1);
    else if (seat === result.own_seat) names.unshift(t("web.panel.you"));
    else names.push(name === DELETED ? t("web.games.deleted") : name);
  });
  for (const [level, n] of bots) names.push(t("web.games.bots", { n, level: levelName(level) }));
  return list(names);
}

/** Who played against whom. */
export function playersOfResult(result: ResultInfo): string {
  const side = sideOf(result);
  return t("web.games.against", { us: sideNames(result, side), them: sideNames(result, 1 - side) });
}

/** A moment as the language writes it, with the day. */
export function momentText(ms: number): string {
  // Asked first, so that what is shown follows the language.
  t("web.games.title");
  return new Intl.DateTimeFormat(catalogueOf(language.get()), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

export function recordPath(result: ResultInfo): string {
  return `/api/tables/${result.table}/records/${result.match}`;
}

export const keyOf = (result: ResultInfo): string => `${result.table}/${result.match}`;

export interface History {
  readonly results: readonly ResultInfo[];
  /** There are older ones. */
  readonly more: boolean;
}

/** My finished matches, the newest first: those that are known already, and the next page of older ones. */
export async function moreHistory(known: readonly ResultInfo[] = []): Promise<History> {
  const last = known.at(-1);
  // Of matches that ended in the same moment some may be known: they are asked for again and left out.
  const before = last === undefined ? "" : `&before_ms=${last.ended_ms + 1}`;
  const have = new Set(known.map(keyOf));
  const same = known.filter((one) => one.ended_ms === last?.ended_ms).length;
  const asked = PAGE_COUNT + same;
  const { results } = await api<Results>("GET", `/api/me/history?limit=${asked}${before}`);
  const fresh = results.filter((one) => !have.has(keyOf(one)));
  return { results: [...known, ...fresh], more: results.length === asked && fresh.length > 0 };
}
