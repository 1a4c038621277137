// The numbering of actions (docs/architecture.md): which cards an action id is about. No rule is told by it.
import { RANKS } from "./cards";

export const DRAW = 0;
export const TAKE_PILE = 1;
export const KEEP = 2;
export const REJECT = 3;
const DISCARD_FIRST = 4;
const RUN_FIRST = 57;
const RUNS_PER_SUIT = 2655;
const SET_FIRST = 10_677;
const SETS_PER_RANK = 446;
const ADD_FIRST = 16_029;
const ADDS_PER_MELD = 171;
const HIGH_ACE_FIRST = 159;
const ACTION_END = 22_185;
const SUIT_LETTERS = "cdhs";
const JOKER = 52;

type ActionKind = "draw" | "pile" | "keep" | "reject" | "discard" | "lay" | "add";

export interface ActionCards {
  readonly kind: ActionKind;
  /** The cards of the hand that it takes; a meld's in the order in which they lie. */
  readonly cards: readonly string[];
  /** For an addition the number of the meld from 1. */
  readonly meld: number | null;
}

function cardOf(number: number): string {
  if (number === JOKER) return "X";
  return `${RANKS[number % 13] ?? ""}${SUIT_LETTERS[Math.floor(number / 13)] ?? ""}`;
}

function numberOf(card: string): number {
  if (card === "X") return JOKER;
  return SUIT_LETTERS.indexOf(card[1] ?? "") * 13 + RANKS.indexOf(card[0] ?? "");
}

/** The action that discards a card. */
export function discardAction(card: string): number {
  return DISCARD_FIRST + numberOf(card);
}

function runCards(action: number): readonly string[] {
  const suit = Math.floor((action - RUN_FIRST) / RUNS_PER_SUIT);
  let rest = (action - RUN_FIRST) % RUNS_PER_SUIT;
  for (let low = 1; low <= 12; low += 1) {
    for (let high = low + 2; high <= 14; high += 1) {
      // Without a wild, then one of five wilds in each place; a 2 of the suit in its own place is none.
      const own = low <= 2 ? 1 : 0;
      const shapes = 1 + 5 * (high - low + 1) - own;
      if (rest >= shapes) {
        rest -= shapes;
        continue;
      }
      const slots = Array.from({ length: high - low + 1 }, (_, index) => low + index);
      const wilds = slots.flatMap((slot) => [0, 1, 2, 3, 4].map((wild) => ({ slot, wild })));
      const shape = rest === 0 ? undefined : wilds.filter(({ slot, wild }) => slot !== 2 || wild !== 0)[rest - 1];
      return slots.map((slot) => {
        if (slot !== shape?.slot) return cardOf(suit * 13 + ((slot - 1) % 13));
        return shape.wild === 4 ? "X" : cardOf(((suit + shape.wild) % 4) * 13 + 1);
      });
    }
  }
  return [];
}

function setCards(action: number): readonly string[] {
  const place = Math.floor((action - SET_FIRST) / SETS_PER_RANK);
  let rest = (action - SET_FIRST) % SETS_PER_RANK;
  const rank = place === 0 ? 0 : place + 1;
  for (let number = 0; number < 81; number += 1) {
    const counts = [1, 3, 9, 27].map((power) => Math.floor(number / power) % 3);
    const sum = counts.reduce((one, other) => one + other, 0);
    for (let wild = 0; wild < 6; wild += 1) {
      if (sum < (wild === 0 ? 3 : 2)) continue;
      if (rest > 0) {
        rest -= 1;
        continue;
      }
      const naturals = counts.flatMap((count, suit) => Array<string>(count).fill(cardOf(suit * 13 + rank)));
      const wilds = wild === 0 ? [] : [wild === 5 ? "X" : cardOf((wild - 1) * 13 + 1)];
      return [...naturals, ...wilds];
    }
  }
  return [];
}

/** What an action is about; null for a number that is none. */
export function actionCards(action: number): ActionCards | null {
  if (!Number.isInteger(action) || action < 0 || action >= ACTION_END) return null;
  const plain = (["draw", "pile", "keep", "reject"] as const)[action];
  if (plain) return { kind: plain, cards: [], meld: null };
  if (action < RUN_FIRST) return { kind: "discard", cards: [cardOf(action - DISCARD_FIRST)], meld: null };
  if (action < SET_FIRST) return { kind: "lay", cards: runCards(action), meld: null };
  if (action < ADD_FIRST) return { kind: "lay", cards: setCards(action), meld: null };
  const rest = (action - ADD_FIRST) % ADDS_PER_MELD;
  const card = rest >= HIGH_ACE_FIRST ? Math.floor((rest - HIGH_ACE_FIRST) / 3) * 13 : Math.floor(rest / 3);
  return { kind: "add", cards: [cardOf(card)], meld: Math.floor((action - ADD_FIRST) / ADDS_PER_MELD) + 1 };
}
