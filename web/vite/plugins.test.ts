import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { over, wordsOf } from "./plugins";

describe("a catalogue over the English one", () => {
  it("keeps English where it lacks a text, and takes plural forms whole", () => {
    const base = { web: { a: "a", n: { one: "{n} x", other: "{n} xs" } } };
    const top = { web: { n: { few: "{n} y", other: "{n} ys" } } };
    expect(over(base, top)).toEqual({ web: { a: "a", n: { few: "{n} y", other: "{n} ys" } } });
  });
});

describe("the words of a language", () => {
  it("are the sections that the page shows and no others", () => {
    const folder = mkdtempSync(join(tmpdir(), "buraco-texts-"));
    writeFileSync(join(folder, "en.json"), JSON.stringify({ web: { a: "a", b: "b" }, code: { x: "y" } }));
    writeFileSync(join(folder, "it.json"), JSON.stringify({ web: { a: "á" } }));
    expect(wordsOf(folder, "it")).toEqual({ web: { a: "á", b: "b" } });
    expect(wordsOf(folder, "bg")).toEqual({ web: { a: "a", b: "b" } });
  });
});
