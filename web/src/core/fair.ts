// The page's own check of a shuffle: every card drawn again from the seeds that a record reveals, by what
// docs/fair-shuffle.md says, without asking the server anything.
import { hexOf, hmac, joined, seedOf, sha256, utf8 } from "./sha256";
import type { FairDeal, FairRecord, FairRules } from "./record-text";

const PUBLIC_SEED = sha256(utf8("buraco-public-seed-1"));

/** What was found: `code` and `values` are those of `buraco verify`; no `fault`: something that nothing can show. */
export interface Finding {
  readonly code: string;
  /** The deal from 1; 0: the match. */
  readonly deal: number;
  readonly fault: boolean;
  readonly values: Readonly<Record<string, string | number>>;
  /** Where a card lies in the pack that is another one. */
  readonly place?: string;
}

const bytes8 = (number: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Math.floor(number / 2 ** 32));
  view.setUint32(4, number >>> 0);
  return new Uint8Array(view.buffer);
};

export function commitmentOf(seed: Uint8Array, match: string, deal: number): string {
  return hexOf(sha256(joined(seed, utf8(match), bytes8(deal))));
}

/** The seed of a deal from the server's and those of the seats; null where a seat gave none. */
export function dealSeed(
  seed: Uint8Array,
  match: string,
  deal: number,
  seats: readonly (Uint8Array | null)[],
): Uint8Array {
  return hmac(seed, joined(utf8(`buraco-fair-1\n${match}\n${deal}\n`), ...seats.map((one) => one ?? PUBLIC_SEED)));
}

/** The numbers that follow from a seed and a label. */
export class Draws {
  private readonly label: Uint8Array;
  private blocks = 0;
  private words: number[] = [];

  constructor(
    private readonly seed: Uint8Array,
    match: string,
    deal: number,
    purpose: string,
  ) {
    this.label = utf8(`buraco-draw-1\n${match}\n${deal}\n${purpose}`);
  }

  word(): number {
    if (this.words.length === 0) {
      const block = new DataView(hmac(this.seed, joined(this.label, bytes8(this.blocks))).buffer);
      this.blocks += 1;
      this.words = Array.from({ length: 8 }, (_, index) => block.getUint32(28 - 4 * index));
    }
    return this.words.pop()!;
  }

  below(limit: number): number {
    const bound = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const word = this.word();
      if (word < bound) return word % limit;
    }
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    return order;
  }
}

const SUITS = "cdhs";
const RANKS = "A23456789TJQK";

/** The pack before any shuffle. */
function orderedPack(rules: FairRules): readonly string[] {
  const cards = [...SUITS].flatMap((suit) =>
    [...RANKS].flatMap((rank) =>
      rules.suits.includes(suit) && rules.ranks.includes(rank)
        ? Array.from({ length: rules.copies }, () => `${rank}${suit}`)
        : [],
    ),
  );
  return [...cards, ...Array.from({ length: rules.jokers }, () => "X")];
}

/** The pack of a deal, first to be dealt first. */
export function packOf(rules: FairRules, seed: Uint8Array, match: string, deal: number): readonly string[] {
  return new Draws(seed, match, deal, "pack").shuffled(orderedPack(rules));
}

/** How many cards a cutter lifts who aims at a given number. */
export function liftedCount(rules: FairRules, seed: Uint8Array, match: string, deal: number, aim: number): number {
  const draws = new Draws(seed, match, deal, "cut");
  const missed = [0, 0, 0, 0].reduce((sum) => sum + draws.below(5), 0) - 8;
  return Math.min(Math.max(aim + missed, 1), orderedPack(rules).length - 1);
}

export type Round = readonly { readonly seat: number; readonly card: string }[];

/** The first dealer of a match, and the cards that were drawn for it. */
export function drawDealer(
  rules: FairRules,
  players: number,
  seed: Uint8Array,
  match: string,
): { readonly dealer: number; readonly rounds: readonly Round[] } {
  if (rules.firstDealer === "random") return { dealer: new Draws(seed, match, 0, "dealer").below(players), rounds: [] };
  const low = rules.firstDealer === "cut" ? 1 : 2;
  const height = (card: string): number => (card === "X" ? 13 : (RANKS.indexOf(card[0]!) - low + 13) % 13);
  let seats = Array.from({ length: rules.firstDealer === "cut" ? 2 : players }, (_, seat) => seat);
  const rounds: Round[] = [];
  while (seats.length > 1) {
    const cards = new Draws(seed, match, 0, `dealer ${rounds.length + 1}`).shuffled(orderedPack(rules));
    const round = seats.map((seat, index) => ({ seat, card: cards[index]! }));
    rounds.push(round);
    const lowest = Math.min(...round.map((one) => height(one.card)));
    seats = round.filter((one) => height(one.card) === lowest).map((one) => one.seat);
  }
  return { dealer: seats[0]!, rounds };
}

/** Where the card of an index is dealt. */
export function placeOf(
  record: FairRecord,
  dealer: number,
  index: number,
): { readonly place: string; readonly values: Readonly<Record<string, number>> } {
  const { rules, players } = record;
  let rest = index - players * rules.hand;
  if (rest < 0) return { place: "hand", values: { seat: (dealer + 1 + index) % players } };
  if (rest < 2 * rules.morto) return { place: "morto", values: { number: Math.floor(rest / rules.morto) + 1 } };
  rest -= 2 * rules.morto;
  if (rules.upCard && rest === 0) return { place: "up_card", values: {} };
  return { place: "stock", values: { number: rest + 1 - (rules.upCard ? 1 : 0) } };
}

