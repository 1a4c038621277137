// The words of the page: one catalogue per language, fetched when it is wanted; `t` finds a text in it.
import { CATALOGUES, PSEUDO, catalogueOf, directionOf, matchLanguage, type Texts } from "../early/languages";

export { LANGUAGES, PSEUDO, catalogueOf, directionOf, matchLanguage, presetLanguage } from "../early/languages";
export type { Texts } from "../early/languages";

export type Values = Readonly<Record<string, string | number>>;

async function fetchTexts(code: string): Promise<Texts> {
  const { default: texts } = await CATALOGUES[catalogueOf(code)]!();
  if (!(code in PSEUDO)) return texts;
  const { pseudo } = await import("./pseudo");
  return pseudo(texts, code);
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
  // Made when they are first asked for: they take long.
  let plurals: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  const numberText = (value: number): string => (numbers ??= new Intl.NumberFormat(catalogueOf(code))).format(value);
  const pluralOf = (n: number): Intl.LDMLPluralRule => (plurals ??= new Intl.PluralRules(catalogueOf(code))).select(n);

  const t = (key: string, values: Values = {}): string => {
    touch();
    let found = find(texts, key);
    if (typeof found === "object") {
      const n = values.n;
      found = (typeof n === "number" ? found[pluralOf(n)] : undefined) ?? found.other;
    }
    if (typeof found !== "string") return key;
    return found.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? numberText(value) : value;
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
      return numberText(value);
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
      plurals = numbers = undefined;
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
