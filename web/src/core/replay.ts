// A recorded deal as pictures that can be stepped through: each is made from the one before it, once, so that a moment
// looks the same however one came to it.
import type { Event, ReplayedDeal, ReplayStep, SeatState, TableState, View } from "../protocol";
import { follow, type Place, type Zones } from "./identity";
import type { Journeys } from "./flip";
import { NO_MOVE, lastMove, meldPlace, type LastMove } from "./scene";
import type { LogEntry } from "./table-store";

export const handPlace = (seat: number): string => `hand-${seat}`;

/** What lies on the table after a step. */
export interface Frame {
  readonly step: ReplayStep;
  readonly view: View;
  readonly zones: Zones;
  /** The cards of the last move, and those that came into hands since. */
  readonly last: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
  /** How the cards came here from the frame before. */
  readonly journeys: Journeys;
}

const NO_JOURNEYS: Journeys = { from: new Map(), to: new Map() };

/** Everything that is seen of a deal, with every hand that is open. */
function placesOf(view: View): readonly Place[] {
  return [
    ...view.hands.map((hand, seat) => ({ zone: handPlace(seat), cards: hand ?? [] })),
    ...view.melds.flatMap((melds, side) =>
      melds.map((meld) => ({ zone: meldPlace(side, meld.meld), cards: meld.cards })),
    ),
    { zone: "pile", cards: view.pile.map((entry) => entry.card) },
  ];
}

const isHand = (zone: string): boolean => zone.startsWith("hand-");

/** The pictures of a deal, one for its beginning and one for each step. */
export function framesOf(steps: readonly ReplayStep[]): readonly Frame[] {
  const frames: Frame[] = [];
  let zones: Zones = new Map();
  let move: LastMove = NO_MOVE;
  let keys = 0;
  for (const step of steps) {
    const first = frames.length === 0;
    const followed = follow(zones, placesOf(step.view), new Set(), () => `k${(keys += 1)}`);
    move = lastMove(move, step.events, zones, followed.zones);
    const inHands = new Set([...followed.zones].flatMap(([zone, cards]) => (isHand(zone) ? keysOf(cards) : [])));
    const drawn = step.events.some((event) => GAINS.has(event.event));
    const came = [...followed.zones].flatMap(([zone, cards]) => {
      const before = new Set(keysOf(zones.get(zone) ?? []));
      return isHand(zone) ? keysOf(cards).filter((key) => !before.has(key)) : [];
    });
    frames.push({
      step,
      view: step.view,
      zones: followed.zones,
      last: new Set([...move.keys].filter((key) => !inHands.has(key))),
      fresh: new Set(drawn && !first ? came : []),
      journeys: first ? NO_JOURNEYS : journeysOf(step, followed.came, followed.gone, followed.zones),
    });
    zones = followed.zones;
  }
  return frames;
}

const keysOf = (cards: readonly { readonly key: string }[]): string[] => cards.map((one) => one.key);

const GAINS: ReadonlySet<Event["event"]> = new Set<Event["event"]>([
  "card_drawn",
  "pile_taken",
  "pile_rest_seen",
  "morto_seen",
]);

function journeysOf(
  step: ReplayStep,
  came: readonly string[],
  gone: ReadonlyMap<string, string>,
  zones: Zones,
): Journeys {
  const morto = step.events.find((event) => event.event === "morto_taken");
  const source = morto?.event === "morto_taken" ? `morto-${morto.morto}` : "stock";
  const inHand = new Set([...zones].flatMap(([zone, cards]) => (isHand(zone) ? keysOf(cards) : [])));
  const actor = `seat-${step.seat}`;
  return {
    from: new Map(came.map((key) => [key, inHand.has(key) ? source : actor])),
    to: new Map([...gone].flatMap(([key, zone]) => (isHand(zone) ? [] : [[key, actor] as const]))),
  };
}

/** The way of the cards from one frame to the next or the one before; null for a jump, which nobody could follow. */
export function wayBetween(frames: readonly Frame[], from: number, to: number): Journeys | null {
  if (to === from + 1) return frames[to]?.journeys ?? null;
  if (to !== from - 1) return null;
  const way = frames[from]?.journeys;
  return way ? { from: way.to, to: way.from } : null;
}

