import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { cardLabel, cardText, indexText, LETTERS, parseCard, RANKS, sortCards, SUITS } from "./cards";
import { setLanguage } from "./i18n";

beforeAll(() => setLanguage("en"));

const all = [...SUITS.flatMap((suit) => [...RANKS].map((rank) => `${rank}${suit}`)), "X"];
const same = (card: string): string => card;

describe("cards", () => {
  it("are read as the protocol writes them", () => {
    expect(parseCard("Th")).toEqual({ rank: "T", suit: "h" });
    expect(parseCard("X")).toEqual({ rank: "X", suit: null });
  });

  it("have words of their own, all different", () => {
    expect(cardLabel("As")).toBe("Ace of spades");
    expect(cardLabel("X")).toBe("Joker");
    expect(new Set(all.map(cardLabel)).size).toBe(53);
    expect(all.map(cardLabel).filter((label) => label.includes("web."))).toEqual([]);
  });

  it("have the index letters of a country", () => {
    expect([..."ATJQKX"].map((rank) => indexText(rank, "int"))).toEqual(["A", "10", "J", "Q", "K", ""]);
    expect([..."AJQK2"].map((rank) => indexText(rank, "ru"))).toEqual(["Т", "В", "Д", "К", "2"]);
    expect(cardText("Qd", "it")).toBe("D♦");
    expect(cardText("X")).toBe("★");
  });

  it("have a letter of their own in every country, so that none is mistaken", () => {
    for (const letters of Object.values(LETTERS)) expect(new Set(letters).size).toBe(4);
  });

  it("are sorted by suit: ♠ ♥ ♣ ♦, in each A 2 … K, jokers last", () => {
    expect(sortCards(["X", "2d", "Kd", "Ac", "Th", "9h", "As"], "suit", same)).toEqual([
      "As",
      "9h",
      "Th",
      "Ac",
      "2d",
      "Kd",
      "X",
    ]);
    expect(sortCards([...all].reverse(), "suit", same)).toEqual(all);
  });

  it("are sorted by rank: A 2 … K, in each by suit, jokers last", () => {
    expect(sortCards(["X", "Kd", "2d", "2s", "Ac", "Ah"], "rank", same)).toEqual(["Ah", "Ac", "2s", "2d", "Kd", "X"]);
  });

  it("keep their order where they are equal", () => {
    const twins = [
      { card: "7h", copy: 1 },
      { card: "X", copy: 1 },
      { card: "7h", copy: 2 },
    ];
    expect(sortCards(twins, "suit", (one) => one.card).map((one) => one.copy)).toEqual([1, 2, 1]);
  });
});

describe("the bundled fonts", () => {
  it("come with their licence", () => {
    expect(readFileSync(`${import.meta.dirname}/../fonts/OFL.txt`, "utf-8")).toContain("SIL OPEN FONT LICENSE");
  });
});
