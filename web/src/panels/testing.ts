// Made-up tables for the tests and the story page of the panels.
import { aTable, aView } from "../core/testing/fakes";
import type {
  DealSummary,
  Event,
  Offers,
  Presence,
  ScoreLine,
  SeatState,
  TableMeld,
  TableState,
  View,
  You,
} from "../protocol";
import type { LogEntry } from "./types";

/** Nobody agrees to anything, and nobody is asked. */
export const NO_OFFERS: Offers = {
  resign: [],
  draw: [],
  rematch: [],
  resign_asked: [[], []],
  draw_asked: [],
  rematch_asked: [],
};

const person = (seat: number, name: string, more: Partial<SeatState> = {}): SeatState => ({
  seat,
  kind: "person",
  member: seat + 1,
  name,
  level: "",
  ready: false,
  played_by_bot: "",
  bot_of: null,
  ...more,
});

const bot = (seat: number, level = "greedy"): SeatState => ({
  seat,
  kind: "bot",
  member: null,
  name: "",
  level,
  ready: true,
  played_by_bot: "",
  bot_of: null,
});

const empty = (seat: number): SeatState => ({
  seat,
  kind: "empty",
  member: null,
  name: "",
  level: "",
  ready: false,
  played_by_bot: "",
  bot_of: null,
});

export const seatsOf = { person, bot, empty };

export function tableOf(more: Partial<TableState> = {}): TableState {
  return aTable({
    code: "K7MPQ2",
    rules_title: "Buraco aberto",
    rules: { target_points: 3000, deal_count: 0, canasta_size: 7, opening: "over_turn", morto_size: 11 },
    players: 4,
    clock: { kind: "turn", turn_ms: 60_000 },
    seats: [person(0, "Ana"), person(1, "Lúcia"), bot(2), person(3, "Renata")],
    offers: NO_OFFERS,
    clocks: { seat: 0, deadline_ms: null, banks_ms: null },
    ...more,
  });
}

export function youOf(seat: number | null = 0, more: Partial<You> = {}): You {
  return {
    member: seat === null ? 9 : seat + 1,
    seat,
    owner: seat === 0,
    muted: [],
    may_chat: seat !== null,
    may_hint: seat !== null,
    ...more,
  };
}

export function meldOf(meld: number, cards: readonly string[], more: Partial<TableMeld> = {}): TableMeld {
  return {
    meld,
    kind: "run",
    cards,
    words: cards,
    low: 3,
    wild: null,
    category: "plain",
    clean: true,
    points: cards.length * 5,
    bonus: 0,
    ...more,
  };
}

export function viewOf(more: Partial<View> = {}): View {
  return aView({
    deal: 3,
    state_number: 40,
    seat: 0,
    dealer: 3,
    turn_seat: 0,
    turn_count: 12,
    totals: [640, 715],
    hands: [["7h", "7h", "8h", "Tc", "2d", "X", "As", "Kd"], null, null, null],
    hand_counts: [8, 11, 9, 6],
    known: [[], ["4c"], [], []],
    melds: [
      [
        meldOf(1, ["3h", "4h", "5h", "6h", "7h", "8h", "9h"], { category: "clean", bonus: 200, points: 50 }),
        meldOf(2, ["Qs", "Ks", "X", "As"], { wild: 2, clean: false, words: ["Qs", "Ks", "X=Ks", "As"], points: 55 }),
      ],
      [meldOf(1, ["6c", "7c", "8c"])],
    ],
    pile: [
      { card: "9d", seat: null, turn: null },
      { card: "4c", seat: 1, turn: 3 },
      { card: "Qh", seat: 2, turn: 4 },
      { card: "3s", seat: 3, turn: 5 },
    ],
    pile_count: 4,
    stock_count: 38,
    mortos: [
      { state: "side", side: 0 },
      { state: "waiting", side: null },
    ],
    unplayed: [false, false, false, false],
    opening_need: [0, 75],
    opened: [true, false],
    legal: {
      actions: [0, 1],
      draw: true,
      pile: true,
      keep: false,
      reject: false,
      discards: [],
      adds: [],
      melds: 0,
      duties: [
        { code: "must_draw", text: "Draw a stock card or take the pile.", card: null, meld: null, points: null },
      ],
    },
    ...more,
  });
}

