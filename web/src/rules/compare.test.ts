import { describe, expect, it } from "vitest";
import type { RuleExample, RulesDocument } from "../protocol";
import { compare } from "./compare";
import { placeOf } from "./places";

function example(name: string, verdict: string, text = ""): RuleExample {
  return { name, topic: "sets", caption: name, groups: [], verdict, code: "", text, citation: "", rule: null };
}

function document(sets: boolean, words = "A run has at most 14 cards."): RulesDocument {
  return {
    title: "",
    base: "",
    notes: [],
    headings: {},
    decisions: [],
    sources: [],
    fields: [
      { field: "name", label: "Name", value: sets ? "one" : "other", source: "" },
      { field: "sets", label: "Sets", value: sets ? "yes" : "no", source: "" },
      { field: "hand_size", label: "Hand", value: "11 cards", source: "" },
    ],
    sections: [
      {
        name: "pack",
        number: 1,
        heading: "1. The pack",
        statements: [{ text: "Four play.", topics: ["player_counts"], sources: "", examples: [] }],
      },
      {
        name: "melds",
        number: 4,
        heading: "4. Melds",
        statements: [
          { text: words, topics: ["run_length_max"], sources: "", examples: [example("run", "legal", words)] },
          {
            text: sets ? "Sets are allowed." : "No sets.",
            topics: ["sets", "set_shape"],
            sources: "",
            examples: [example("set", sets ? "legal" : "refused")],
          },
        ],
      },
    ],
  };
}

describe("two rule sets", () => {
  it("differ in fields, sentences and what comes of examples; what they are called is no difference", () => {
    const found = compare(document(true), document(false));
    expect(found.fields).toEqual([{ field: "sets", label: "Sets", left: "yes", right: "no" }]);
    expect(found.sections.map((one) => one.name)).toEqual(["melds"]);
    expect(found.sections[0]?.left).toEqual(["Sets are allowed."]);
    expect(found.sections[0]?.right).toEqual(["No sets."]);
    expect(found.sections[0]?.examples.map((one) => [one.left.verdict, one.right.verdict])).toEqual([
      ["legal", "refused"],
    ]);
    expect(found.alike).toEqual(["1. The pack"]);
  });

  it("that say the same differ in nothing", () => {
    expect(compare(document(true), document(true))).toMatchObject({ fields: [], sections: [] });
  });
});

describe("a place on a page", () => {
  it.each([
    [["sets"], "r-sets"],
    [["set_shape"], "r-sets"],
    [["r-set_shape"], "r-sets"],
    [["s4"], "s4"],
    [["nonsense", "s1"], "s1"],
    [["nonsense"], ""],
    [[], ""],
  ])("%j is %j", (places, id) => expect(placeOf(document(true), places)).toBe(id));
});
