import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkRecord,
  commitmentOf,
  dealSeed,
  Draws,
  drawDealer,
  drawn,
  handOf,
  liftedCount,
  packOf,
  placeOf,
} from "./fair";
import { readRecord, type FairRecord, type FairRules } from "./record-text";
import { hexOf, hmac, seedOf, sha256, utf8 } from "./sha256";

interface Vector {
  readonly rules: string;
  readonly match: string;
  readonly players: number;
  readonly deal: number;
  readonly server_seed: string;
  readonly player_seeds: readonly string[];
  readonly commitment: string;
  readonly deal_seed: string;
  readonly first_dealer?: number;
  readonly dealer_rounds?: readonly (readonly string[])[];
  readonly cut_aim?: number;
  readonly cut_count?: number;
  readonly pack_words: readonly number[];
  readonly pack: readonly string[];
}

const DOCUMENT = readFileSync(join(import.meta.dirname, "../../../docs/fair-shuffle.md"), "utf-8");
const VECTORS = [...DOCUMENT.matchAll(/```json-vector\n([\s\S]*?)```/g)].map(
  (found) => JSON.parse(found[1]!) as Vector,
);

const RULES: FairRules = {
  suits: "cdhs",
  ranks: "A23456789TJQK",
  copies: 2,
  jokers: 4,
  hand: 11,
  morto: 11,
  upCard: false,
  cutPaid: false,
  firstDealer: "random",
};
/** What the rule sets of the vectors have of their own. */
const OWN: Readonly<Record<string, Partial<FairRules>>> = {
  classico: { cutPaid: true, firstDealer: "cut" },
  burraco: { upCard: true, firstDealer: "lowest_card" },
  "aberto-104": { jokers: 0 },
};
const rulesOf = (vector: Vector): FairRules => ({ ...RULES, ...OWN[vector.rules] });
const seedsOf = (vector: Vector): (Uint8Array | null)[] => vector.player_seeds.map((one) => seedOf(one));

function recordOf(vector: Vector, changes: Partial<FairRecord["deals"][number]> = {}): FairRecord {
  const rounds = (vector.dealer_rounds ?? []).map((round) =>
    round.map((one) => ({ seat: Number(one.split(" ")[0]), card: one.split(" ")[1]! })),
  );
  const { cut_aim: aim, cut_count: count } = vector;
  return {
    name: vector.match,
    rules: rulesOf(vector),
    players: vector.players,
    seats: vector.player_seeds.map(() => ({ name: "Ana", bot: "" })),
    firstDealer: vector.first_dealer ?? 0,
    dealerDrawn: vector.first_dealer !== undefined,
    dealerRounds: rounds,
    deals: [
      {
        number: vector.deal,
        dealer: vector.first_dealer ?? 0,
        cut: aim === undefined ? null : { seat: 3, count: count!, aim },
        pack: vector.pack.flatMap((line) => line.split(" ")),
        commitment: vector.commitment,
        revealedSeed: vector.server_seed,
        playerSeeds: vector.player_seeds,
        ...changes,
      },
    ],
  };
}
const codes = (record: FairRecord): readonly string[] => checkRecord(record).map((one) => one.code);
const FIRST = VECTORS[0]!;

describe("SHA-256 and HMAC", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["a".repeat(119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"],
  ])("of %j", (text, digest) => expect(hexOf(sha256(utf8(text)))).toBe(digest));

  it("agree with the browser's own for every length around a block", async () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 128, 1000]) {
      const message = new Uint8Array(length).map((_, index) => (index * 7) % 256);
      expect(hexOf(sha256(message))).toBe(hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", message))));
      const key = await crypto.subtle.importKey(
        "raw",
        length > 0 ? message : new Uint8Array(1),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
      expect(hexOf(hmac(length > 0 ? message : new Uint8Array(1), message))).toBe(hexOf(signed));
    }
  });
});

