// Crafted tables, to look at states that play reaches late: /src/dev/table.html?story=full&cards=40. Not part of the build.
import { mount } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import { words } from "../core/i18n";
import { start } from "../core/start";
import { NOTHING, type Picture, type TableStore } from "../core/table-store";
import { aTable, aView } from "../core/testing/fakes";
import type { AddOption, Legal, SeatState, TableMeld, TableState, View } from "../protocol";
import TableView from "../table/TableView.svelte";
import "../ui/app.css";

const query = new URLSearchParams(location.search);
const RANKS = "A23456789TJQK";

function run(suit: string, low: number, high: number, wild = -1, wildCard = "X"): readonly string[] {
  const slots = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  return slots.map((slot, index) => (index === wild ? wildCard : `${RANKS[(slot - 1) % 13]}${suit}`));
}

function meld(
  number: number,
  cards: readonly string[],
  low: number | null,
  wild: number | null,
  category: string,
): TableMeld {
  const bonus = { dirty: 100, semi_clean: 150, clean: 200, clean_13: 500, clean_14: 1000 }[category] ?? 0;
  return {
    meld: number,
    kind: low === null ? "set" : "run",
    cards,
    words: cards.map((card, index) => (index === wild ? `${card}=7` : card)),
    low,
    wild,
    category,
    clean: wild === null,
    points: cards.length * 10,
    bonus,
  };
}

function melds(count: number, ours: boolean): readonly TableMeld[] {
  const all = [
    meld(1, ours ? run("s", 1, 14) : run("s", 3, 11), 1, null, ours ? "clean_14" : "clean"),
    meld(2, run("h", 5, 11, 2), 5, 2, "dirty"),
    meld(3, run("d", 6, 10), 6, null, "plain"),
    meld(4, run("c", 8, 13), 8, null, "plain"),
    meld(5, ["7c", "7d", "7h", "7s", "7s", "7d", "2h"], null, 6, "semi_clean"),
    meld(6, run("h", 3, 5), 3, null, "plain"),
    meld(7, run("d", 9, 11), 9, null, "plain"),
    meld(8, run("c", 1, 13), 1, null, "clean_13"),
    meld(9, run("s", 4, 7, 1, "2d"), 4, 1, "plain"),
    meld(10, ["Kc", "Kd", "Kh"], null, null, "plain"),
    meld(11, run("h", 8, 12), 8, null, "plain"),
    meld(12, run("d", 2, 5), 2, null, "plain"),
  ];
  return all.slice(0, count);
}

const DECK = [..."shcd"].flatMap((suit) => [...RANKS].map((rank) => `${rank}${suit}`)).concat(["X", "X"]);

function hand(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => DECK[(index * 7) % DECK.length] ?? "X");
}

const names = ["Lúcia", "Paulo Alexandre Ferreira", "Renata", "João"];

function seats(players: number): readonly SeatState[] {
  return Array.from({ length: players }, (_, seat) => ({
    seat,
    kind: seat === 2 ? ("bot" as const) : ("person" as const),
    member: seat + 1,
    name: seat === 2 ? "" : (names[seat] ?? ""),
    level: seat === 2 ? "greedy" : "",
    ready: false,
    played_by_bot: seat === 3 ? "away" : "",
    bot_of: seat === 1 ? "Lúcia" : null,
  }));
}

function table(players: number): TableState {
  return aTable({
    table: "story",
    code: "STORY1",
    phase: query.get("phase") ?? "playing",
    rules_title: "Buraco Aberto",
    rules: { target_points: 3000, canasta_size: 7, opening: "over_turn", cut_bonus: 100, cut_bonus_count: 22 },
    players,
    clock: { kind: "turn", turn_ms: 45_000 },
    seats: seats(players),
    offers: {
      resign: [],
      draw: [],
      rematch: [],
      resign_asked: [[0], [1]],
      draw_asked: [0, 1, 3],
      rematch_asked: [],
    },
    cut_max: 107,
    clocks: { seat: 0, deadline_ms: Date.now() + Number(query.get("left") ?? 32) * 1000, banks_ms: null },
  });
}

