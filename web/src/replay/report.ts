// The file of somebody who says that something is wrong: what they saw, what runs, what the bots said, what they write.
// Nothing of it is sent; it is saved, and who wants to may send it.
import type { ExplainResult, PositionInfo, PositionText, ReplayedDeal, TableState, You } from "../protocol";
import { api, Problem } from "../core/http";
import { catalogueOf, language } from "../core/i18n";
import { readRecord } from "../core/record-text";
import type { Moment } from "../core/replay";
import { offered } from "../core/server-info";
import type { LogEntry } from "../core/table-store";
import type { Ask } from "../panels/types";
import { explainable } from "../panels/why";

/** What is known of the moment; the words of the player come on top. */
export interface Evidence {
  /** A position as text, with nothing hidden in it from the one who reports. */
  readonly position: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly reasons: readonly string[];
}

/** The text of a report. */
export function reportText(evidence: Evidence, words: string): string {
  const facts = Object.entries(evidence.facts).filter(([, value]) => value !== "");
  return [
    "buraco-report 1",
    ...facts.map(([name, value]) => `${name}: ${value.replaceAll(/\s+/g, " ")}`),
    "",
    "[words]",
    words.trim() || "-",
    "",
    "[position]",
    evidence.position || "-",
    "",
    "[reasons]",
    ...(evidence.reasons.length > 0 ? evidence.reasons : ["-"]),
    "",
  ].join("\n");
}

/** A bot's reasons in one line. */
function reasonLine(told: ExplainResult): string {
  const reasons = told.reasons.map((reason) => reason.text).join(" ");
  const others = told.alternatives.map((one) => `${one.text} ${one.evaluation ?? "?"}`).join(", ");
  return `seat ${told.seat} (${told.level}) ${told.text} ${told.evaluation ?? "?"}: ${reasons || "-"}${others ? ` | ${others}` : ""}`;
}

/** What runs here. */
async function versionFacts(): Promise<Readonly<Record<string, string>>> {
  const { info } = await offered();
  return {
    version: info.version,
    engine: info.engine,
    language: catalogueOf(language.get()),
    window: `${innerWidth}x${innerHeight}`,
    written: new Date().toISOString(),
  };
}

interface AtTable {
  readonly table: TableState;
  readonly you: You | null;
  readonly log: readonly LogEntry[];
  readonly version: number;
  readonly ask: Ask;
}

/** So many of the bots' last moves are asked about. */
const REASONS_MAX = 6;

/** The reasons of the bots' last moves, as far as the server tells them to this seat now. */
async function reasonsOf({ table, you, log, ask }: AtTable): Promise<readonly string[]> {
  const known = explainable(log, table, you);
  const versions = new Set(log.filter((entry) => known.has(entry.key)).map((entry) => entry.version));
  const replies = await Promise.all([...versions].slice(-REASONS_MAX).map((at) => ask("explain", { at })));
  return replies.flatMap((reply) =>
    reply.type === "ack" && reply.result?.result === "explain" ? [reasonLine(reply.result)] : [],
  );
}

/** The position as the own seat sees it; empty where no cards are dealt. */
async function positionOf(table: string): Promise<string> {
  try {
    return (await api<PositionInfo>("GET", `/api/tables/${encodeURIComponent(table)}/position`)).text;
  } catch (error) {
    if (error instanceof Problem && error.code === "no_deal") return "";
    throw error;
  }
}

/** What the file of a report is called after: the shuffle, which names a deal and lets nobody in. */
export function reportName(shuffle: string): string {
  return shuffle.slice(0, 8) || "match";
}

/** What a report from a table holds: nothing that is hidden from this seat, and neither the code of the table nor its
 * identifier, since both are invitations. The commitment of the shuffle tells whoever runs the server which deal it is. */
export async function tableReport(at: AtTable): Promise<Evidence> {
  const { table, you, version } = at;
  const [facts, position, reasons] = await Promise.all([versionFacts(), positionOf(table.table), reasonsOf(at)]);
  const seat = you?.seat ?? null;
  const place = `match ${table.match}, deal ${table.fair?.deal ?? "-"}, version ${version}, ${table.phase}`;
  const shuffle = table.fair?.commitment ?? "";
  return {
    position,
    reasons,
    facts: { ...facts, at: place, shuffle, seat: seat === null ? "spectator" : String(seat) },
  };
}

interface Shown {
  readonly record: string;
  readonly moment: Moment;
  readonly film: ReplayedDeal;
}

/** The commitment of a deal in a record; empty where it has none. */
export function shuffleOf(record: string, deal: number): string {
  try {
    return readRecord(record).deals.find((one) => one.number === deal)?.commitment ?? "";
  } catch {
    return "";
  }
}

/** What a report of a moment in a replay holds. A match that a server keeps is named after its table, which is an
 * invitation to it: so it is told by its shuffle, and by its name only where it has none, as in a file. */
export async function replayReport({ record, moment, film }: Shown): Promise<Evidence> {
  const { deal, move: step, seat } = moment;
  const [facts, { position, asked }] = await Promise.all([
    versionFacts(),
    api<PositionText>("POST", "/api/replay/position", { record, deal, step, seat }),
  ]);
  const shuffle = shuffleOf(record, deal);
  const match = shuffle ? "" : film.name;
  const at = `deal ${deal}, move ${step}, ${seat === null ? "all hands" : `seat ${seat}`}`;
  const fault = film.fault ? `${film.fault.code} at deal ${film.fault.deal ?? "-"}, move ${film.fault.step}` : "";
  // A record keeps no reasons: the bot that took this step was asked again, and may say something else than it did.
  const reasons = asked ? [`asked again, ${reasonLine(asked)}`] : [];
  return { position, facts: { ...facts, match, at, shuffle, fault }, reasons };
}
