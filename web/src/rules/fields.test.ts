import { describe, expect, it } from "vitest";
import { ranksBetween, suitsWith, typedNumber } from "./fields";

describe("a field", () => {
  it("of ranks is a part of the row, whichever end is given first", () => {
    expect(ranksBetween("3", "8")).toBe("345678");
    expect(ranksBetween("K", "J")).toBe("JQK");
  });

  it("of suits keeps the order of the pack", () => {
    expect(suitsWith("cs", "h", true)).toBe("chs");
    expect(suitsWith("cdhs", "d", false)).toBe("chs");
    expect(suitsWith("c", "c", false)).toBe("");
  });

  it.each([
    ["12", 12],
    [" -3 ", -3],
    ["", ""],
    ["1.5", "1.5"],
    ["1e3", "1e3"],
  ])("typed as %j is %j", (text, value) => expect(typedNumber(text)).toBe(value));
});
