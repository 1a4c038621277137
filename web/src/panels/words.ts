// Times, points and cards in running text.
import { cardLabel } from "../core/cards";
import { direction, has, number, t } from "../core/i18n";

/** A time in short words: "45 s", "5 min", "2 h". */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120 && seconds % 60 !== 0) return t("web.panel.seconds", { n: seconds });
  if (seconds < 60) return t("web.panel.seconds", { n: seconds });
  if (seconds < 7200) return t("web.panel.minutes", { n: roundHalf(seconds / 60) });
  return t("web.panel.hours", { n: roundHalf(seconds / 3600) });
}

function roundHalf(value: number): number {
  return Math.round(value * 2) / 2;
}

/** Seconds that are left until a moment of the server's clock, never below 0. `skewMs` is server time minus ours. */
export function secondsLeft(untilMs: number, nowMs: number, skewMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs - skewMs) / 1000));
}

/** Minutes and seconds: "0:07", "12:30". */
export function clockText(seconds: number): string {
  const rest = String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

/** A sign stands before its number also where one reads from right to left. */
const withSign = (sign: string, value: number): string =>
  `${direction.get() === "rtl" ? "\u200E" : ""}${sign}${number(value)}`;

/** Points with their sign and a real minus. */
export function signed(points: number): string {
  return points > 0 ? withSign("+", points) : plain(points);
}

/** Points with a real minus. */
export function plain(points: number): string {
  return points < 0 ? withSign("−", -points) : number(points);
}

/** What a meld is, such as a clean canasta; a category that the page does not know keeps its own name. */
export function categoryText(category: string): string {
  const key = `category.${category}`;
  return has(key) ? t(key) : category;
}

/** Cards for the ear, in words. */
export function cardsLabel(cards: readonly string[], wild: number | null = null): string {
  return cards
    .map((card, index) => (index === wild ? t("web.panel.wild_card", { card: cardLabel(card) }) : cardLabel(card)))
    .join(t("web.panel.and"));
}
