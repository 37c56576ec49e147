// The points of a chart in words, and the way from one to the next.

import { ofNines } from "../scale";
import { count, figure, moment } from "../units";
import { word } from "../words";
import type { Chart, Series } from "./contract";

const DAY_S = 86_400;

/** A point: which series or row of a heat map, and which value of it. */
export interface Point {
  series: number;
  index: number;
}

/** A place on the x axis in words. */
export function placeText({ kind, x }: Chart, at: number): string {
  if (kind === "percentiles") return ofNines(at);
  return x.scale === "time" ? moment(at, at % DAY_S !== 0) : figure(at, x.unit);
}

/** The value of a point in words, with its interval, or why it is withheld. */
function valueText({ y }: Chart, { y: values, low, high, why }: Series, index: number): string {
  const value = values[index];
  const reason = why?.[index];
  if (value == null) return reason == null ? word("ui-chart.none") : word("ui-chart.withheld", { why: reason });
  const [from, to] = [low?.[index], high?.[index]];
  const text = figure(value, y.unit);
  const interval = { value: text, low: from == null ? "" : figure(from, y.unit), high: to == null ? "" : figure(to, y.unit) };
  return from == null || to == null ? text : word("ui-chart.interval", interval);
}

/** A point in words. */
export function pointText(chart: Chart, { series, index }: Point): string {
  if (chart.heat) {
    const { x, y, counts } = chart.heat;
    const place = `${placeText(chart, x[index] ?? 0)}, ${figure(y[series] ?? 0, chart.y.unit)}`;
    return `${place}: ${count(counts[index]?.[series] ?? 0)}`;
  }
  const of = chart.series[series];
  if (!of) return "";
  const place = placeText(chart, of.x[index] ?? 0);
  return `${chart.series.length > 1 ? `${of.name}, ` : ""}${place}: ${valueText(chart, of, index)}`;
}

/** Each gap in words. */
export function gapTexts(chart: Chart): string[] {
  return chart.series.flatMap((of, series) =>
    of.y.flatMap((value, index) => (value === null && of.why?.[index] != null ? [pointText(chart, { series, index })] : [])),
  );
}

function lengths({ heat, series }: Chart): number[] {
  return heat ? heat.y.map(() => heat.x.length) : series.map(({ x }) => x.length);
}

function place({ heat, series }: Chart, point: Point): number {
  return (heat ? heat.x : series[point.series]?.x)?.[point.index] ?? 0;
}

/** The index of the value of a series that is nearest to a place. */
export function nearest(x: number[], at: number): number {
  let best = 0;
  x.forEach((value, index) => {
    if (Math.abs(value - at) < Math.abs((x[best] ?? 0) - at)) best = index;
  });
  return best;
}

/** The point to which a key leads; undefined for other keys. */
export function step(chart: Chart, from: Point, key: string): Point | undefined {
  const all = lengths(chart);
  const last = (all[from.series] ?? 1) - 1;
  const along: Record<string, number> = { ArrowLeft: from.index - 1, ArrowRight: from.index + 1, Home: 0, End: last };
  const index = along[key];
  if (index !== undefined) return { ...from, index: Math.min(Math.max(index, 0), last) };
  // Rows of a heat map go upwards, series downwards as in the legend.
  const down = chart.heat ? -1 : 1;
  const across: Record<string, number> = { ArrowUp: from.series - down, ArrowDown: from.series + down };
  const series = across[key];
  if (series === undefined) return undefined;
  const to = Math.min(Math.max(series, 0), all.length - 1);
  const x = chart.heat ? chart.heat.x : (chart.series[to]?.x ?? []);
  return { series: to, index: nearest(x, place(chart, from)) };
}