describe("the test vectors of docs/fair-shuffle.md", () => {
  it("are all there", () => expect(VECTORS.length).toBe(4));

  it.each(VECTORS)("of $rules, deal $deal", (vector) => {
    const server = seedOf(vector.server_seed)!;
    const seed = dealSeed(server, vector.match, vector.deal, seedsOf(vector));
    const rules = rulesOf(vector);
    expect(commitmentOf(server, vector.match, vector.deal)).toBe(vector.commitment);
    expect(hexOf(seed)).toBe(vector.deal_seed);
    expect(packOf(rules, seed, vector.match, vector.deal)).toEqual(vector.pack.flatMap((line) => line.split(" ")));
    const words = new Draws(seed, vector.match, vector.deal, "pack");
    expect(vector.pack_words.map(() => words.word())).toEqual(vector.pack_words);
    if (vector.cut_aim !== undefined) {
      expect(liftedCount(rules, seed, vector.match, vector.deal, vector.cut_aim)).toBe(vector.cut_count);
    }
    if (vector.first_dealer !== undefined) {
      const made = drawDealer(rules, vector.players, seed, vector.match);
      expect(made.dealer).toBe(vector.first_dealer);
      const rounds = made.rounds.map((round) => round.map(({ seat, card }) => `${seat} ${card}`));
      expect(rounds).toEqual(vector.dealer_rounds ?? []);
    }
    expect(checkRecord(recordOf(vector)).filter((one) => one.fault)).toEqual([]);
  });

  it("of the public constant", () => {
    expect(DOCUMENT).toContain(hexOf(sha256(utf8("buraco-public-seed-1"))));
  });
});

describe("a record that does not hold", () => {
  it.each([
    [
      "another seed than was committed to",
      { revealedSeed: "ab".repeat(32), pack: null },
      ["dealer", "commitment_broken"],
    ],
    ["no commitment", { commitment: "" }, ["commitment_missing"]],
    ["no revealed seed", { revealedSeed: "" }, ["reveal_missing"]],
    ["another commitment", { commitment: "0".repeat(64) }, ["commitment_broken"]],
    ["a seed that is none", { revealedSeed: "xyz" }, ["evidence"]],
    ["no evidence at all", { revealedSeed: "", commitment: "" }, ["no_evidence"]],
  ] as const)("has %s", (_, changes, found) => {
    expect(codes(recordOf(FIRST, changes))).toEqual(found);
  });

  it("names the first card that is another one, where it was dealt, and how many are", () => {
    const pack = FIRST.pack.flatMap((line) => line.split(" "));
    [pack[2], pack[50]] = [pack[50]!, pack[2]!];
    const [found] = checkRecord(recordOf(FIRST, { pack }));
    expect(found).toEqual({
      code: "pack",
      deal: 1,
      fault: true,
      place: "hand",
      values: { seat: 0, found: "Kd", expected: "Th", card: 3, count: 2 },
    });
    expect(codes(recordOf(FIRST, { pack: pack.slice(0, 107) }))).toEqual(["pack"]);
  });

  it("has a bot or the public constant with a say, a cut, or a seed that was known", () => {
    const record = recordOf(FIRST);
    const seats = record.seats.map((seat, index) => ({ ...seat, bot: index === 0 ? "club" : "" }));
    expect(codes({ ...record, seats })).toEqual(["bot_seed"]);
    const constant = hexOf(sha256(utf8("buraco-public-seed-1")));
    const disguised = { playerSeeds: [FIRST.player_seeds[0]!, constant, FIRST.player_seeds[2]!, ""] };
    expect(codes(recordOf(FIRST, disguised))).toEqual(["public_seed"]);
    const lifted = VECTORS[1]!;
    expect(codes(recordOf(lifted, { cut: { seat: 3, count: 22, aim: 22 } }))).toEqual(["cut"]);
    expect(codes(recordOf(lifted, { cut: { seat: 3, count: 27, aim: null } }))).toEqual(["cut_aim_missing"]);
    const twice = { ...record, deals: [record.deals[0]!, { ...record.deals[0]!, number: 2 }] };
    expect(codes(twice)).toContain("seed_again");
  });

  it("is told apart from what nothing can show", () => {
    const silent = checkRecord(recordOf(VECTORS[3]!));
    expect(silent.map((one) => [one.code, one.fault])).toEqual([["no_player_seed", false]]);
    const chosen = checkRecord({ ...recordOf(FIRST), dealerDrawn: false });
    expect(chosen.map((one) => [one.code, one.fault])).toEqual([["dealer_chosen", false]]);
  });
});