const line = (kind: string, points: number, more: Partial<ScoreLine> = {}): ScoreLine => ({
  kind,
  points,
  cards: [],
  seat: -1,
  meld: -1,
  category: "",
  ...more,
});

/** A deal in which everything happens that a sheet can have. */
export function dealOf(deal: number, totals: readonly [number, number], more: Partial<DealSummary> = {}): DealSummary {
  return {
    deal,
    dealer: (deal - 1) % 4,
    end_kind: "closed",
    out_seat: 0,
    sheets: [
      {
        side: 0,
        total: 485,
        lines: [
          line("meld", 70, { meld: 0, cards: ["3h", "4h", "5h", "6h", "7h", "8h", "9h"] }),
          line("bonus", 200, { meld: 0, category: "clean" }),
          line("meld", 55, { meld: 1, cards: ["Qs", "Ks", "X", "As"] }),
          line("meld", 75, { meld: 2, cards: ["5d", "5s", "5c", "2c", "5h", "5d", "5s"] }),
          line("bonus", 100, { meld: 2, category: "dirty" }),
          line("out", 100, { seat: 0 }),
          line("hand", -115, { seat: 2, cards: ["X", "As", "Kd", "8c", "3c", "9c", "Qd"] }),
        ],
      },
      {
        side: 1,
        total: -70,
        lines: [
          line("meld", 25, { meld: 0, cards: ["6c", "7c", "8c"] }),
          line("hand", -45, { seat: 1, cards: ["As", "2d", "9h", "4c"] }),
          line("unplayed", -50, { seat: 3, cards: ["7d", "8d"] }),
          line("morto", -100),
          line("bonus", 100, { meld: 7, category: "semi_clean" }),
        ],
      },
    ],
    scores: [485, -70],
    cut_points: [0, 100],
    totals,
    ...more,
  };
}

export const PRESENCE: Presence = {
  type: "presence",
  at_ms: 1_700_000_000_000,
  here: [1, 2],
  away_since_ms: [null, null, null, 1_700_000_000_000],
  bot_at_ms: [null, null, null, 1_700_000_030_000],
  spectators: 2,
};

const packed = { kind: "run", cards: ["3h", "4h", "X", "6h"], low: 3, wild: 2 } as const;

