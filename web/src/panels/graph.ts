// The line chart of a match: numbers to coordinates.
import type { DealSummary } from "../protocol";

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

interface Tick {
  readonly at: number;
  readonly value: number;
}

export interface Chart {
  /** By side, from 0 points before the first deal on. */
  readonly lines: readonly [readonly Point[], readonly Point[]];
  readonly yTicks: readonly Tick[];
  readonly xTicks: readonly Tick[];
  /** The height of the target; null without one. */
  readonly target: number | null;
  readonly zero: number;
}

/** Round steps: 1, 2 or 5 times a power of ten, so that about `count` of them cover the span. */
export function roundStep(span: number, count: number): number {
  if (!(span > 0)) return 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const rest = rough / power;
  const step = rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10;
  return Math.max(1, step * power);
}

function ticks(low: number, high: number, count: number): number[] {
  const step = roundStep(high - low, count);
  const found: number[] = [];
  // Rounded up from below zero it is -0, which would be written with its sign: + 0 takes that away.
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1000; value += step) found.push(value + 0);
  return found;
}

/** Place the totals of a match in a box. `target` is 0 for a match without one. */
export function chart(deals: readonly DealSummary[], target: number, box: Box): Chart {
  const totals = [[0, 0] as const, ...deals.map((deal) => deal.totals)];
  const all = totals.flat();
  let low = Math.min(0, ...all);
  let high = Math.max(0, target, ...all);
  if (high === low) high = low + 100;
  const pad = (high - low) * 0.06;
  high += pad;
  if (low < 0) low -= pad;
  const innerWidth = box.width - box.left - box.right;
  const innerHeight = box.height - box.top - box.bottom;
  const last = Math.max(1, totals.length - 1);
  const x = (index: number): number => round(box.left + (innerWidth * index) / last);
  const y = (value: number): number => round(box.top + innerHeight * (1 - (value - low) / (high - low)));
  const line = (side: 0 | 1): readonly Point[] =>
    totals.map((pair, index) => ({ x: x(index), y: y(pair[side]), value: pair[side] }));
  const every = roundStep(last, 8);
  const xTicks = totals.flatMap((_, index) =>
    index > 0 && index % every === 0 ? [{ at: x(index), value: index }] : [],
  );
  return {
    lines: [line(0), line(1)],
    yTicks: ticks(low, high, 4).map((value) => ({ at: y(value), value })),
    xTicks,
    target: target > 0 ? y(target) : null,
    zero: y(0),
  };
}

/** The points as the `points` of an SVG polyline. */
export function polyline(points: readonly Point[]): string {
  return points.map((point) => `${point.x},${point.y}`).join(" ");
}

/** Two labels at the same place would hide each other: push them at least `gap` apart, keeping their order. */
export function apart(first: number, second: number, gap: number): readonly [number, number] {
  const distance = Math.abs(first - second);
  if (distance >= gap) return [first, second];
  const push = (gap - distance) / 2;
  return first <= second ? [first - push, second + push] : [first + push, second - push];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
