// House rules as they are made: the base they start from and what is changed; as TOML, as a link, kept in the browser.

export type FieldValue = boolean | number | string | null | readonly number[];

export interface House {
  /** The name of one of the rule sets. */
  readonly base: string;
  /** The fields that are changed, `name` and `title` among them. */
  readonly changes: Readonly<Record<string, FieldValue>>;
}

/** More than this is no link of ours. */
const LINK_MAX = 8000;
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The house rules with a field of this value; a field that is as in the base is no change. */
export function withField(
  house: House,
  base: Readonly<Record<string, unknown>>,
  field: string,
  value: FieldValue,
): House {
  const changes = { ...house.changes };
  delete changes[field];
  return { ...house, changes: sameValue(base[field], value) ? changes : { ...changes, [field]: value } };
}

// As a link: `aberto&sets=t&hand_size=9&player_counts=2,4&opening=.at_once&bonus_clean_13=n`. It reads by itself, so a
// field that comes to be later, or goes, does no harm to the others.

function valueText(value: FieldValue): string {
  if (value === null) return "n";
  if (typeof value === "boolean") return value ? "t" : "f";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `.${value}`;
  return value.join(",") + (value.length < 2 ? "," : "");
}

function valueOf(text: string): FieldValue | undefined {
  if (text.startsWith(".")) return text.slice(1);
  if (text === "n") return null;
  if (text === "t" || text === "f") return text === "t";
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  if (/^\d{1,2}(?:,\d{1,2})*,?$/.test(text)) return text.split(",").filter(Boolean).map(Number);
  return undefined;
}

/** House rules as the part of an address after `#`. */
export function houseLink(house: House): string {
  const fields = Object.entries(house.changes).map(
    ([field, value]) => `${field}=${encodeURIComponent(valueText(value)).replaceAll("%2C", ",")}`,
  );
  return [house.base, ...fields].join("&");
}

/** The house rules of a link, whatever stands before its `#`; undefined where it holds none. */
export function houseOf(link: string): House | undefined {
  const [base = "", ...parts] = link.slice(link.indexOf("#") + 1).split("&");
  if (link.length > LINK_MAX || !NAME.test(base)) return undefined;
  const changes: Record<string, FieldValue> = {};
  for (const part of parts) {
    const [field = "", text = "", ...more] = part.split("=");
    let value: FieldValue | undefined;
    try {
      value = valueOf(decodeURIComponent(text));
    } catch {
      value = undefined;
    }
    if (!NAME.test(field) || value === undefined || more.length > 0) return undefined;
    changes[field] = value;
  }
  return { base, changes };
}

// As TOML, which the server reads.

function tomlValue(value: FieldValue): string {
  if (value === null) return '"none"';
  if (typeof value === "object") return `[${value.join(", ")}]`;
  // A JSON text is a TOML text too, but for one control character.
  return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
}

export function houseToml(house: House): string {
  const { name, title, ...fields } = house.changes;
  const lines = [`base = ${tomlValue(house.base)}`];
  if (name !== undefined) lines.push(`name = ${tomlValue(name)}`);
  if (title !== undefined) lines.push(`title = ${tomlValue(title)}`);
  lines.push("", "[fields]", ...Object.entries(fields).map(([field, value]) => `${field} = ${tomlValue(value)}`));
  return `${lines.join("\n")}\n`;
}

/** House rules of all their fields, as the server tells them, on a base. */
export function houseFrom(
  base: string,
  usual: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, unknown>>,
): House {
  const changed = Object.entries(rules).filter(([field, value]) => !sameValue(usual[field], value));
  return { base, changes: Object.fromEntries(changed) as Record<string, FieldValue> };
}

// Kept in the browser.

interface KeptHouse {
  readonly title: string;
  /** As in a link: what makes it out. */
  readonly link: string;
}

export const HOUSES_KEY = "buraco.houses";
const KEPT_MAX = 50;

export interface Houses {
  get(): readonly KeptHouse[];
  subscribe(run: (kept: readonly KeptHouse[]) => void): () => void;
  /** Keep house rules; of the same title the new ones take the place of the old. */
  keep(house: KeptHouse): void;
  forget(link: string): void;
}

function readHouses(text: string | null): readonly KeptHouse[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown) => {
    const { title, link } = (typeof one === "object" && one !== null ? one : {}) as Record<string, unknown>;
    const fits = typeof title === "string" && typeof link === "string" && houseOf(link) !== undefined;
    return fits ? [{ title, link }] : [];
  });
}

/** `storage` may be missing or refuse: then they live as long as the page. */
export function createHouses(storage: Pick<Storage, "getItem" | "setItem"> | undefined): Houses {
  let kept: readonly KeptHouse[] = [];
  try {
    kept = readHouses(storage?.getItem(HOUSES_KEY) ?? null);
  } catch {
    kept = [];
  }
  const listeners = new Set<(kept: readonly KeptHouse[]) => void>();
  const put = (next: readonly KeptHouse[]): void => {
    kept = next;
    try {
      storage?.setItem(HOUSES_KEY, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: they hold until the page is left.
    }
    for (const run of listeners) run(kept);
  };
  return {
    get: () => kept,
    subscribe(run) {
      listeners.add(run);
      run(kept);
      return () => listeners.delete(run);
    },
    keep(house) {
      const others = kept.filter((one) => one.title !== house.title && one.link !== house.link);
      put([house, ...others].slice(0, KEPT_MAX));
    },
    forget: (link) => put(kept.filter((one) => one.link !== link)),
  };
}

function ownStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** The house rules that this browser keeps. */
export const houses = createHouses(ownStorage());
