// Every event of the table in a sentence.
import { sortCards } from "../core/cards";
import { has, t, type Values } from "../core/i18n";
import type { Event, TableState, You } from "../protocol";
import { levelName, seatName, sideName, sideOf } from "./names";
import type { Side } from "./types";
import { cardsLabel, plain } from "./words";

/** A piece of a sentence: words, or cards to be drawn. */
export type Part = string | Cards;

export interface Cards {
  readonly cards: readonly string[];
  /** The index of the wild among them. */
  readonly wild: number | null;
}

export interface Context {
  readonly table: TableState;
  readonly you: You | null;
  /** The name of a member by number; empty where nobody knows it. */
  readonly memberName?: (member: number) => string;
}

type EventName = Event["event"];
type Of<Name extends EventName> = Extract<Event, { event: Name }>;
type Sentence<Name extends EventName> = (event: Of<Name>, context: Context) => readonly Part[];

// Stand-ins for cards within a text, so that the language says where they belong.
export const FIRST = "\uE000";
const SECOND = "\uE001";
const STAND_INS = /([\uE000\uE001])/;

/** Put cards in their places of a text made with the stand-ins. */
export function filled(text: string, ...groups: readonly Cards[]): readonly Part[] {
  return text
    .split(STAND_INS)
    .filter((part) => part !== "")
    .map((part) => (part === FIRST ? (groups[0] ?? "") : part === SECOND ? (groups[1] ?? "") : part));
}

const cardsOf = (cards: readonly string[], wild: number | null = null): Cards => ({ cards, wild });

/** A text about a seat: as spoken to the one who looks if it is theirs, else with the name. */
function about(context: Context, seat: number, key: string, values: Values = {}): string {
  const own = `web.panel.log_you.${key}`;
  if (context.you !== null && context.you.seat === seat && has(own)) return t(own, values);
  return t(`web.panel.log.${key}`, { ...values, name: seatName(context.table, seat) });
}

const inOrder = (cards: readonly string[]): readonly string[] => sortCards(cards, "suit", (card) => card);

const one = (text: string): readonly Part[] => [text];

function bySeat<Name extends EventName>(
  key: string,
  values: (event: Of<Name> & { readonly seat: number }) => Values = () => ({}),
): Sentence<Name> {
  return (event, context) => {
    const seated = event as Of<Name> & { readonly seat: number };
    return one(about(context, seated.seat, key, values(seated)));
  };
}

const scoresOf = (points: readonly [number, number], context: Context): Values => {
  const ours = context.you !== null && context.you.seat !== null ? sideOf(context.you.seat) : 0;
  return { first: plain(points[ours]), second: plain(points[1 - ours] ?? 0) };
};

function dealEnd(event: Of<"deal_ended">, context: Context): string {
  const values = scoresOf(event.scores, context);
  if (event.out_seat >= 0) return about(context, event.out_seat, "deal_closed", values);
  const key = `web.panel.log.deal_${event.end_kind}`;
  return t(has(key) ? key : "web.panel.log.deal_over", values);
}

function matchEnd(event: Of<"match_ended">, context: Context): string {
  const values = scoresOf(event.totals, context);
  if (event.winner === null) return t("web.panel.log.match_drawn", values);
  if (context.you !== null && context.you.seat !== null) {
    const won = sideOf(context.you.seat) === event.winner;
    return t(won ? "web.panel.log_you.match_won" : "web.panel.log_you.match_lost", values);
  }
  return t("web.panel.log.match_won", { ...values, name: sideName(context.table, event.winner as Side, null) });
}

function firstDealer(event: Of<"first_dealer_found">, context: Context): readonly Part[] {
  const found = about(context, event.dealer, "first_dealer_found");
  if (event.rounds.length === 0) return one(found);
  const rounds = event.rounds.map((round) =>
    round.flatMap((draw, index) => [
      ...(index > 0 ? [t("web.panel.and")] : []),
      ...filled(about(context, draw.seat, "first_dealer_draw", { cards: FIRST }), cardsOf([draw.card])),
    ]),
  );
  return [`${found} (`, ...rounds.flatMap((round, index) => [...(index > 0 ? ["; "] : []), ...round]), ")"];
}

