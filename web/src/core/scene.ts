// What lies where: pure steps from the server's view to the cards that are shown, with their keys.
import type { Event, TableMeld, View } from "../protocol";
import type { Followed, Keyed, Place, Zones } from "./identity";

/** A place that takes cards: `hand`, `pile`, `stock`, `new-meld`, `meld-3` (of the own side, from 1). */
export type Zone = "hand" | "pile" | "stock" | "new-meld" | `meld-${number}`;

export const meldPlace = (side: number, meld: number): string => `side-${side}-${meld}`;

/** The number of the meld of a zone, null for a new one; undefined for what is no meld. */
export function meldOf(zone: string): number | null | undefined {
  if (zone === "new-meld") return null;
  const found = /^meld-(\d+)$/.exec(zone);
  return found ? Number(found[1]) : undefined;
}

/** Everything that is seen of a deal, place by place. */
export function placesOf(view: View | null): readonly Place[] {
  if (!view) return [];
  const own = view.seat === null ? null : (view.hands[view.seat] ?? null);
  return [
    { zone: "hand", cards: own ?? [] },
    ...view.melds.flatMap((melds, side) =>
      melds.map((meld) => ({ zone: meldPlace(side, meld.meld), cards: meld.cards })),
    ),
    { zone: "pile", cards: view.pile.map((entry) => entry.card) },
  ];
}

/** Where cards come from that were not seen before, and where those go that are seen no longer. */
export function journeysOf(
  followed: Followed,
  zones: Zones,
  events: readonly Event[],
  own: number | null,
): { readonly from: ReadonlyMap<string, string>; readonly to: ReadonlyMap<string, string> } {
  const actor = events.flatMap((event) => (ACTS.has(event.event) && "seat" in event ? [event.seat] : [])).at(-1);
  const morto = events.find((event) => event.event === "morto_taken");
  const source = morto?.event === "morto_taken" ? `morto-${morto.morto}` : "stock";
  const inHand = new Set(zones.get("hand")?.map((one) => one.key));
  const from = new Map<string, string>();
  for (const key of followed.came) {
    if (inHand.has(key)) from.set(key, source);
    else if (actor !== undefined && actor !== own) from.set(key, `seat-${actor}`);
  }
  const to = new Map<string, string>();
  for (const [key, zone] of followed.gone) {
    if (zone !== "hand" && actor !== undefined && actor !== own) to.set(key, `seat-${actor}`);
  }
  return { from, to };
}

const ACTS: ReadonlySet<Event["event"]> = new Set<Event["event"]>([
  "drew",
  "first_card_kept",
  "first_card_rejected",
  "pile_taken",
  "meld_laid",
  "card_added",
  "discarded",
  "undone",
  "opening_failed",
]);

/** The cards of the last move: whose it was, and their keys. */
export interface LastMove {
  readonly seat: number | null;
  readonly keys: ReadonlySet<string>;
}

export const NO_MOVE: LastMove = { seat: null, keys: new Set() };

/** The last move after some events: what one player laid and discarded, until the next one acts. */
export function lastMove(last: LastMove, events: readonly Event[], before: Zones, after: Zones): LastMove {
  let { seat } = last;
  let keys = new Set(last.keys);
  for (const event of events) {
    if (!ACTS.has(event.event) || !("seat" in event)) continue;
    if (event.seat !== seat) {
      seat = event.seat;
      keys = new Set();
    }
    for (const key of movedBy(event, before, after)) keys.add(key);
  }
  const laid = new Set([...after].flatMap(([zone, cards]) => (zone === "hand" ? [] : cards.map((one) => one.key))));
  return { seat, keys: new Set([...keys].filter((key) => laid.has(key))) };
}

function movedBy(event: Event, before: Zones, after: Zones): readonly string[] {
  const keysOf = (cards: readonly Keyed[] | undefined): string[] => (cards ?? []).map((one) => one.key);
  if (event.event === "discarded" || event.event === "first_card_rejected") {
    return keysOf(after.get("pile")?.slice(-1)).filter(() => after.get("pile")?.at(-1)?.card === event.card);
  }
  if (event.event === "meld_laid") return keysOf(after.get(meldPlace(event.seat % 2, event.meld + 1)));
  if (event.event !== "card_added") return [];
  const zone = meldPlace(event.seat % 2, event.meld + 1);
  const old = new Set(keysOf(before.get(zone)));
  return keysOf(after.get(zone)?.filter((one) => !old.has(one.key) && one.card === event.card));
}

/** The cards of the own hand that are new since the last own action. */
export function freshAfter(
  fresh: ReadonlySet<string>,
  events: readonly Event[],
  own: number | null,
  entered: readonly string[],
): ReadonlySet<string> {
  const mine = events.filter((event) => "seat" in event && event.seat === own);
  const happened = (...names: Event["event"][]): boolean => mine.some((event) => names.includes(event.event));
  const acted = happened("drew", "pile_taken", "meld_laid", "card_added", "discarded", "undone", "opening_failed");
  const gained = happened("card_drawn", "pile_taken", "pile_rest_seen", "morto_seen");
  return new Set([...(acted ? [] : fresh), ...(gained ? entered : [])]);
}

export interface ShownMeld {
  readonly number: number;
  readonly kind: "run" | "set";
  readonly cards: readonly Keyed[];
  readonly wild: number | null;
  readonly category: string;
  readonly clean: boolean;
  readonly points: number;
  readonly bonus: number;
  /** On its way to the server: shown as it will lie. */
  readonly pending: boolean;
}

/** Cards that are on their way to a place, and the words of the meld that they will be in. */
export interface Sending {
  readonly zone: Zone;
  readonly keys: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly kind: "run" | "set";
}

function shown(meld: TableMeld, cards: readonly Keyed[]): ShownMeld {
  const { kind, wild, category, clean, points, bonus } = meld;
  return { number: meld.meld, kind, cards, wild, category, clean, points, bonus, pending: false };
}

/** The melds of a side as they are shown; `sending` is what goes to one of them. */
export function meldsOf(view: View, side: 0 | 1, zones: Zones, sending: Sending | null): readonly ShownMeld[] {
  const melds = view.melds[side].map((meld) => shown(meld, zones.get(meldPlace(side, meld.meld)) ?? []));
  const target = sending === null || view.seat === null || view.seat % 2 !== side ? undefined : meldOf(sending.zone);
  if (sending === null || target === undefined || sending.words.length === 0) return melds;
  const old = melds.find((meld) => meld.number === target);
  const going = (zones.get("hand") ?? []).filter((one) => sending.keys.has(one.key));
  if (going.length === 0) return melds;
  const pool = [...(old?.cards ?? []), ...going];
  const cards = sending.words.flatMap((word) => {
    const at = pool.findIndex((one) => one.card === word.split("=")[0]);
    return at < 0 ? [] : pool.splice(at, 1);
  });
  const wild = sending.words.findIndex((word) => word.includes("="));
  const pending: ShownMeld = {
    ...(old ?? { number: melds.length + 1, category: "plain", points: 0, bonus: 0, clean: wild < 0 }),
    kind: sending.kind,
    cards,
    wild: wild < 0 ? null : wild,
    pending: true,
  };
  return old ? melds.map((meld) => (meld === old ? pending : meld)) : [...melds, pending];
}