/** One event of each name. */
export const EVENTS: { readonly [Name in Event["event"]]: Extract<Event, { event: Name }> } = {
  match_started: {
    event: "match_started",
    number: 1,
    rules_name: "aberto",
    players: 4,
    target_points: 3000,
    deal_count: 0,
  },
  match_began: { event: "match_began", match: 2 },
  first_dealer_found: {
    event: "first_dealer_found",
    number: 2,
    rounds: [
      [
        { seat: 0, card: "7h" },
        { seat: 1, card: "Ks" },
      ],
    ],
    dealer: 0,
  },
  cut_made: { event: "cut_made", number: 3, seat: 1, count: 22, points: 100 },
  deal_started: {
    event: "deal_started",
    number: 4,
    deal: 1,
    dealer: 3,
    seat: 0,
    totals: [0, 0],
    up_card: "9d",
    hand_counts: [11, 11, 11, 11],
    stock_count: 41,
  },
  hand_dealt: { event: "hand_dealt", number: 5, seat: 0, cards: ["7h", "7h", "X"] },
  drew: { event: "drew", number: 6, seat: 1, stock_count: 40, may_reject: false },
  card_drawn: { event: "card_drawn", number: 7, seat: 0, card: "Tc" },
  first_card_kept: { event: "first_card_kept", number: 8, seat: 1 },
  first_card_rejected: { event: "first_card_rejected", number: 9, seat: 1, card: "4c" },
  pile_taken: {
    event: "pile_taken",
    number: 10,
    seat: 1,
    count: 2,
    pile: [
      { card: "9d", seat: -1, turn: -1 },
      { card: "4c", seat: 0, turn: 1 },
    ],
  },
  pile_rest_seen: { event: "pile_rest_seen", number: 11, seat: 0, pile: [{ card: "9d", seat: -1, turn: -1 }] },
  meld_laid: { event: "meld_laid", number: 12, seat: 1, action: 900, meld: 0, packed },
  card_added: {
    event: "card_added",
    number: 13,
    seat: 1,
    action: 17_000,
    meld: 0,
    card: "7h",
    packed: { ...packed, cards: [...packed.cards, "7h"] },
    wild_from: 5,
    wild_to: 8,
  },
  discarded: { event: "discarded", number: 14, seat: 1, card: "Qh" },
  morto_taken: { event: "morto_taken", number: 15, seat: 1, morto: 0, direct: true, count: 11 },
  morto_seen: { event: "morto_seen", number: 16, seat: 0, cards: ["2h", "3d"] },
  opening_failed: { event: "opening_failed", number: 17, seat: 1, cards: ["6c", "7c", "8c"], need: 85 },
  stock_refilled: { event: "stock_refilled", number: 18, morto: 1, count: 11 },
  turn_ended: { event: "turn_ended", number: 19, seat: 1, turn: 3, next_seat: 2 },
  undone: { event: "undone", number: 20, seat: 1, count: 2 },
  deal_ended: {
    event: "deal_ended",
    number: 21,
    deal: 1,
    end_kind: "closed",
    out_seat: 1,
    hands: [[], [], [], []],
    sheets: [],
    scores: [485, -70],
    totals: [485, 30],
  },
  match_ended: { event: "match_ended", number: 22, winner: 0, totals: [3015, 2480] },
  sat_down: { event: "sat_down", seat: 1, member: 2, name: "Lúcia", bot_of: null },
  stood_up: { event: "stood_up", seat: 1, by_owner: false },
  bot_put: { event: "bot_put", seat: 2, level: "greedy" },
  ready_changed: { event: "ready_changed", seat: 1, ready: true },
  seed_committed: { event: "seed_committed", deal: 1, commitment: "ab".repeat(32), until_ms: 0 },
  seed_given: { event: "seed_given", deal: 1, seat: 1 },
  seeds_closed: { event: "seeds_closed", deal: 1, player_seeds: [], cut_aim: null },
  seed_revealed: { event: "seed_revealed", deal: 1, commitment: "", seed: "cd".repeat(32), player_seeds: [] },
  timed_out: { event: "timed_out", seat: 1 },
  bot_took_over: { event: "bot_took_over", seat: 1, cause: "timeouts", level: "greedy" },
  seat_taken_back: { event: "seat_taken_back", seat: 1, member: 2 },
  offer_changed: { event: "offer_changed", offer: "draw", seat: 1, agree: true },
  match_result: { event: "match_result", result: { match: 1, kind: "resigned", winner: 0, totals: [1, 2] } },
  clock_changed: { event: "clock_changed", running: false },
  chat_said: {
    event: "chat_said",
    line: { version: 50, at_ms: 0, member: 2, name: "Lúcia", text: "<b>boa!</b>", phrase: "", apart: false },
  },
  mute_changed: { event: "mute_changed", member: 2, muted: true },
  table_closed: { event: "table_closed", cause: "owner" },
};

/** A log of these events, a second apart. */
export function logOf(events: readonly Event[], firstKey = 0): readonly LogEntry[] {
  return events.map((event, index) => ({
    key: firstKey + index,
    atMs: 1_700_000_000_000 + index * 1000,
    seat: "seat" in event && typeof event.seat === "number" ? event.seat : null,
    version: firstKey + index,
    event,
  }));
}
