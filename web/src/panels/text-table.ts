// What the text version of the table can do, from what the server says is legal.
import { cardLabel, sortCards } from "../core/cards";
import { t } from "../core/i18n";
import type { ProbeOption, TableMeld, View } from "../protocol";
import { cardsLabel, categoryText } from "./words";

/** A card of the hand with a key of its own: twins are told apart by their number. */
export interface HandCard {
  readonly key: string;
  readonly card: string;
}

/** The hand in order, each card with its key. */
export function handCards(hand: readonly string[], by: "suit" | "rank"): readonly HandCard[] {
  const seen = new Map<string, number>();
  const keyed = sortCards(hand, by, (card) => card).map((card) => {
    const number = seen.get(card) ?? 0;
    seen.set(card, number + 1);
    return { key: `${card}#${number}`, card };
  });
  return keyed;
}

/** What is still chosen when the hand has changed. */
export function stillChosen(chosen: ReadonlySet<string>, hand: readonly HandCard[]): ReadonlySet<string> {
  return new Set(hand.filter((one) => chosen.has(one.key)).map((one) => one.key));
}

/** Choose a card, or no longer. */
export function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set(chosen.has(key) ? [...chosen].filter((one) => one !== key) : [...chosen, key]);
}

export function chosenCards(chosen: ReadonlySet<string>, hand: readonly HandCard[]): readonly string[] {
  return hand.filter((one) => chosen.has(one.key)).map((one) => one.card);
}

/** The cards of the hand that fit a meld alone, each once. */
export function fittingCards(view: View, meld: number): readonly string[] {
  return [...new Set((view.legal?.adds ?? []).filter((add) => add.meld === meld).map((add) => add.card))];
}

/** A word of a meld as the protocol writes it: a card, or a wild and what it stands for (`X=8h`). */
export function wordLabel(word: string): string {
  const [card = "", as] = word.split("=");
  return as === undefined
    ? cardLabel(card)
    : t("web.panel.text.stands_for", { card: cardLabel(card), as: cardLabel(as) });
}

/** One way in which chosen cards may lie. */
export function optionText(option: ProbeOption): string {
  const values = {
    cards: option.words.map(wordLabel).join(t("web.panel.and")),
    category: categoryText(option.category),
    points: t("web.panel.text.points", { n: option.points }),
    bonus: option.bonus,
  };
  return t(option.bonus > 0 ? "web.panel.text.choice_bonus" : "web.panel.text.choice", values);
}

/** What a meld is and counts, without its cards. */
export function meldText(meld: TableMeld): string {
  const values = {
    category: categoryText(meld.category),
    points: t("web.panel.text.points", { n: meld.points }),
    bonus: meld.bonus,
  };
  return t(meld.bonus > 0 ? "web.panel.text.meld_bonus" : "web.panel.text.meld_about", values);
}

/** The cards of a meld for the ear. */
export function meldLabel(meld: TableMeld): string {
  return meld.words.length > 0 ? meld.words.map(wordLabel).join(t("web.panel.and")) : cardsLabel(meld.cards, meld.wild);
}
