import { describe, expect, it } from "vitest";
import { createWords, directionOf, LANGUAGES, matchLanguage, presetLanguage, type Texts } from "./i18n";
import { pseudo } from "./pseudo";

const en: Texts = {
  web: {
    hello: "Hello {name}",
    cards: { one: "{n} card", other: "{n} cards" },
    points: "{points} points",
  },
};
const ru: Texts = {
  web: { hello: "Привет, {name}", cards: { one: "{n} карта", few: "{n} карты", many: "{n} карт", other: "{n} карты" } },
};
const load = (code: string): Promise<Texts> => Promise.resolve(code === "ru" ? ru : en);

describe("texts", () => {
  it("are found by their key, with the values in place", async () => {
    const words = createWords(load);
    await words.setLanguage("en");
    expect(words.t("web.hello", { name: "Ana" })).toBe("Hello Ana");
    expect(words.has("web.hello")).toBe(true);
  });

  it("of later pages are there once they are wanted, in each language, and change nothing that is seen", async () => {
    const all = (code: string, later: boolean): Promise<Texts> =>
      later ? Promise.resolve({ web: { late: `late ${code}` } }) : load(code);
    const words = createWords(all);
    await words.setLanguage("en");
    let told = 0;
    words.language.subscribe(() => (told += 1));
    expect(words.t("web.late")).toBe("web.late");
    await Promise.all([words.wantLater(), words.wantLater()]);
    expect([words.t("web.late"), words.t("web.hello", { name: "Ana" }), told]).toEqual(["late en", "Hello Ana", 1]);
    await words.setLanguage("ru");
    expect([words.t("web.late"), words.language.get(), told]).toEqual(["late ru", "ru", 2]);
  });

  it("of later pages that are wanted while a language is on its way come in that language", async () => {
    const words = createWords((code, later) => (later ? Promise.resolve({ web: { late: code } }) : load(code)));
    await words.setLanguage("en");
    await Promise.all([words.setLanguage("ru"), words.wantLater()]);
    expect([words.t("web.late"), words.language.get()]).toEqual(["ru", "ru"]);
  });

  it("of later pages that did not come are asked for again", async () => {
    let fails = true;
    const words = createWords((_, later) =>
      later && fails ? Promise.reject(new Error("offline")) : Promise.resolve(later ? { web: { late: "x" } } : en),
    );
    await words.setLanguage("en");
    await expect(words.wantLater()).rejects.toThrow("offline");
    fails = false;
    await words.wantLater();
    expect(words.t("web.late")).toBe("x");
  });

  it("that are missing show their key, and a value that is missing its place", async () => {
    const words = createWords(load);
    await words.setLanguage("en");
    expect(words.t("web.nothing")).toBe("web.nothing");
    expect(words.t("web.hello.deeper")).toBe("web.hello.deeper");
    expect(words.t("constructor")).toBe("constructor");
    expect(words.t("web.hello")).toBe("Hello {name}");
    expect(words.has("web.nothing")).toBe(false);
  });

  it("never read a value as a pattern", async () => {
    const words = createWords(load);
    await words.setLanguage("en");
    expect(words.t("web.hello", { name: "$& {name} <b>" })).toBe("Hello $& {name} <b>");
  });

  it.each([
    ["en", [0, 1, 2, 5, 21, 104], ["0 cards", "1 card", "2 cards", "5 cards", "21 cards", "104 cards"]],
    ["ru", [0, 1, 2, 5, 21, 104], ["0 карт", "1 карта", "2 карты", "5 карт", "21 карта", "104 карты"]],
  ])("have the plural form of the number in %s", async (code, numbers, expected) => {
    const words = createWords(load);
    await words.setLanguage(code);
    expect(numbers.map((n) => words.t("web.cards", { n }))).toEqual(expected);
  });

  it("write numbers as the language does", async () => {
    const words = createWords(load);
    await words.setLanguage("en");
    expect(words.t("web.points", { points: 12345 })).toBe("12,345 points");
    await words.setLanguage("ru");
    expect(words.number(12345)).toMatch(/^12\s345$/);
  });

  it("tell who listens, and a slow catalogue never wins over a later choice", async () => {
    const waiting: Record<string, (texts: Texts) => void> = {};
    const words = createWords((code) => new Promise((done) => (waiting[code] = done)));
    const heard: string[] = [];
    words.language.subscribe((code) => heard.push(code));
    const slow = words.setLanguage("ru");
    const quick = words.setLanguage("it");
    waiting.it?.(en);
    waiting.ru?.(ru);
    await Promise.all([slow, quick]);
    expect(heard).toEqual(["en", "it"]);
    expect(words.t("web.hello", { name: "Ana" })).toBe("Hello Ana");
  });

  it("let a view know that it read one", async () => {
    const words = createWords(load);
    let reads = 0;
    words.onRead(() => (reads += 1));
    words.t("web.hello");
    words.number(1);
    expect(reads).toBe(2);
  });
});

describe("languages", () => {
  it.each([
    ["pt-PT", "pt-BR"],
    ["pt_BR.UTF-8", "pt-BR"],
    ["it-CH", "it"],
    ["RU", "ru"],
    ["ar", "ar-x"],
    ["qps", "qps"],
    ["de", undefined],
    ["", undefined],
  ])("%s is matched with %s", (wished, found) => {
    expect(matchLanguage(wished)).toBe(found);
  });

  it("are preset from what the browser wishes, never a made-up one", () => {
    expect(presetLanguage(["de", "bg-BG", "en"])).toBe("bg");
    expect(presetLanguage(["ar", "de"])).toBe("en");
    expect(presetLanguage([])).toBe("en");
  });

  it("are each read from left to right, but the made-up Arabic", () => {
    expect(Object.keys(LANGUAGES).map(directionOf)).toEqual(["ltr", "ltr", "ltr", "ltr", "ltr", "ltr"]);
    expect(directionOf("ar-x")).toBe("rtl");
  });
});

describe("the made-up languages", () => {
  it("make every text longer and bracketed, and leave placeholders alone", () => {
    const made = pseudo(en, "qps") as { web: { hello: string; cards: { one: string } } };
    expect(made.web.hello).toMatch(/^\[Ħ?.*\{name\}·+\]$/);
    expect(made.web.hello.length).toBeGreaterThan("Hello {name}".length * 1.3);
    expect(made.web.cards.one).toContain("{n}");
  });

  it("write every text in a right-to-left script", () => {
    const made = pseudo(en, "ar-x") as { web: { hello: string } };
    expect(made.web.hello).toMatch(/^[\u0600-\u06FF]+ \{name\}$/);
  });
});