/** The cards of a seat before the first turn. */
export function handOf(record: FairRecord, dealer: number, pack: readonly string[], seat: number): readonly string[] {
  const dealt = pack.slice(0, record.players * record.rules.hand);
  return dealt.filter((_, index) => (dealer + 1 + index) % record.players === seat);
}

/** The seed of a deal and the pack that follows from it; null where the evidence does not tell it. */
export function drawn(
  record: FairRecord,
  deal: FairDeal,
): { readonly seed: Uint8Array; readonly pack: readonly string[]; readonly commitment: string } | null {
  const own = seedOf(deal.revealedSeed);
  const seats = Array.from({ length: record.players }, (_, seat) => {
    const given = deal.playerSeeds[seat] ?? "";
    return given === "" ? null : (seedOf(given) ?? undefined);
  });
  if (own === null || seats.includes(undefined)) return null;
  const seed = dealSeed(own, record.name, deal.number, seats as readonly (Uint8Array | null)[]);
  return {
    seed,
    pack: packOf(record.rules, seed, record.name, deal.number),
    commitment: commitmentOf(own, record.name, deal.number),
  };
}

/** Everything in the evidence of a record that does not hold, or that nothing can show. */
export function checkRecord(record: FairRecord): readonly Finding[] {
  if (record.deals.every((deal) => deal.commitment === "" && deal.revealedSeed === "")) {
    return [fault("no_evidence", 0)];
  }
  return [...record.deals.flatMap((deal) => checkDeal(record, deal)), ...repeated(record)];
}

const fault = (code: string, deal: number, values: Finding["values"] = {}): Finding => ({
  code,
  deal,
  fault: true,
  values,
});

function checkDeal(record: FairRecord, deal: FairDeal): readonly Finding[] {
  const { number } = deal;
  const found: Finding[] = [];
  if (deal.commitment === "") found.push(fault("commitment_missing", number));
  if (deal.revealedSeed === "") found.push(fault("reveal_missing", number));
  found.push(...given(record, deal));
  const made = drawn(record, deal);
  if (made === null) return deal.revealedSeed === "" ? found : [...found, fault("evidence", number)];
  if (number === 1) found.push(...dealer(record, made.seed));
  if (deal.commitment !== "" && made.commitment !== deal.commitment) {
    found.push(fault("commitment_broken", number, { found: made.commitment, expected: deal.commitment }));
  }
  if (deal.pack !== null) found.push(...different(record, deal, deal.pack, made.pack));
  return [...found, ...cut(record, deal, made.seed)];
}

function given(record: FairRecord, deal: FairDeal): readonly Finding[] {
  const found: Finding[] = [];
  deal.playerSeeds.forEach((seed, seat) => {
    if (seed !== "" && record.seats[seat]?.bot) found.push(fault("bot_seed", deal.number, { seat }));
    if (seed === hexOf(PUBLIC_SEED)) found.push(fault("public_seed", deal.number, { seat }));
  });
  if (deal.playerSeeds.every((seed) => seed === "")) {
    found.push({ ...fault("no_player_seed", deal.number), fault: false });
  }
  return found;
}

function dealer(record: FairRecord, seed: Uint8Array): readonly Finding[] {
  if (!record.dealerDrawn) {
    return [{ ...fault("dealer_chosen", 0, { seat: record.firstDealer }), fault: false }];
  }
  const made = drawDealer(record.rules, record.players, seed, record.name);
  const same =
    made.dealer === record.firstDealer && JSON.stringify(made.rounds) === JSON.stringify(record.dealerRounds);
  return same ? [] : [fault("dealer", 0, { found: record.firstDealer, expected: made.dealer })];
}

function cut(record: FairRecord, deal: FairDeal, seed: Uint8Array): readonly Finding[] {
  if (!record.rules.cutPaid || deal.cut === null) return [];
  const { seat, aim, count } = deal.cut;
  if (aim === null) return [fault("cut_aim_missing", deal.number, { seat })];
  const lifted = liftedCount(record.rules, seed, record.name, deal.number, aim);
  return lifted === count ? [] : [fault("cut", deal.number, { seat, aim, found: count, expected: lifted })];
}

/** The first card at which two packs differ, and how many do. */
function different(
  record: FairRecord,
  deal: FairDeal,
  played: readonly string[],
  pack: readonly string[],
): readonly Finding[] {
  const length = Math.max(played.length, pack.length);
  const wrong = Array.from({ length }, (_, index) => index).filter((index) => played[index] !== pack[index]);
  const [first] = wrong;
  if (first === undefined) return [];
  const { place, values } = placeOf(record, deal.dealer, first);
  const cards = { found: played[first] ?? "-", expected: pack[first] ?? "-" };
  return [{ ...fault("pack", deal.number, { ...values, ...cards, card: first + 1, count: wrong.length }), place }];
}

function repeated(record: FairRecord): readonly Finding[] {
  const seen = new Map<string, number>();
  return record.deals.flatMap(({ revealedSeed, number }) => {
    const other = revealedSeed === "" ? undefined : seen.get(revealedSeed);
    if (other === undefined) seen.set(revealedSeed, number);
    return other === undefined ? [] : [fault("seed_again", number, { other })];
  });
}
