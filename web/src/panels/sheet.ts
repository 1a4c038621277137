// The score sheets of the server in the order in which they are read. Nothing is counted here that it has not counted.
import type { DealSummary, ScoreLine, ScoreSheet } from "../protocol";
import type { Side } from "./types";

/** The kinds of lines, in the order of a sheet. */
const KINDS = ["meld", "bonus", "out", "hand", "unplayed", "morto", "cut"] as const;

/** The categories of canastas, the best first. */
export const CATEGORIES = ["clean_14", "clean_13", "clean", "semi_clean", "dirty"] as const;

export interface SummaryRow {
  readonly key: string;
  readonly kind: string;
  /** Of a canasta's bonus, else empty. */
  readonly category: string;
  /** By side. */
  readonly points: readonly [number, number];
  /** How many lines of each side it stands for. */
  readonly counts: readonly [number, number];
}

interface MeldRow {
  readonly meld: number;
  readonly line: ScoreLine;
  readonly bonus: ScoreLine | null;
}

export interface SheetRows {
  readonly side: Side;
  readonly melds: readonly MeldRow[];
  /** Everything that is no meld. */
  readonly others: readonly ScoreLine[];
  readonly cut: number;
  /** What the deal brought, the cut included. */
  readonly sum: number;
}

function place(kind: string, category: string): number {
  const kindAt = KINDS.findIndex((one) => one === kind);
  const categoryAt = CATEGORIES.findIndex((one) => one === category);
  return (kindAt < 0 ? KINDS.length : kindAt) * 10 + (categoryAt < 0 ? CATEGORIES.length : categoryAt);
}

function sheetOf(deal: DealSummary, side: Side): ScoreSheet {
  return deal.sheets.find((sheet) => sheet.side === side) ?? { side, total: deal.scores[side], lines: [] };
}

/** The lines of both sides by kind, canastas by category; kinds that no side has are left out. */
export function summaryRows(deal: DealSummary): readonly SummaryRow[] {
  const found = new Map<
    string,
    { kind: string; category: string; points: [number, number]; counts: [number, number] }
  >();
  const add = (kind: string, category: string, side: Side, points: number): void => {
    const key = category === "" ? kind : `${kind}.${category}`;
    const row = found.get(key) ?? { kind, category, points: [0, 0], counts: [0, 0] };
    row.points[side] += points;
    row.counts[side] += 1;
    found.set(key, row);
  };
  for (const side of [0, 1] as const) {
    for (const line of sheetOf(deal, side).lines) add(line.kind, line.category, side, line.points);
    if (deal.cut_points[side] !== 0) add("cut", "", side, deal.cut_points[side]);
  }
  return [...found]
    .map(([key, row]) => ({ key, ...row }))
    .sort((one, other) => place(one.kind, one.category) - place(other.kind, other.category));
}

/** What a deal brought a side, the cut included. */
export function dealPoints(deal: DealSummary, side: Side): number {
  return deal.scores[side] + deal.cut_points[side];
}

/** The lines of a side: each meld with its bonus, then the rest. */
export function sheetRows(deal: DealSummary, side: Side): SheetRows {
  const { lines } = sheetOf(deal, side);
  const bonuses = new Map(lines.filter((line) => line.kind === "bonus").map((line) => [line.meld, line]));
  const melds = lines
    .filter((line) => line.kind === "meld")
    .map((line) => ({ meld: line.meld, line, bonus: bonuses.get(line.meld) ?? null }));
  const withMeld = new Set(melds.map((row) => row.meld));
  const others = lines.filter((line) => line.kind !== "meld" && !(line.kind === "bonus" && withMeld.has(line.meld)));
  return { side, melds, others, cut: deal.cut_points[side], sum: dealPoints(deal, side) };
}
