// The languages of the page, and which of them to begin with: all that is to be known before anything else is fetched.

export interface Texts {
  readonly [key: string]: string | Texts;
}

/** The languages of the table, each by its own name. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  "pt-BR": "Português (Brasil)",
  it: "Italiano",
  es: "Español",
  ru: "Русский",
  bg: "Български",
};

/** For tests of the layout only: longer texts in brackets, and a right-to-left script. */
export const PSEUDO: Readonly<Record<string, string>> = { qps: "[Ƥšéûðô]", "ar-x": "(RTL)" };

export const CATALOGUES: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
  en: () => import("virtual:texts/en"),
  "pt-BR": () => import("virtual:texts/pt-BR"),
  it: () => import("virtual:texts/it"),
  es: () => import("virtual:texts/es"),
  ru: () => import("virtual:texts/ru"),
  bg: () => import("virtual:texts/bg"),
};

/** The catalogue language behind a language: pseudo languages are made of English. */
export function catalogueOf(code: string): string {
  return code in LANGUAGES ? code : "en";
}

/** Match a wished language ("pt-PT", "ar", "qps") with one of ours; undefined where none is near. */
export function matchLanguage(wished: string): string | undefined {
  const known = [...Object.keys(LANGUAGES), ...Object.keys(PSEUDO)];
  const wish = wished.replaceAll("_", "-").toLowerCase();
  const main = wish.split("-")[0]!;
  return (
    known.find((code) => code.toLowerCase() === wish) ?? known.find((code) => code.toLowerCase().split("-")[0] === main)
  );
}

/** The first of the wished languages that we have, pseudo languages left out; English otherwise. */
export function presetLanguage(wished: readonly string[]): string {
  for (const one of wished) {
    const found = matchLanguage(one);
    if (found !== undefined && found in LANGUAGES) return found;
  }
  return "en";
}

export function directionOf(code: string): "ltr" | "rtl" {
  return code === "ar-x" ? "rtl" : "ltr";
}

/** The language to begin with: of the address (`?lang=`), else the chosen one, else what the browser asks for. */
export function firstLanguage(search: string, chosen: string, wished: readonly string[]): string {
  const asked = matchLanguage(new URLSearchParams(search).get("lang") ?? "");
  return asked ?? (chosen || presetLanguage(wished));
}
