// The protocol names cards by face. Here each card that is seen gets a key of its own, which follows it from the hand to
// a meld or the pile, so that a view can move one and the same element.

export interface Keyed {
  readonly key: string;
  readonly card: string;
}

/** The cards of each place: `hand`, `pile`, `meld-0-3` (side 0, meld 3). */
export type Zones = ReadonlyMap<string, readonly Keyed[]>;

export interface Place {
  readonly zone: string;
  readonly cards: readonly string[];
}

export interface Followed {
  readonly zones: Zones;
  /** Keys of cards that were not seen before. */
  readonly came: readonly string[];
  /** Keys that are seen no longer, with the place where they were. */
  readonly gone: ReadonlyMap<string, string>;
}

interface Loose extends Keyed {
  readonly zone: string;
}

/** Give every card of the new places a key: its old one where such a card was there before, else a new one. */
export function follow(
  before: Zones,
  places: readonly Place[],
  preferred: ReadonlySet<string>,
  newKey: () => string,
): Followed {
  const kept = new Map<string, (Keyed | null)[]>();
  const loose: Loose[] = [];
  for (const { zone, cards } of places) kept.set(zone, keep(before.get(zone) ?? [], cards, preferred));
  for (const [zone, keyed] of before) {
    const stays = new Set(kept.get(zone)?.map((one) => one?.key));
    for (const one of keyed) if (!stays.has(one.key)) loose.push({ ...one, zone });
  }
  loose.sort((one, other) => Number(preferred.has(other.key)) - Number(preferred.has(one.key)));
  const came: string[] = [];
  const zones = new Map<string, readonly Keyed[]>();
  for (const { zone, cards } of places) {
    const slots = kept.get(zone) ?? [];
    zones.set(
      zone,
      cards.map((card, index) => {
        const same = slots[index];
        if (same) return same;
        const at = loose.findIndex((one) => one.card === card);
        const [moved] = at < 0 ? [] : loose.splice(at, 1);
        const key = moved?.key ?? newKey();
        if (!moved) came.push(key);
        return { key, card };
      }),
    );
  }
  return { zones, came, gone: new Map(loose.map((one) => [one.key, one.zone])) };
}

/**
 * The cards of a place that stay in it, by the new order; null where another card comes. Of twins of which one leaves,
 * the preferred one leaves.
 */
function keep(before: readonly Keyed[], cards: readonly string[], preferred: ReadonlySet<string>): (Keyed | null)[] {
  const byCard = new Map<string, Keyed[]>();
  for (const one of before) {
    const twins = byCard.get(one.card) ?? [];
    if (preferred.has(one.key)) twins.push(one);
    else twins.splice(twins.findIndex((twin) => preferred.has(twin.key)) >>> 0, 0, one);
    byCard.set(one.card, twins);
  }
  return cards.map((card) => byCard.get(card)?.shift() ?? null);
}