const memberName = (context: Context, member: number): string =>
  context.memberName?.(member) || context.table.seats.find((seat) => seat.member === member)?.name || `#${member}`;

const short = (hex: string): string => hex.slice(0, 12);

/** What a preset phrase says, and else what was written. */
export function chatWords(line: { readonly text: string; readonly phrase: string }): string {
  const key = `phrase.${line.phrase}`;
  return line.phrase !== "" && has(key) ? t(key) : line.text || line.phrase;
}

/** What only who looks into the log wants to know: the parts of the shuffle, and what the next event says anyway. */
export const QUIET: ReadonlySet<EventName> = new Set<EventName>([
  "seed_committed",
  "seed_given",
  "seeds_closed",
  "seed_revealed",
  "turn_ended",
  "mute_changed",
  "match_began",
  "clock_changed",
]);

const SENTENCES: { readonly [Name in EventName]: Sentence<Name> } = {
  match_started: (_, context) => one(t("web.panel.log.match_started", { rules: context.table.rules_title })),
  match_began: (event) => one(t("web.panel.log.match_began", { n: event.match })),
  first_dealer_found: firstDealer,
  cut_made: (event, context) =>
    one(about(context, event.seat, event.points ? "cut_paid" : "cut_made", { n: event.count, points: event.points })),
  deal_started(event, context) {
    const key = event.up_card === null ? "deal_started" : "deal_started_card";
    const text = about(context, event.dealer, key, { n: event.deal, cards: FIRST });
    return filled(text, cardsOf(event.up_card === null ? [] : [event.up_card]));
  },
  hand_dealt: (event, context) =>
    filled(about(context, event.seat, "hand_dealt", { cards: FIRST }), cardsOf(inOrder(event.cards))),
  drew: (event, context) => one(about(context, event.seat, event.may_reject ? "looks" : "drew")),
  card_drawn: (event, context) =>
    filled(about(context, event.seat, "card_drawn", { cards: FIRST }), cardsOf([event.card])),
  first_card_kept: bySeat("first_card_kept"),
  first_card_rejected: (event, context) =>
    filled(about(context, event.seat, "first_card_rejected", { cards: FIRST }), cardsOf([event.card])),
  pile_taken(event, context) {
    const key = event.pile.length < event.count ? "pile_taken_closed" : "pile_taken";
    const text = about(context, event.seat, key, { n: event.count, cards: FIRST });
    return filled(text, cardsOf(event.pile.map((entry) => entry.card)));
  },
  pile_rest_seen: (event, context) =>
    filled(
      about(context, event.seat, "pile_rest_seen", { cards: FIRST }),
      cardsOf(event.pile.map((entry) => entry.card)),
    ),
  meld_laid: (event, context) =>
    filled(about(context, event.seat, "meld_laid", { cards: FIRST }), cardsOf(event.packed.cards, event.packed.wild)),
  card_added(event, context) {
    const text = about(context, event.seat, "card_added_meld", { cards: FIRST, meld: SECOND });
    const parts = filled(text, cardsOf([event.card]), cardsOf(event.packed.cards, event.packed.wild));
    const moved = event.wild_from !== event.wild_to && event.wild_from >= 0 && event.wild_to >= 0;
    return moved ? [...parts, ` ${t("web.panel.log.wild_moved")}`] : parts;
  },
  discarded: (event, context) =>
    filled(about(context, event.seat, "discarded", { cards: FIRST }), cardsOf([event.card])),
  morto_taken: (event, context) =>
    one(about(context, event.seat, event.direct ? "morto_taken" : "morto_taken_discard")),
  morto_seen: (event, context) =>
    filled(about(context, event.seat, "morto_seen", { cards: FIRST }), cardsOf(inOrder(event.cards))),
  opening_failed: (event, context) =>
    filled(about(context, event.seat, "opening_failed", { cards: FIRST, n: event.need }), cardsOf(event.cards)),
  stock_refilled: (event) => one(t("web.panel.log.stock_refilled", { n: event.count })),
  turn_ended(event, context) {
    const ended = about(context, event.seat, "turn_ended");
    return one(event.next_seat < 0 ? ended : `${ended} ${about(context, event.next_seat, "turn_next")}`);
  },
  undone: bySeat("undone", (event) => ({ n: event.count })),
  deal_ended: (event, context) => one(dealEnd(event, context)),
  match_ended: (event, context) => one(matchEnd(event, context)),
  sat_down: (event, context) =>
    one(
      context.you?.seat === event.seat
        ? t("web.panel.log_you.sat_down", { n: event.seat + 1 })
        : t("web.panel.log.sat_down", { name: event.name, n: event.seat + 1 }),
    ),
  stood_up: (event) =>
    one(t(event.by_owner ? "web.panel.log.cleared" : "web.panel.log.stood_up", { n: event.seat + 1 })),
  bot_put: (event) => one(t("web.panel.log.bot_put", { n: event.seat + 1, level: levelName(event.level) })),
  ready_changed: (event, context) => one(about(context, event.seat, event.ready ? "ready" : "not_ready")),
  seed_committed: (event) => one(t("web.panel.log.seed_committed", { n: event.deal, seed: short(event.commitment) })),
  seed_given: bySeat("seed_given", (event) => ({ n: event.deal })),
  seeds_closed: (event) => one(t("web.panel.log.seeds_closed", { n: event.deal })),
  seed_revealed: (event) => one(t("web.panel.log.seed_revealed", { n: event.deal, seed: short(event.seed) })),
  timed_out: bySeat("timed_out"),
  bot_took_over(event, context) {
    const cause = has(`web.panel.log.bot_${event.cause}`) ? event.cause : "away";
    return one(about(context, event.seat, `bot_${cause}`, { level: levelName(event.level) }));
  },
  seat_taken_back: bySeat("seat_taken_back"),
  offer_changed: (event, context) => one(about(context, event.seat, `${event.offer}_${event.agree ? "on" : "off"}`)),
  match_result(event) {
    const how = `web.panel.result.${event.result.kind}`;
    return one(t("web.panel.result.log", { how: has(how) ? t(how) : event.result.kind }));
  },
  clock_changed: (event) => one(t(event.running ? "web.panel.log.clock_on" : "web.panel.log.clock_off")),
  chat_said: (event) => one(t("web.panel.log.chat_said", { name: event.line.name, words: chatWords(event.line) })),
  mute_changed: (event, context) =>
    one(t(event.muted ? "web.panel.log.muted" : "web.panel.log.unmuted", { name: memberName(context, event.member) })),
  table_closed(event) {
    const key = `web.panel.log.closed_${event.cause}`;
    return one(t(has(key) ? key : "web.panel.text.phase.closed"));
  },
};

/** The names of all events, as the table of sentences has them. */
export const EVENT_NAMES = Object.keys(SENTENCES) as readonly EventName[];

/** An event as a sentence in pieces. */
export function eventParts(event: Event, context: Context): readonly Part[] {
  const sentence = SENTENCES[event.event] as Sentence<EventName> | undefined;
  // A newer server may tell of what this page does not know.
  return sentence === undefined ? [] : sentence(event, context);
}

/** An event as a sentence for the ear, cards in words. */
export function eventText(event: Event, context: Context): string {
  return partsText(eventParts(event, context));
}

/** Pieces as one text, cards in words. */
function partsText(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : cardsLabel(part.cards, part.wild))).join("");
}