function legal(cards: readonly string[], phase: string): Legal {
  const adds: readonly AddOption[] = cards.slice(0, 6).map((card, index) => ({
    meld: (index % 3) + 2,
    card,
    high: false,
    wild: "",
    action: 16_029 + index,
  }));
  const play = phase !== "draw";
  return {
    actions: [0, 1],
    draw: !play,
    pile: !play,
    keep: phase === "choice",
    reject: phase === "choice",
    discards: play ? cards.map((card, index) => ({ card, action: 4 + index, ends_deal: false })) : [],
    adds: play ? adds : [],
    melds: play ? 3 : 0,
    duties: [
      {
        code: "opening",
        text: play
          ? "Lay new melds worth 75 points or more in all; 40 are on the table. Lay melds or add cards if you like; a discard ends your turn."
          : "Draw a stock card or take the pile.",
        card: null,
        meld: null,
        points: 75,
      },
    ],
  };
}

function view(players: number, cards: number, side: number): View {
  const closed = query.has("closed");
  const phase = query.get("deal") ?? "play";
  const own = hand(cards);
  const pile = hand(closed ? 1 : Number(query.get("pile") ?? 14)).map((card) => ({ card, seat: 1, turn: 3 }));
  const turn = Number(query.get("turn") ?? 0);
  const watches = query.has("watch");
  return aView({
    deal: 3,
    state_number: 7,
    seat: watches ? null : 0,
    dealer: 3,
    turn_seat: turn,
    phase,
    turn_count: 9,
    totals: [1285, 940],
    hands: Array.from({ length: players }, (_, seat) => (seat === 0 && !watches ? own : null)),
    hand_counts: [cards, 9, 11, 14].slice(0, players),
    known: Array.from({ length: players }, () => []),
    melds: [melds(side, true), melds(side, false)],
    pile,
    pile_count: closed ? 23 : pile.length,
    pile_closed: closed,
    stock_count: 38,
    mortos: [
      { state: "side", side: 0 },
      { state: "waiting", side: null },
    ],
    unplayed: [false, false, false, false].slice(0, players),
    opening_need: [75, 50],
    opened: [!query.has("opening"), !query.has("opening")],
    laid_points: 40,
    can_undo: Number(query.get("undo") ?? 2),
    legal: turn === 0 && !watches ? legal(own, phase) : null,
  });
}

function picture(): Picture {
  const players = Number(query.get("players") ?? 4);
  const now = table(players);
  return {
    ...NOTHING,
    line: "open",
    version: 1,
    table: now,
    you: {
      member: 1,
      seat: query.has("watch") ? null : 0,
      owner: true,
      muted: [],
      may_chat: true,
      may_hint: query.has("hint"),
    },
    members: names.map((name, index) => ({ member: index + 1, name, bot_of: null })),
    view: view(players, Number(query.get("cards") ?? 22), Number(query.get("melds") ?? 7)),
    presence: {
      type: "presence",
      at_ms: Date.now(),
      here: [1, 2],
      away_since_ms: [null, null, null, Date.now()],
      bot_at_ms: [null, null, null, null],
      spectators: 0,
    },
    ...(query.has("lost")
      ? { line: "lost" as const, lineText: "The connection is lost. It comes back by itself." }
      : {}),
  };
}

/** A store that refuses everything with a long text. */
function story(): TableStore & { begin(): void } {
  const now = picture();
  const empty: Picture = { ...now, table: null, view: null };
  let shown = empty;
  const listeners = new Set<(one: Picture) => void>();
  const steps = new Set<Parameters<TableStore["onStep"]>[0]>();
  const text =
    "You took this very card as a one-card pile, so you may not discard it in the same turn. Discard another card.";
  return {
    get: () => shown,
    subscribe(run) {
      listeners.add(run);
      run(shown);
      return () => listeners.delete(run);
    },
    onStep(run) {
      steps.add(run);
      return () => steps.delete(run);
    },
    ask: async () => ({
      type: "refused",
      id: "1",
      version: 1,
      code: "card_barred",
      text,
      citation: "Buraco Aberto, pile (000 §4)",
      rule: null,
    }),
    flush: () => undefined,
    playHere: () => undefined,
    reopen: () => undefined,
    close: () => undefined,
    begin() {
      shown = now;
      for (const run of steps) run({ events: [], before: empty, after: now, how: "whole" });
      for (const run of listeners) run(now);
    },
  };
}

words.onRead(createSubscriber((update) => words.language.subscribe(() => update())));
await start();
const target = document.getElementById("app");
const store = story();
if (target !== null) mount(TableView, { target, props: { store, name: "story" } });
store.begin();
