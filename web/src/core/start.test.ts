import { describe, expect, it } from "vitest";
import { DEFAULTS } from "./settings";
import { firstLanguage } from "../early/languages";
import { applySettings } from "./start";

describe("the first language", () => {
  it.each([
    ["?lang=it", "ru", ["en"], "it"],
    ["?lang=ar", "", ["en"], "ar-x"],
    ["?lang=xx", "ru", ["en"], "ru"],
    ["", "ru", ["en"], "ru"],
    ["", "", ["pt-PT", "en"], "pt-BR"],
    ["", "", [], "en"],
  ])("of %j, chosen %j, wished %j is %s", (search, chosen, wished, language) => {
    expect(firstLanguage(search, chosen, wished)).toBe(language);
  });
});

describe("the root element", () => {
  it("shows what is chosen", () => {
    const root = document.createElement("div");
    applySettings(
      root,
      { ...DEFAULTS, fourColours: false, cardSize: "big", largePrint: true, leftHanded: true },
      false,
    );
    expect({ ...root.dataset }).toEqual({
      theme: "dark",
      colours: "2",
      print: "large",
      motion: "system",
      cards: "big",
      hands: "left",
    });
  });

  it.each([
    ["system", true, "light"],
    ["system", false, "dark"],
    ["dark", true, "dark"],
    ["light", false, "light"],
  ] as const)("has for the theme %s on a light system (%s) the theme %s", (theme, light, shown) => {
    const root = document.createElement("div");
    applySettings(root, { ...DEFAULTS, theme }, light);
    expect(root.dataset.theme).toBe(shown);
  });
});