/** What is told of by no more than whose cards they are: the picture shows it. */
const SEEN: ReadonlySet<Event["event"]> = new Set<Event["event"]>([
  "hand_dealt",
  "card_drawn",
  "pile_rest_seen",
  "morto_seen",
]);

/** The log up to a step. */
export function logOf(frames: readonly Frame[], until: number): readonly LogEntry[] {
  return frames.slice(0, until + 1).flatMap(({ step }) =>
    step.events
      .filter((event) => !SEEN.has(event.event))
      .map((event) => ({
        key: event.number,
        atMs: 0,
        seat: "seat" in event && typeof event.seat === "number" ? event.seat : null,
        version: 0,
        event,
      })),
  );
}

/** What a step is told by in one line: the card that was drawn, where it is known, in place of that one was. */
export function toldOf(step: ReplayStep): { readonly drawn: string | null; readonly events: readonly Event[] } {
  const card = step.events.find((event) => event.event === "card_drawn");
  const drawn = card?.event === "card_drawn" ? card.card : null;
  const quiet = (event: Event): boolean =>
    SEEN.has(event.event) || event.event === "turn_ended" || (drawn !== null && event.event === "drew");
  return { drawn, events: step.events.filter((event) => !quiet(event)) };
}

/** The match of a record as the table's parts know a match. */
export function tableOf(film: ReplayedDeal, phase: "playing" | "finished" = "playing"): TableState {
  const seats = film.seats.map((one, seat): SeatState => ({
    seat,
    kind: one.bot === "" || one.name !== one.bot ? "person" : "bot",
    member: seat + 1,
    name: one.name,
    level: one.bot,
    ready: false,
    played_by_bot: "",
    bot_of: null,
  }));
  return {
    table: film.tags.table ?? "",
    code: "",
    phase,
    match: Number(film.tags.match ?? 1),
    owner: 0,
    rules_name: film.rules_name,
    rules_title: film.rules_title,
    rules: film.rules,
    players: film.players,
    clock: { kind: "none" },
    bot_level: "",
    fill_with_bots: false,
    public: false,
    spectators: true,
    spectator_delay_ms: 0,
    spectator_chat: false,
    open_hands: false,
    chat: false,
    undo: true,
    hints: false,
    away_ms: 0,
    forfeit_ms: 0,
    next_deal_ms: 0,
    timeouts_max: 0,
    seats,
    offers: { resign: [], draw: [], rematch: [], resign_asked: [[], []], draw_asked: [], rematch_asked: [] },
    cut_max: null,
    fair: null,
    clocks: { seat: null, deadline_ms: null, banks_ms: null },
    next_deal_at_ms: null,
    result: null,
    lesson: null,
  };
}

/** A moment of a match, and how it is looked at. */
export interface Moment {
  readonly deal: number;
  readonly move: number;
  /** As that seat saw it; null: every hand open. */
  readonly seat: number | null;
}

function numberIn(query: URLSearchParams, name: string, least: number): number | null {
  const text = query.get(name) ?? "";
  const number = /^\d{1,6}$/.test(text) ? Number(text) : null;
  return number !== null && number >= least ? number : null;
}

/** The moment that an address names. */
export function momentOf(search: string): Moment {
  const query = new URLSearchParams(search);
  const seat = numberIn(query, "seat", 0);
  return {
    deal: numberIn(query, "deal", 1) ?? 1,
    move: numberIn(query, "move", 0) ?? 0,
    seat: seat !== null && seat < 4 ? seat : null,
  };
}

/** An address with another moment in it; what else it has stays. */
export function withMoment(address: string, moment: Moment): string {
  const url = new URL(address);
  url.searchParams.set("deal", String(moment.deal));
  url.searchParams.set("move", String(moment.move));
  if (moment.seat === null) url.searchParams.delete("seat");
  else url.searchParams.set("seat", String(moment.seat));
  return url.href;
}
