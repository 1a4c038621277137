// The fields of house rules as the server tells them, in the words of the page.
import { number, t } from "../core/i18n";
import type { RuleFieldSpec } from "../protocol";
import { sameValue, type FieldValue } from "./house";

/** The rows of which a pack takes some letters. */
export const SUIT_ROW = "cdhs";
export const RANK_ROW = "A23456789TJQK";

/** A rank as people write it. */
export function rankText(rank: string): string {
  return rank === "T" ? "10" : rank;
}

/** A value of a field in words; of one that makes no sense what was typed. */
export function valueWords(spec: RuleFieldSpec, value: unknown): string {
  if (value === null) return spec.absent;
  if (typeof value === "boolean") return t(value ? "web.word.on" : "web.word.off");
  const chosen = spec.choices.find((one) => sameValue(one.value, value));
  if (chosen !== undefined) return chosen.text;
  if (typeof value === "number")
    return spec.unit ? `${number(value)} ${t(`web.house.unit.${spec.unit}`)}` : number(value);
  const text = String(value);
  if (spec.kind === "suits") return [...text].map((suit) => t(`suit.${suit}`)).join(", ");
  if (spec.kind === "ranks") return [...text].map(rankText).join(" ");
  return text;
}

/** The ranks from one to another of the row, in whichever order they are given. */
export function ranksBetween(one: string, other: string): string {
  const [low = 0, high = 0] = [RANK_ROW.indexOf(one), RANK_ROW.indexOf(other)].sort((a, b) => a - b);
  return RANK_ROW.slice(low, high + 1);
}

/** The suits of the row with one more or one less. */
export function suitsWith(suits: string, suit: string, there: boolean): string {
  return [...SUIT_ROW].filter((one) => (one === suit ? there : suits.includes(one))).join("");
}

/** What was typed as a number: the number, or the text where it is none, which the server then names. */
export function typedNumber(text: string): FieldValue {
  const typed = text.trim();
  return /^-?\d{1,9}$/.test(typed) ? Number(typed) : typed;
}
