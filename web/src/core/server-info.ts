// What the server says about itself, its rule sets and its bots; asked once for each language.
import type { BotLevels, RuleSetInfo, RuleSetPage, RuleSets, ServerInfo } from "../protocol";
import { api } from "./http";
import { catalogueOf, has, language, t } from "./i18n";

export interface Offered {
  readonly info: ServerInfo;
  readonly ruleSets: readonly RuleSetInfo[];
  /** The levels of bots, the weakest first. */
  readonly levels: readonly string[];
  /** The level of a table that names none. */
  readonly usualLevel: string;
}

const asked = new Map<string, Promise<Offered>>();

async function ask(): Promise<Offered> {
  const [info, sets, bots] = await Promise.all([
    api<ServerInfo>("GET", "/api/server"),
    api<RuleSets>("GET", "/api/rule-sets"),
    api<BotLevels>("GET", "/api/bots"),
  ]);
  return { info, ruleSets: sets.rule_sets, levels: bots.levels.map((level) => level.name), usualLevel: bots.usual };
}

/** What the server offers, in the language of the page. A failure is not remembered. */
export function offered(): Promise<Offered> {
  const code = catalogueOf(language.get());
  const known = asked.get(code);
  if (known !== undefined) return known;
  const fresh = ask();
  asked.set(code, fresh);
  fresh.catch(() => asked.delete(code));
  return fresh;
}

/** A rule set in full. */
export function ruleSetPage(name: string): Promise<RuleSetPage> {
  return api<RuleSetPage>("GET", `/api/rule-sets/${encodeURIComponent(name)}`);
}

/** The address by which others come to a table. */
export function invitationLink(info: ServerInfo, code: string): string {
  return `${info.address}/t/${code}`;
}

/** A level of bots in words; a level that the page does not know keeps its own name. */
export function levelName(level: string): string {
  const key = `web.level.${level}`;
  return has(key) ? t(key) : level;
}

/** The numbers of players of a rule set, most first. */
export function playersOf(ruleSets: readonly RuleSetInfo[], name: string): readonly (2 | 4)[] {
  const players = ruleSets.find((one) => one.name === name)?.players ?? [4, 2];
  return [...players].filter((count): count is 2 | 4 => count === 2 || count === 4).sort((one, other) => other - one);
}
