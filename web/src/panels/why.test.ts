import { describe, expect, it } from "vitest";
import type { Event } from "../protocol";
import { EVENTS, logOf, seatsOf, tableOf, youOf } from "./testing";
import { explainable, reasonParts } from "./why";

describe("which moves are explained", () => {
  const table = tableOf({
    seats: [seatsOf.person(0, "Ana"), seatsOf.bot(1), seatsOf.person(2, "Rita"), seatsOf.bot(3)],
  });
  const drew = (seat: number): Event => ({ ...EVENTS.drew, seat }) as Event;
  const events: readonly Event[] = [drew(0), drew(1), drew(2), drew(3)];

  it("those of bots, when the deal is over", () => {
    expect([...explainable(logOf(events), table, youOf(0))]).toEqual([]);
    expect([...explainable(logOf([...events, EVENTS.deal_ended, drew(1)]), table, youOf(0))]).toEqual([1, 3]);
  });

  it("that of a bot in the own seat at once, and only while it plays there", () => {
    const away: readonly Event[] = [
      { ...EVENTS.bot_took_over, seat: 0 } as Event,
      drew(0),
      { ...EVENTS.seat_taken_back, seat: 0 } as Event,
      drew(0),
    ];
    expect([...explainable(logOf(away), table, youOf(0))]).toEqual([1]);
    expect([...explainable(logOf(away), table, youOf(2))]).toEqual([]);
  });

  it("none for who has no seat", () => {
    expect([...explainable(logOf([...events, EVENTS.deal_ended]), table, youOf(null))]).toEqual([]);
    expect([...explainable(logOf([...events, EVENTS.deal_ended]), table, null)]).toEqual([]);
  });
});

describe("a reason", () => {
  it("has the cards that it names apart, to be drawn", () => {
    const text = "It keeps cards together that may become a run: As Ks.";
    expect(reasonParts({ text, values: { cards: "As Ks" } })).toEqual({
      before: "It keeps cards together that may become a run: ",
      cards: ["As", "Ks"],
      after: ".",
    });
  });

  it("is one text where it names none", () => {
    const text = "The pile has 4 cards.";
    expect(reasonParts({ text, values: { count: 4 } })).toEqual({ before: text, cards: [], after: "" });
    expect(reasonParts({ text, values: { cards: "" } })).toEqual({ before: text, cards: [], after: "" });
  });
});
