// Cards as the protocol writes them: rank and suit (`7h`, `Tc`), `X` for a joker.
import { t } from "./i18n";
import type { IndexLetters } from "./settings";

export type Suit = "s" | "h" | "c" | "d";

export interface Face {
  /** `A`, `2` … `9`, `T`, `J`, `Q`, `K`, or `X`. */
  readonly rank: string;
  readonly suit: Suit | null;
}

export const RANKS = "A23456789TJQK";
/** The order of suits in a sorted hand. */
export const SUITS: readonly Suit[] = ["s", "h", "c", "d"];

/** The symbols, which the font of the suits draws. */
export const SUIT_SYMBOLS: Readonly<Record<Suit | "x", string>> = { s: "♠", h: "♥", c: "♣", d: "♦", x: "♛" };

/** Outlines in a box of 24 units, from which `scripts/suit_font.py` makes the font of the suits. */
export const SUIT_PATHS: Readonly<Record<Suit | "x", string>> = {
  s: "M12 1.5c4.2 4.6 9.8 8 9.8 12.7 0 2.9-2.2 4.8-4.7 4.8-1.6 0-3-.7-3.9-2 .2 2.4.9 4 2.5 5.5H8.3c1.6-1.5 2.3-3.1 2.5-5.5-.9 1.3-2.3 2-3.9 2-2.5 0-4.7-1.9-4.7-4.8C2.2 9.5 7.8 6.1 12 1.5Z",
  h: "M12 21.5C5 15.6 1.5 12 1.5 7.8 1.5 4.6 4 2.2 7 2.2c2.1 0 3.9 1.1 5 2.9 1.1-1.8 2.9-2.9 5-2.9 3 0 5.5 2.4 5.5 5.6 0 4.2-3.5 7.8-10.5 13.7Z",
  c: "M12 1.5a4.9 4.9 0 0 1 4.4 7.1 4.9 4.9 0 1 1-3.2 8c.2 2.5.9 4.3 2.5 5.9H8.3c1.6-1.6 2.3-3.4 2.5-5.9a4.9 4.9 0 1 1-3.2-8A4.9 4.9 0 0 1 12 1.5Z",
  d: "M12 1.2 20.6 12 12 22.8 3.4 12Z",
  x: "M3 20.5h18v2H3ZM3.5 19 1.3 7.5l4.6 3.7L8.4 3.2 12 9l3.6-5.8 2.5 8 4.6-3.7L20.5 19Z",
};

/** Ace, jack, queen and king as the decks of a country print them. Each letter is in the bundled index font. */
export const LETTERS: Readonly<Record<IndexLetters, string>> = {
  int: "AJQK",
  ru: "ТВДК",
  it: "AFDR",
  bg: "АВДП",
  fr: "1VDR",
  de: "ABDK",
};

export function parseCard(card: string): Face {
  if (card === "X") return { rank: "X", suit: null };
  return { rank: card[0] ?? "", suit: (card[1] ?? "s") as Suit };
}

/** What stands in the corner of the card; empty for a joker, which has a word of its own. */
export function indexText(rank: string, letters: IndexLetters): string {
  if (rank === "X") return "";
  if (rank === "T") return "10";
  const place = "AJQK".indexOf(rank);
  return place < 0 ? rank : (LETTERS[letters][place] ?? rank);
}

/** A card in few letters, for running text: `10♥`, `★`. */
export function cardText(card: string, letters: IndexLetters = "int"): string {
  const { rank, suit } = parseCard(card);
  return suit === null ? "★" : `${indexText(rank, letters)}${SUIT_SYMBOLS[suit]}`;
}

/** A card in words of the language, for those who hear it. */
export function cardLabel(card: string): string {
  const { rank, suit } = parseCard(card);
  if (suit === null) return t("web.card.joker");
  return t("web.card.of", { rank: t(`web.card.rank.${rank}`), suit: t(`web.card.suit.${suit}`) });
}

/** Where a card stands in a hand sorted by suit (♠ ♥ ♣ ♦, in each A 2 … K) or by rank; jokers come last. */
function sortKey(card: string, by: "suit" | "rank"): number {
  const { rank, suit } = parseCard(card);
  if (suit === null) return 1000;
  const suitIndex = SUITS.indexOf(suit);
  const rankIndex = RANKS.indexOf(rank);
  return by === "suit" ? suitIndex * 13 + rankIndex : rankIndex * 4 + suitIndex;
}

/** Sort cards, or things that carry one; equal cards keep their order. */
export function sortCards<T>(items: readonly T[], by: "suit" | "rank", cardOf: (item: T) => string): T[] {
  return [...items].sort((one, other) => sortKey(cardOf(one), by) - sortKey(cardOf(other), by));
}