describe("where a card is dealt", () => {
  it("is a hand, a morto, the up-card or the stock", () => {
    const record = recordOf(VECTORS[2]!);
    const at = (index: number): unknown => placeOf(record, 0, index);
    expect(at(0)).toEqual({ place: "hand", values: { seat: 1 } });
    expect(at(22)).toEqual({ place: "morto", values: { number: 1 } });
    expect(at(33)).toEqual({ place: "morto", values: { number: 2 } });
    expect(at(44)).toEqual({ place: "up_card", values: {} });
    expect(at(45)).toEqual({ place: "stock", values: { number: 1 } });
    const pack = drawn(record, record.deals[0]!)!.pack;
    expect(handOf(record, 0, pack, 1).slice(0, 2)).toEqual([pack[0], pack[2]]);
  });
});

describe("the text of a record", () => {
  const deal = recordOf(VECTORS[1]!).deals[0]!;
  const text = `buraco-record 1
name: Mesa: da avó
rule joker_count: 0
rule up_card: true
rule cut_bonus: 100
rule first_dealer: "lowest_card"
players: 4
seat 0: "Ana | Maria"
seat 1: "Bruno"
seat 2: "\\"a|" | greedy
seat 3: Caio | club
first_dealer: 2 drawn
dealer_round: 0 7h, 1 3d
tag date: 2026
# a comment: with a colon

deal 1
dealer: 2
cut: 3 22 100 aim 20
totals: 0 0
commitment: ${deal.commitment}
revealed_seed: ${deal.revealedSeed}
player_seed 1: ${"a".repeat(64)}
turn 0 seat 3: draw
# after it
outcome: closed seat 3; scores 465 -120; totals 565 -120
`;

  it("is read as far as the check needs it", () => {
    const read = readRecord(text);
    expect(read).toMatchObject({ name: "Mesa: da avó", players: 4, firstDealer: 2, dealerDrawn: true });
    expect(read.rules).toMatchObject({ jokers: 0, upCard: true, cutPaid: true, firstDealer: "lowest_card", hand: 11 });
    expect(read.seats).toEqual([
      { name: "Ana | Maria", bot: "" },
      { name: '"Bruno"', bot: "" },
      { name: '"a|', bot: "greedy" },
      { name: "Caio", bot: "club" },
    ]);
    expect(read.dealerRounds).toEqual([
      [
        { seat: 0, card: "7h" },
        { seat: 1, card: "3d" },
      ],
    ]);
    expect(read.deals).toEqual([
      {
        number: 1,
        dealer: 2,
        cut: { seat: 3, count: 22, aim: 20 },
        pack: null,
        commitment: deal.commitment,
        revealedSeed: deal.revealedSeed,
        playerSeeds: ["", "a".repeat(64), "", ""],
      },
    ]);
  });

  it("says the same as the JSON form", () => {
    const form = {
      name: "x",
      rules: { joker_count: 4 },
      players: 2,
      seats: [{ name: "Ana" }, { name: "c", bot: "club" }],
      first_dealer: 1,
      deals: [{ number: 1, dealer: 1, pack: ["7h"] }],
    };
    const lines =
      "buraco-record 1\nname: x\nrule joker_count: 4\nplayers: 2\nseat 0: Ana\nseat 1: c | club\nfirst_dealer: 1\n\ndeal 1\ndealer: 1\npack: 7h";
    expect(readRecord(JSON.stringify(form))).toEqual(readRecord(lines));
  });

  it.each(["", "nonsense", "{}", "buraco-record 1\nplayers: 3", '{"name":"x","players":2,"deals":[]}'])(
    "is not %j",
    (one) => {
      expect(() => readRecord(one)).toThrow();
    },
  );

  it.each([
    "rule pack_copies: 1000000000",
    "rule joker_count: 1e9",
    "rule hand_size: 0",
    "rule morto_size: 1.5",
    'rule pack_suits: "c"\nrule pack_ranks: "A"',
    'rule pack_ranks: "AAA"',
    'rule pack_suits: "c"\nrule pack_ranks: "A23"\nrule pack_copies: 1\nrule joker_count: 0',
    'rule first_dealer: "never"',
  ])("of rules that no pack or dealer can come from is none: %j", (rules) => {
    expect(() =>
      readRecord(text.replaceAll(/^rule .*\n/gm, "").replace("players: 4", `${rules}\nplayers: 4`)),
    ).toThrow();
  });
});
