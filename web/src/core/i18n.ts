// The words of the page: one catalogue per language, fetched when it is wanted; `t` finds a text in it.
import { CATALOGUES, PSEUDO, catalogueOf, directionOf, matchLanguage, type Texts } from "../early/languages";

export { LANGUAGES, PSEUDO, catalogueOf, directionOf, matchLanguage, presetLanguage } from "../early/languages";
export type { Texts } from "../early/languages";

export type Values = Readonly<Record<string, string | number>>;

/** The words that pages beside home and table alone show. */
const LATER: typeof CATALOGUES = {
  en: () => import("virtual:later/later-en"),
  "pt-BR": () => import("virtual:later/later-pt-BR"),
  it: () => import("virtual:later/later-it"),
  es: () => import("virtual:later/later-es"),
  ru: () => import("virtual:later/later-ru"),
  bg: () => import("virtual:later/later-bg"),
};

async function fetchTexts(code: string, later: boolean): Promise<Texts> {
  const { default: texts } = await (later ? LATER : CATALOGUES)[catalogueOf(code)]!();
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
  /** Have the words too that only pages beside home and table show, from now on in each language. */
  wantLater(): Promise<void>;
  /** What is called on each read of a text, so that a view can follow the language. */
  onRead(touch: () => void): void;
}

/** A language as it is spoken: its texts, and how it writes numbers, times and rows of names. */
class Spoken {
  // Made when they are first asked for: they take long.
  #plurals: Intl.PluralRules | undefined;
  #numbers: Intl.NumberFormat | undefined;

  constructor(
    readonly code: string,
    readonly texts: Texts,
  ) {}

  has(key: string): boolean {
    return find(this.texts, key) !== undefined;
  }

  text(key: string, values: Values): string {
    let found = find(this.texts, key);
    if (typeof found === "object") {
      const n = values.n;
      found = (typeof n === "number" ? found[this.#form(n)] : undefined) ?? found.other;
    }
    if (typeof found !== "string") return key;
    return found.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? this.number(value) : value;
    });
  }

  number(value: number): string {
    return (this.#numbers ??= new Intl.NumberFormat(catalogueOf(this.code))).format(value);
  }

  time(ms: number): string {
    return new Intl.DateTimeFormat(catalogueOf(this.code), { hour: "2-digit", minute: "2-digit" }).format(ms);
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(catalogueOf(this.code), { type: "conjunction" }).format(items);
  }

  #form(n: number): Intl.LDMLPluralRule {
    return (this.#plurals ??= new Intl.PluralRules(catalogueOf(this.code))).select(n);
  }
}

/** A catalogue with what comes later. */
function whole(first: Texts, rest: Texts): Texts {
  return { ...first, ...rest, web: { ...(first.web as Texts), ...(rest.web as Texts) } };
}

/** Make the words of a page; `load` fetches a catalogue, or of it what comes later. */
export function createWords(load: (code: string, later: boolean) => Promise<Texts> = fetchTexts): Words {
  let now = new Spoken("en", {});
  let wanted = "";
  let later: Promise<void> | null = null;
  let touch: () => void = () => undefined;
  const listeners = new Set<(value: string) => void>();
  const read = (): Spoken => {
    touch();
    return now;
  };
  const speak = async (code: string): Promise<void> => {
    wanted = code;
    const asked = later;
    const [first = {}, rest] = await Promise.all([load(code, false), ...(asked ? [load(code, true)] : [])]);
    if (wanted !== code) return;
    if (asked !== later) return speak(code);
    now = new Spoken(code, rest ? whole(first, rest) : first);
    for (const run of listeners) run(code);
  };
  /** What is seen already does not change by words that it does not use: nobody is told. */
  const more = async (): Promise<void> => {
    const { code, texts } = now;
    const rest = await load(code, true);
    if (now.code === code) now = new Spoken(code, whole(texts, rest));
  };
  return {
    t: (key, values = {}) => read().text(key, values),
    has: (key) => read().has(key),
    number: (value) => read().number(value),
    time: (ms) => read().time(ms),
    list: (items) => read().list(items),
    language: {
      get: () => now.code,
      subscribe(run) {
        listeners.add(run);
        run(now.code);
        return () => listeners.delete(run);
      },
    },
    setLanguage: (next) => speak(matchLanguage(next) ?? "en"),
    wantLater() {
      later ??= more().catch((error: unknown) => {
        later = null;
        throw error;
      });
      return later;
    },
    onRead(next) {
      touch = next;
    },
  };
}

/** The words of this page. */
export const words = createWords();
export const { t, has, number, time, list, language, setLanguage, wantLater } = words;

/** The direction of writing, as a store. */
export const direction: Readable<"ltr" | "rtl"> & { get(): "ltr" | "rtl" } = {
  get: () => directionOf(language.get()),
  subscribe: (run) => language.subscribe((code) => run(directionOf(code))),
};
