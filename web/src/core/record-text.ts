// What the check of a shuffle needs of a game record, read from its text or its JSON form (docs/notation.md). Whether all
// else of it holds is for the referee to say.

export interface FairRules {
  readonly suits: string;
  readonly ranks: string;
  readonly copies: number;
  readonly jokers: number;
  readonly hand: number;
  readonly morto: number;
  readonly upCard: boolean;
  readonly cutPaid: boolean;
  readonly firstDealer: "random" | "cut" | "lowest_card";
}

export interface FairDeal {
  readonly number: number;
  readonly dealer: number;
  readonly cut: { readonly seat: number; readonly count: number; readonly aim: number | null } | null;
  readonly pack: readonly string[] | null;
  readonly commitment: string;
  readonly revealedSeed: string;
  readonly playerSeeds: readonly string[];
}

export interface FairRecord {
  readonly name: string;
  readonly rules: FairRules;
  readonly players: number;
  readonly seats: readonly { readonly name: string; readonly bot: string }[];
  readonly firstDealer: number;
  readonly dealerDrawn: boolean;
  readonly dealerRounds: readonly (readonly { readonly seat: number; readonly card: string }[])[];
  readonly deals: readonly FairDeal[];
}

/** The JSON form as far as it is read here. */
interface Form {
  readonly name: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly players: number;
  readonly seats: readonly { readonly name: string; readonly bot?: string }[];
  readonly first_dealer: number;
  readonly dealer_drawn?: boolean;
  readonly dealer_rounds?: FairRecord["dealerRounds"];
  readonly deals: readonly DealForm[];
}

interface DealForm {
  readonly number: number;
  readonly dealer: number;
  readonly cut?: { readonly seat: number; readonly count: number; readonly aim?: number };
  readonly pack?: readonly string[];
  readonly commitment?: string;
  readonly revealed_seed?: string;
  readonly player_seeds?: readonly string[];
}

/** Read a record. Throws an error for what is none. */
export function readRecord(text: string): FairRecord {
  const form = text.trimStart().startsWith("{") ? (JSON.parse(text) as Form) : formOf(text);
  const { name, players, seats, deals } = form;
  if (typeof name !== "string" || ![2, 4].includes(players) || !Array.isArray(deals) || deals.length === 0) {
    throw new Error("no record");
  }
  return {
    name,
    players,
    rules: possible(rulesOf(form.rules), players),
    seats: seats.map((seat) => ({ name: seat.name, bot: seat.bot ?? "" })),
    firstDealer: form.first_dealer,
    dealerDrawn: form.dealer_drawn === true,
    dealerRounds: (form.dealer_rounds ?? []).map((round) => round.map(({ seat, card }) => ({ seat, card }))),
    deals: deals.map((deal) => ({
      number: deal.number,
      dealer: deal.dealer,
      cut: deal.cut ? { seat: deal.cut.seat, count: deal.cut.count, aim: deal.cut.aim ?? null } : null,
      pack: deal.pack ?? null,
      commitment: deal.commitment ?? "",
      revealedSeed: deal.revealed_seed ?? "",
      playerSeeds: deal.player_seeds ?? [],
    })),
  };
}

function rulesOf(rules: Readonly<Record<string, unknown>>): FairRules {
  const number = (name: string, usual: number): number => (typeof rules[name] === "number" ? rules[name] : usual);
  const text = (name: string, usual: string): string => (typeof rules[name] === "string" ? rules[name] : usual);
  return {
    suits: text("pack_suits", "cdhs"),
    ranks: text("pack_ranks", "A23456789TJQK"),
    copies: number("pack_copies", 2),
    jokers: number("joker_count", 4),
    hand: number("hand_size", 11),
    morto: number("morto_size", 11),
    upCard: rules.up_card === true,
    cutPaid: number("cut_bonus", 0) !== 0,
    firstDealer: text("first_dealer", "random") as FairRules["firstDealer"],
  };
}

const FIRST_DEALERS: ReadonlySet<string> = new Set<FairRules["firstDealer"]>(["random", "cut", "lowest_card"]);

