// Made-up languages for tests of the layout: `qps` longer and in brackets, `ar-x` in a right-to-left script.
import type { Texts } from "./i18n";

const ACCENTED: Readonly<Record<string, string>> = {
  a: "á", c: "ç", d: "ð", e: "é", i: "î", l: "ļ", n: "ñ", o: "ô", r: "ŕ", s: "š", t: "ţ", u: "û", y: "ý",
  A: "Å", C: "Ç", D: "Ð", E: "É", I: "Î", L: "Ļ", N: "Ñ", O: "Ö", P: "Ƥ", R: "Ŕ", S: "Š", T: "Ţ", U: "Û", Y: "Ý",
}; // prettier-ignore

// The letters in the order of the Latin alphabet; no word of it means anything.
const ARABIC = "ابجدهفغحيكقلمنعوخرستثضظشصز";

/** Split a text in its placeholders and the rest, and change the rest only. */
function outside(text: string, change: (part: string) => string): string {
  return text
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? part : change(part)))
    .join("");
}

function longer(text: string): string {
  const changed = outside(text, (part) => part.replace(/[A-Za-z]/g, (letter) => ACCENTED[letter] ?? letter));
  // A third longer, as long languages are; short words more.
  const more = Math.ceil(text.length / (text.length < 12 ? 2 : 3));
  return `[${changed}${"·".repeat(Math.min(more, 60))}]`;
}

function mirrored(text: string): string {
  return outside(text, (part) =>
    part.replace(/[A-Za-z]/g, (letter) => ARABIC[(letter.charCodeAt(0) | 32) - 97] ?? letter),
  );
}

export function pseudo(texts: Texts, code: string): Texts {
  const change = code === "qps" ? longer : mirrored;
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [key, typeof value === "string" ? change(value) : pseudo(value, code)]),
  );
}
