import { describe, expect, it } from "vitest";
import type { Event, View } from "../protocol";
import { cuesOf, isMyTurn } from "./cues";
import type { Picture, Step } from "./table-store";
import { YOU, aTable, aView } from "./testing/fakes";

const picture = (view: View, change: Partial<Picture> = {}): Picture =>
  ({ table: aTable(), you: YOU, view, ...change }) as unknown as Picture;
const theirs = aView({ turn_seat: 1, legal: null });
const step = (before: Picture, after: Picture, names: readonly string[] = [], how: Step["how"] = "paced"): Step => ({
  before,
  after,
  how,
  events: names.map((event) => ({ event, number: 1, seat: 1 }) as unknown as Event),
});

describe("the own turn", () => {
  it("is nobody else's, not a bot's in our place, and none once the deal is over", () => {
    expect(isMyTurn(picture(aView()))).toBe(true);
    expect(isMyTurn(picture(theirs))).toBe(false);
    expect(isMyTurn(picture(aView(), { you: { ...YOU, seat: null } }))).toBe(false);
    expect(isMyTurn(picture(aView(), { table: aTable({ phase: "between" }) }))).toBe(false);
    const [own, bot] = aTable().seats;
    const replaced = aTable({ seats: [{ ...own!, played_by_bot: "away" }, bot!] });
    expect(isMyTurn(picture(aView(), { table: replaced }))).toBe(false);
  });

  it("is told once", () => {
    expect(cuesOf(step(picture(theirs), picture(aView()))).turn).toBe(true);
    expect(cuesOf(step(picture(aView()), picture(aView({ stock_count: 3 })))).turn).toBe(false);
    expect(cuesOf(step(picture(aView()), picture(aView({ turn_count: 2 })))).turn).toBe(true);
  });
});

describe("sounds", () => {
  it.each([
    ["drew", "draw"],
    ["pile_taken", "draw"],
    ["meld_laid", "lay"],
    ["card_added", "lay"],
    ["discarded", "discard"],
    ["deal_started", "deal"],
    ["chat_said", null],
  ])("of %s is %s", (name, sound) => {
    expect(cuesOf(step(picture(theirs), picture(theirs), [name])).sound).toBe(sound);
  });

  it("are one for what is caught up, and none for a picture told anew", () => {
    const names = ["drew", "meld_laid", "discarded"];
    expect(cuesOf(step(picture(theirs), picture(theirs), names, "at once")).sound).toBe("discard");
    expect(cuesOf(step(picture(theirs), picture(theirs), names, "whole")).sound).toBeNull();
  });

  it("tell a canasta", () => {
    const meld = { meld: 1, kind: "run", category: "clean" } as unknown as View["melds"][0][number];
    const after = { ...theirs, melds: [[], [meld]] } as unknown as View;
    expect(cuesOf(step(picture(theirs), picture(after), ["card_added"])).sound).toBe("canasta");
    expect(cuesOf(step(picture({ ...theirs, deal: 2 }), picture(after), ["card_added"])).sound).toBe("lay");
  });
});
