// What a player has chosen for this browser. Kept in localStorage; without it, for as long as the page is open.

export const PACES = ["slow", "normal", "fast", "none"] as const;
export type Pace = (typeof PACES)[number];
export const INDEX_LETTERS = ["int", "ru", "it", "bg", "fr", "de"] as const;
export type IndexLetters = (typeof INDEX_LETTERS)[number];

interface PlayNow {
  readonly rules: string;
  readonly players: 2 | 4;
  readonly level: string;
}

export interface Settings {
  /** Empty until it was preset or chosen. */
  readonly language: string;
  readonly indexLetters: IndexLetters;
  readonly fourColours: boolean;
  readonly cardSize: "normal" | "big";
  readonly largePrint: boolean;
  readonly motion: "system" | "reduced";
  readonly sound: boolean;
  /** From 0 to 1. */
  readonly volume: number;
  readonly vibration: boolean;
  readonly pace: Pace;
  readonly theme: "dark" | "light" | "system";
  readonly leftHanded: boolean;
  readonly confirmDiscards: boolean;
  readonly autoSort: boolean;
  /** The table as text, for screen readers and who likes it. */
  readonly textTable: boolean;
  readonly playNow: PlayNow;
}

export const DEFAULTS: Settings = {
  language: "",
  indexLetters: "int",
  fourColours: true,
  cardSize: "normal",
  largePrint: false,
  motion: "system",
  sound: true,
  volume: 0.6,
  vibration: true,
  pace: "normal",
  theme: "dark",
  leftHanded: false,
  confirmDiscards: false,
  autoSort: false,
  textTable: false,
  playNow: { rules: "", players: 4, level: "" },
};

const CHOICES: { readonly [Key in keyof Settings]?: readonly Settings[Key][] } = {
  indexLetters: INDEX_LETTERS,
  cardSize: ["normal", "big"],
  motion: ["system", "reduced"],
  pace: PACES,
  theme: ["dark", "light", "system"],
};

function isPlayNow(value: unknown): value is PlayNow {
  if (typeof value !== "object" || value === null) return false;
  const { rules, players, level } = value as Record<string, unknown>;
  return typeof rules === "string" && typeof level === "string" && (players === 2 || players === 4);
}

function holds(name: keyof Settings, value: unknown): boolean {
  if (name === "playNow") return isPlayNow(value);
  if (typeof value !== typeof DEFAULTS[name]) return false;
  if (name === "volume") return Number(value) >= 0 && Number(value) <= 1;
  const choices: readonly unknown[] | undefined = CHOICES[name];
  return choices === undefined || choices.includes(value);
}

/** Read settings as they were kept; what is missing or makes no sense becomes the default. */
export function readSettings(text: string | null): Settings {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "null");
  } catch {
    return DEFAULTS;
  }
  if (typeof kept !== "object" || kept === null) return DEFAULTS;
  const names = Object.keys(DEFAULTS) as (keyof Settings)[];
  const found = Object.entries(kept).filter(([name, value]) => names.some((one) => one === name && holds(one, value)));
  return { ...DEFAULTS, ...(Object.fromEntries(found) as Partial<Settings>) };
}

/** The index letters that go with a language at the first visit. */
export function presetLetters(language: string): IndexLetters {
  return language === "ru" ? "ru" : "int";
}

export interface SettingsStore {
  get(): Settings;
  set(change: Partial<Settings>): void;
  subscribe(run: (settings: Settings) => void): () => void;
}

export const SETTINGS_KEY = "buraco.settings";

/** `storage` may be missing or refuse: then the settings live as long as the page. */
export function createSettings(storage: Pick<Storage, "getItem" | "setItem"> | undefined): SettingsStore {
  let kept: string | null;
  try {
    kept = storage?.getItem(SETTINGS_KEY) ?? null;
  } catch {
    kept = null;
  }
  let now = readSettings(kept);
  const listeners = new Set<(settings: Settings) => void>();
  return {
    get: () => now,
    set(change) {
      now = { ...now, ...change };
      try {
        storage?.setItem(SETTINGS_KEY, JSON.stringify(now));
      } catch {
        // A full or forbidden storage: the choice holds until the page is left.
      }
      for (const run of listeners) run(now);
    },
    subscribe(run) {
      listeners.add(run);
      run(now);
      return () => listeners.delete(run);
    },
  };
}

function ownStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** The settings of this page. */
export const settings = createSettings(ownStorage());

/** Whether things may move: what the player chose, else what the system says. */
export function reducedMotion(): boolean {
  return (
    settings.get().motion === "reduced" || globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches === true
  );
}
