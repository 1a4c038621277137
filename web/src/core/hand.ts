// The order of the own hand: the player's, never the server's. Sorting and moving cards are no moves of the game.
import { sortCards } from "./cards";
import type { Keyed } from "./identity";

export type SortBy = "suit" | "rank";

/** The cards of the hand in the player's order; those that were not in it come to the right end. */
export function arrange(order: readonly string[], hand: readonly Keyed[]): readonly Keyed[] {
  const byKey = new Map(hand.map((one) => [one.key, one]));
  const kept = order.flatMap((key) => byKey.get(key) ?? []);
  const known = new Set(order);
  return [...kept, ...hand.filter((one) => !known.has(one.key))];
}

/** Sort: by suit ♠ ♥ ♣ ♦ and in each A 2 … K, or by rank and in each by suit; jokers last. */
export function sorted(hand: readonly Keyed[], by: SortBy): readonly Keyed[] {
  return sortCards(hand, by, (one) => one.card);
}

/** Move cards together, so that the first of them stands at `index` among the others. */
export function moved(hand: readonly Keyed[], keys: ReadonlySet<string>, index: number): readonly Keyed[] {
  const rest = hand.filter((one) => !keys.has(one.key));
  const at = Math.max(0, Math.min(index, rest.length));
  return [...rest.slice(0, at), ...hand.filter((one) => keys.has(one.key)), ...rest.slice(at)];
}

/** The index for `moved` at which cards come to stand before one of the hand, or with null at its end. */
export function indexBefore(hand: readonly Keyed[], keys: ReadonlySet<string>, before: string | null): number {
  const at = hand.findIndex((one) => one.key === before);
  return hand.slice(0, at < 0 ? hand.length : at).filter((one) => !keys.has(one.key)).length;
}

/** Put a hand in the order of faces that was kept; what is not among them comes to the right end. */
export function inKeptOrder(faces: readonly string[], hand: readonly Keyed[]): readonly Keyed[] {
  const rest = [...hand];
  const found = faces.flatMap((face) => {
    const at = rest.findIndex((one) => one.card === face);
    return at < 0 ? [] : rest.splice(at, 1);
  });
  return [...found, ...rest];
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export const HANDS_KEY = "buraco.hand.";
/** For how many tables orders are kept, the newest ones. */
export const HANDS_MAX = 12;

interface KeptHand {
  readonly deal: string;
  readonly cards: readonly string[];
  readonly by: SortBy;
  readonly atMs: number;
}

/** Where the order of the hand outlives the page; without storage nothing is kept. */
export class HandMemory {
  constructor(
    private readonly storage: Storage | undefined,
    private readonly table: string,
  ) {}

  /** The order that was kept for a deal, null without one. */
  load(deal: string): KeptHand | null {
    const kept = this.read(HANDS_KEY + this.table);
    return kept?.deal === deal ? kept : null;
  }

  save(deal: string, cards: readonly string[], by: SortBy): void {
    const kept: KeptHand = { deal, cards, by, atMs: Date.now() };
    try {
      this.storage?.setItem(HANDS_KEY + this.table, JSON.stringify(kept));
      this.tidy();
    } catch {
      // A full or forbidden storage: the order lives as long as the page.
    }
  }

  private read(key: string): KeptHand | null {
    try {
      const kept = JSON.parse(this.storage?.getItem(key) ?? "null") as Partial<KeptHand> | null;
      if (typeof kept?.deal !== "string" || !Array.isArray(kept.cards)) return null;
      const by = kept.by === "rank" ? "rank" : "suit";
      return { deal: kept.deal, cards: kept.cards.map(String), by, atMs: Number(kept.atMs) || 0 };
    } catch {
      return null;
    }
  }

  private tidy(): void {
    const { storage } = this;
    if (!storage) return;
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    const own = keys.filter((key) => key.startsWith(HANDS_KEY));
    const byAge = own.sort((one, other) => (this.read(other)?.atMs ?? 0) - (this.read(one)?.atMs ?? 0));
    for (const key of byAge.slice(HANDS_MAX)) storage.removeItem(key);
  }
}