/** The rules, if a pack can be made of them and a dealer drawn: a file may say anything. Throws an error else. */
function possible(rules: FairRules, players: number): FairRules {
  const { suits, ranks, copies, jokers, hand, morto } = rules;
  const within = (number: number, least: number, most: number): boolean =>
    Number.isInteger(number) && number >= least && number <= most;
  const kinds = /^[cdhs]{1,4}$/.test(suits) && /^[A2-9TJQK]{3,13}$/.test(ranks);
  const counts = within(copies, 1, 2) && within(jokers, 0, 4) && within(hand, 2, 40) && within(morto, 2, 40);
  const alike = new Set(suits).size < suits.length || new Set(ranks).size < ranks.length;
  const cards = suits.length * ranks.length * copies + jokers;
  if (!kinds || !counts || alike || cards < players || !FIRST_DEALERS.has(rules.firstDealer)) {
    throw new Error("no record");
  }
  return rules;
}

type Draft = { -readonly [Key in keyof DealForm]: DealForm[Key] } & { player_seeds: string[] };

/** The text as its JSON form: only the lines that the check needs are looked at. */
function formOf(text: string): Form {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trim() !== "buraco-record 1") throw new Error("no record");
  const rules: Record<string, unknown> = {};
  const seats: { name: string; bot?: string }[] = [];
  const rounds: { seat: number; card: string }[][] = [];
  const deals: Draft[] = [];
  const head: Record<string, string> = {};
  for (const line of lines.map((one) => one.trim())) {
    const deal = deals.at(-1);
    const begin = /^deal (\d+)$/.exec(line);
    const [, key = "", value = ""] = /^([^:#]+): ?(.*)$/.exec(line) ?? [];
    const [word = "", rest = ""] = key.split(" ");
    if (begin) deals.push({ number: Number(begin[1]), dealer: 0, player_seeds: [] });
    else if (deal) dealLine(deal, word, rest, value);
    else if (word === "rule") rules[rest] = JSON.parse(value);
    else if (word === "seat") seats.push(seatOf(value));
    else if (word === "dealer_round") rounds.push(value.split(", ").map(drawOf));
    else head[key] = value;
  }
  const players = Number(head.players);
  return {
    name: head.name ?? "",
    rules,
    players,
    seats,
    first_dealer: Number(head.first_dealer?.split(" ")[0]),
    dealer_drawn: head.first_dealer?.endsWith(" drawn") === true,
    dealer_rounds: rounds,
    deals: deals.map((deal) => ({
      ...deal,
      player_seeds: deal.player_seeds.length
        ? Array.from({ length: players }, (_, i) => deal.player_seeds[i] ?? "")
        : [],
    })),
  };
}

function dealLine(deal: Draft, word: string, rest: string, value: string): void {
  if (word === "dealer") deal.dealer = Number(value);
  else if (word === "pack") deal.pack = value.split(" ");
  else if (word === "commitment" || word === "revealed_seed") deal[word] = value;
  else if (word === "player_seed") deal.player_seeds[Number(rest)] = value;
  else if (word === "cut") {
    const [seat, count, , , aim] = value.split(" ").map(Number);
    deal.cut = { seat: seat!, count: count!, ...(aim === undefined ? {} : { aim }) };
  }
}

function seatOf(value: string): { name: string; bot?: string } {
  // A name that could be misread is written as a JSON string.
  const [, quoted, level] = /^("(?:[^"\\]|\\.)*")(?: \| (.*))?$/.exec(value) ?? [];
  const name = quoted === undefined ? "" : stringOf(quoted);
  if (name.includes("|") || name.startsWith('"')) return level === undefined ? { name } : { name, bot: level };
  const at = value.indexOf(" | ");
  return at < 0 ? { name: value } : { name: value.slice(0, at), bot: value.slice(at + 3) };
}

function stringOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return "";
  }
}

function drawOf(text: string): { seat: number; card: string } {
  const [seat = "", card = ""] = text.split(" ");
  return { seat: Number(seat), card };
}
