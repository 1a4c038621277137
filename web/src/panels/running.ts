// What lies on the table in figures, from the melds of the view as the server has valued them.
import type { View } from "../protocol";
import { CATEGORIES } from "./sheet";
import type { Side } from "./types";

export interface Running {
  readonly side: Side;
  /** The values of the cards in melds. */
  readonly cards: number;
  readonly bonus: number;
  readonly sum: number;
  readonly canastas: readonly { readonly category: string; readonly count: number }[];
  /** Cards of the longest meld that is no canasta yet. */
  readonly longest: number;
  readonly mortos: number;
  readonly opened: boolean;
  /** Points that the opening needs, 0 for none. */
  readonly need: number;
  /** Points of this turn's melds towards it. */
  readonly laid: number;
  /** Match points before this deal. */
  readonly total: number;
}

export function running(view: View, side: Side): Running {
  const melds = view.melds[side];
  const cards = melds.reduce((sum, meld) => sum + meld.points, 0);
  const bonus = melds.reduce((sum, meld) => sum + meld.bonus, 0);
  const counts = new Map<string, number>();
  for (const meld of melds)
    if (meld.category !== "plain") counts.set(meld.category, (counts.get(meld.category) ?? 0) + 1);
  const known = CATEGORIES.filter((category) => counts.has(category));
  const others = [...counts.keys()].filter((category) => !known.some((one) => one === category));
  const plain = melds.filter((meld) => meld.category === "plain").map((meld) => meld.cards.length);
  const turnSide = view.turn_seat === null ? null : view.turn_seat % 2;
  return {
    side,
    cards,
    bonus,
    sum: cards + bonus,
    canastas: [...known, ...others].map((category) => ({ category, count: counts.get(category) ?? 0 })),
    longest: Math.max(0, ...plain),
    mortos: view.mortos.filter((morto) => morto.state === "side" && morto.side === side).length,
    opened: view.opened[side],
    need: view.opening_need[side],
    laid: turnSide === side ? view.laid_points : 0,
    total: view.totals[side],
  };
}
