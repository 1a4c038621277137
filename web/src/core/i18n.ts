// The words of the page: one catalogue per language, fetched when it is wanted; `t` finds a text in it.

export interface Texts {
  readonly [key: string]: string | Texts;
}

export type Values = Readonly<Record<string, string | number>>;

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

const CATALOGUES: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
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

async function fetchTexts(code: string): Promise<Texts> {
  const { default: texts } = await CATALOGUES[catalogueOf(code)]!();
  if (!(code in PSEUDO)) return texts;
  const { pseudo } = await import("./pseudo");
  return pseudo(texts, code);
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

function find(texts: Texts, key: string): string | Texts | undefined {
  let found: string | Texts | undefined = texts;
  for (const part of key.split(".")) {
    if (found === undefined || typeof found === "string" || !Object.hasOwn(found, part)) return undefined;
    found = found[part];
  }
  return found;
}

export interface Readable<T> {
  subscribe(run: (value: T) => void): () => void;
}

export interface Words {
  /** The text of a key, `{name}` replaced by its value; of a plural text the form for `values.n`. */
  t(key: string, values?: Values): string;
  /** Whether there is such a text. */
  has(key: string): boolean;
  /** A number as the language writes it. */
  number(value: number): string;
  /** A moment of today as the language writes it, hours and minutes. */
  time(ms: number): string;
  /** Names in a row: "A, B and C". */
  list(items: readonly string[]): string;
  readonly language: Readable<string> & { get(): string };
  setLanguage(code: string): Promise<void>;
  /** What is called on each read of a text, so that a view can follow the language. */
  onRead(touch: () => void): void;
}

/** Make the words of a page; `load` fetches a catalogue. */
export function createWords(load: (code: string) => Promise<Texts> = fetchTexts): Words {
  let code = "en";
  let texts: Texts = {};
  let wanted = "";
  let touch: () => void = () => undefined;
  const listeners = new Set<(value: string) => void>();
  let plurals = new Intl.PluralRules("en");
  let numbers = new Intl.NumberFormat("en");

  const t = (key: string, values: Values = {}): string => {
    touch();
    let found = find(texts, key);
    if (typeof found === "object") {
      const n = values.n;
      found = (typeof n === "number" ? found[plurals.select(n)] : undefined) ?? found.other;
    }
    if (typeof found !== "string") return key;
    return found.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
    });
  };

  return {
    t,
    has: (key) => {
      touch();
      return find(texts, key) !== undefined;
    },
    number: (value) => {
      touch();
      return numbers.format(value);
    },
    time: (ms) => {
      touch();
      return new Intl.DateTimeFormat(catalogueOf(code), { hour: "2-digit", minute: "2-digit" }).format(ms);
    },
    list: (items) => {
      touch();
      return new Intl.ListFormat(catalogueOf(code), { type: "conjunction" }).format(items);
    },
    language: {
      get: () => code,
      subscribe(run) {
        listeners.add(run);
        run(code);
        return () => listeners.delete(run);
      },
    },
    async setLanguage(next) {
      const match = matchLanguage(next) ?? "en";
      wanted = match;
      const fetched = await load(match);
      if (wanted !== match) return;
      code = match;
      texts = fetched;
      plurals = new Intl.PluralRules(catalogueOf(code));
      numbers = new Intl.NumberFormat(catalogueOf(code));
      for (const run of listeners) run(code);
    },
    onRead(next) {
      touch = next;
    },
  };
}

/** The words of this page. */
export const words = createWords();
export const { t, has, number, time, list, language, setLanguage } = words;

/** The direction of writing, as a store. */
export const direction: Readable<"ltr" | "rtl"> & { get(): "ltr" | "rtl" } = {
  get: () => directionOf(language.get()),
  subscribe: (run) => language.subscribe((code) => run(directionOf(code))),
};
