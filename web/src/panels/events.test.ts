import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "../core/i18n";
import type { Event } from "../protocol";
import protocolSource from "../protocol.ts?raw";
import { chatWords, EVENT_NAMES, eventParts, eventText } from "./events";
import { EVENTS, seatsOf, tableOf, youOf } from "./testing";

const table = tableOf();
const context = { table, you: youOf(0) };

/** The names of events in the generated protocol, so that a new one is missed by no panel. */
function protocolEvents(): string[] {
  return [...protocolSource.matchAll(/readonly event: "(\w+)";/g)].map((match) => match[1]!);
}

beforeAll(() => setLanguage("en"));

describe("the sentences of the log", () => {
  it("there is one for every event of the protocol, and for nothing else", () => {
    expect([...EVENT_NAMES].sort()).toEqual(protocolEvents().sort());
    expect(Object.keys(EVENTS).sort()).toEqual(protocolEvents().sort());
  });

  it.each(Object.values(EVENTS))("$event is a whole sentence for who plays, for others and for spectators", (event) => {
    const own = "seat" in event && event.seat !== null ? event.seat : 0;
    for (const you of [youOf(own), youOf((own + 1) % 4), youOf(null), null]) {
      const text = eventText(event, { table, you });
      expect(text).toMatch(/[.!>)]$/);
      expect(text).not.toMatch(/web\.|[{}\uE000\uE001]|undefined|null|NaN/);
      expect(text.length).toBeGreaterThan(5);
    }
  });

  it("speaks to the one whose seat it is, and names everybody else", () => {
    expect(eventText({ ...EVENTS.discarded, seat: 0 }, context)).toBe("You discard Queen of hearts.");
    expect(eventText(EVENTS.discarded, context)).toBe("Lúcia discards Queen of hearts.");
    expect(eventText({ ...EVENTS.discarded, seat: 2 }, context)).toBe("Bot 3 discards Queen of hearts.");
  });

  it("keeps cards apart from words, so that they can be drawn", () => {
    expect(eventParts(EVENTS.meld_laid, context)).toEqual([
      "Lúcia lays ",
      { cards: ["3h", "4h", "X", "6h"], wild: 2 },
      ".",
    ]);
  });

  it("tells an addition with the meld that it makes, and that the wild moved", () => {
    const parts = eventParts(EVENTS.card_added, context);
    expect(parts[1]).toEqual({ cards: ["7h"], wild: null });
    expect(parts[3]).toEqual({ cards: ["3h", "4h", "X", "6h", "7h"], wild: 2 });
    expect(parts.at(-1)).toContain("wild moves");
    expect(eventParts({ ...EVENTS.card_added, wild_to: 5 }, context).at(-1)).not.toContain("wild");
  });

  it("tells the own new cards in the order of a sorted hand", () => {
    expect(eventParts({ ...EVENTS.hand_dealt, cards: ["X", "2c", "7h", "As"] }, context)[1]).toEqual({
      cards: ["As", "7h", "2c", "X"],
      wild: null,
    });
  });

  it("tells what a seat holds by name to who watches with open hands, and to the seat as its own", () => {
    const watcher = { table, you: youOf(null) };
    expect(eventText({ ...EVENTS.card_drawn, seat: 1 }, watcher)).toBe("Lúcia draws Ten of clubs.");
    expect(eventText({ ...EVENTS.card_drawn, seat: 1 }, { table, you: youOf(1) })).toBe("You draw Ten of clubs.");
    expect(eventText({ ...EVENTS.hand_dealt, seat: 1 }, watcher)).toContain("Lúcia is dealt");
    expect(eventText({ ...EVENTS.morto_seen, seat: 1 }, watcher)).toContain("Lúcia finds");
    expect(eventText({ ...EVENTS.pile_rest_seen, seat: 1 }, watcher)).toContain("Lúcia finds");
  });

  it("tells of a closed pile that only its top was shown", () => {
    const event = { ...EVENTS.pile_taken, count: 7 };
    expect(eventText(event, context)).toBe(
      "Lúcia takes the closed pile, 7 cards; on top Nine of diamonds, Four of clubs.",
    );
  });

  it("puts the own side first in scores", () => {
    expect(eventText(EVENTS.deal_ended, context)).toContain("485 : −70");
    expect(eventText(EVENTS.deal_ended, { table, you: youOf(1) })).toBe("You go out. The deal is over, −70 : 485.");
  });

  it("names the winner to spectators and says won or lost to players", () => {
    expect(eventText(EVENTS.match_ended, context)).toContain("You win");
    expect(eventText(EVENTS.match_ended, { table, you: youOf(1) })).toContain("You lose");
    expect(eventText(EVENTS.match_ended, { table, you: null })).toContain("Ana and Bot 3");
    expect(eventText({ ...EVENTS.match_ended, winner: null }, context)).toContain("draw");
  });

  it("says nothing of an event that this page does not know", () => {
    expect(eventParts({ event: "from_the_future" } as unknown as Event, context)).toEqual([]);
  });

  it("keeps unknown causes and kinds of ends from breaking a sentence", () => {
    expect(eventText({ ...EVENTS.bot_took_over, cause: "new" }, context)).toContain("Lúcia is away");
    expect(eventText({ ...EVENTS.deal_ended, out_seat: -1, end_kind: "new" }, context)).toContain("The deal is over");
    expect(eventText({ ...EVENTS.table_closed, cause: "new" }, context)).toBe("The table is closed.");
  });

  it("leaves an empty seat its number", () => {
    const open = tableOf({ seats: [seatsOf.empty(0), seatsOf.empty(1), seatsOf.empty(2), seatsOf.empty(3)] });
    expect(eventText(EVENTS.discarded, { table: open, you: null })).toBe("Seat 2 discards Queen of hearts.");
  });
});

describe("a line of chat", () => {
  it("is the words that were written, or those of the phrase in the reader's language", () => {
    expect(chatWords({ text: "<b>hi</b>", phrase: "" })).toBe("<b>hi</b>");
    expect(chatWords({ text: "", phrase: "good_game" })).toBe("Good game!");
    expect(chatWords({ text: "", phrase: "unheard_of" })).toBe("unheard_of");
  });
});
