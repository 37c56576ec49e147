// The cardiogram and its latencies on canvases.

import { type Colors, colors, font, sharp } from "../colors";
import { logBin, scaleEnd } from "../scale";
import { bandwidth, duration, figure, NS_PER_S, withoutZeros } from "../units";
import { word } from "../words";
import { type FallOff, type Model, type Sample, stalls, writtenAt } from "./model";

/** Room for the marks of an axis, in CSS pixels; the charts below each other share it. */
const LEFT_PX = 92;
const TOP_PX = 18;
const BOTTOM_PX = 22;
/** Latencies on the heat map: from 10 µs, four bins for each power of ten. */
const FROM_NS = 1e4;
const PER_DECADE = 4;
const BINS = 6 * PER_DECADE;
const COLUMN_NS = NS_PER_S;

/** The time that is shown. Its end moves with the newest sample; for who wants less motion it jumps by a half. */
export function shown(end_ns: number, width_px: number, isCalm: boolean): { from_ns: number; to_ns: number } {
  const span_ns = (width_px < 600 ? 60 : 120) * NS_PER_S;
  const half_ns = span_ns / 2;
  const to_ns = isCalm ? Math.max(span_ns, Math.ceil(end_ns / half_ns) * half_ns) : Math.max(span_ns, end_ns);
  return { from_ns: to_ns - span_ns, to_ns };
}

/** What the axis of a chart of rates reaches. */
export function rateEnd(rates: number[]): number {
  return scaleEnd(rates.reduce((most, rate) => Math.max(most, rate), 0));
}

/** How often latencies were in each bin, by seconds: a time since the step began to counts. */
export function latencyCells(samples: Sample[]): Map<number, number[]> {
  const columns = new Map<number, number[]>();
  for (const { end_ns, latency_ns } of samples) {
    if (latency_ns === null) continue;
    const start_ns = Math.floor((end_ns - 1) / COLUMN_NS) * COLUMN_NS;
    const counts = columns.get(start_ns) ?? new Array<number>(BINS).fill(0);
    const bin = logBin(latency_ns, FROM_NS, PER_DECADE, BINS);
    counts[bin] = (counts[bin] ?? 0) + 1;
    columns.set(start_ns, counts);
  }
  return columns;
}

interface Area {
  ink: CanvasRenderingContext2D;
  paint: Colors;
  right: number;
  bottom: number;
  x: (ns: number) => number;
}

function prepare(canvas: HTMLCanvasElement, model: Model, isCalm: boolean, bottom_px: number): Area {
  const { ink, width, height } = sharp(canvas);
  const { from_ns, to_ns } = shown(model.samples.at(-1)?.end_ns ?? 0, width, isCalm);
  const right = width - 20;
  const x = (ns: number) => LEFT_PX + ((right - LEFT_PX) * (ns - from_ns)) / (to_ns - from_ns);
  ink.clearRect(0, 0, width, height);
  ink.font = font(12);
  ink.textBaseline = "middle";
  return { ink, paint: colors(), right, bottom: height - bottom_px, x };
}

function rule({ ink, paint, right }: Area, y: number, label: string): void {
  ink.strokeStyle = paint.grid;
  ink.lineWidth = 1;
  ink.beginPath();
  ink.moveTo(LEFT_PX, Math.round(y) + 0.5);
  ink.lineTo(right, Math.round(y) + 0.5);
  ink.stroke();
  ink.fillStyle = paint.quiet;
  ink.textAlign = "right";
  ink.fillText(label, LEFT_PX - 8, y);
}

/** Words at a place, moved so that they stay inside the chart. */
function label({ ink, right }: Area, words: string, x: number, y: number, color: string): void {
  const half = ink.measureText(words).width / 2;
  ink.fillStyle = color;
  ink.textAlign = "center";
  ink.fillText(words, Math.min(Math.max(x, LEFT_PX + half), right - half), y);
}

/** Draws the rates with stalls and the fall-off. */
export function drawCardiogram(canvas: HTMLCanvasElement, model: Model, isCalm: boolean): void {
  const area = prepare(canvas, model, isCalm, BOTTOM_PX);
  const { ink, paint, right, bottom, x } = area;
  const visible = model.samples.filter((sample) => x(sample.end_ns) >= LEFT_PX);
  const end = rateEnd(visible.map((sample) => model.rate(sample)));
  const y = (rate: number) => bottom - ((bottom - TOP_PX) * rate) / end;
  const axisMark = (rate: number) => (rate === 0 ? "0" : withoutZeros(figure(rate, model.unit)));
  for (const share of [0, 0.5, 1]) {
    rule(area, y(end * share), visible.length > 0 ? axisMark(end * share) : "");
  }
  seconds(area, model);
  ink.save();
  ink.beginPath();
  ink.rect(LEFT_PX, 0, right - LEFT_PX + 6, bottom + 1);
  ink.clip();
  const silent = stalls(model.samples).filter((stall) => x(stall.end_ns) > LEFT_PX);
  curve(area, visible, (sample) => y(model.rate(sample)));
  for (const { start_ns, end_ns } of silent) {
    ink.fillStyle = paint.bad;
    ink.globalAlpha = 0.25;
    ink.fillRect(x(start_ns), TOP_PX, x(end_ns) - x(start_ns), bottom - TOP_PX);
    ink.globalAlpha = 1;
    ink.fillRect(x(start_ns), bottom - 3, x(end_ns) - x(start_ns), 4);
  }
  ink.restore();
  marks(area, model, silent);
}

/** A mark each ten or twenty seconds. */
function seconds(area: Area, model: Model): void {
  const { ink, paint, right, bottom, x } = area;
  const step_ns = (right < 600 ? 10 : 20) * NS_PER_S;
  const end_ns = model.samples.at(-1)?.end_ns ?? 0;
  ink.fillStyle = paint.quiet;
  ink.textAlign = "center";
  for (let ns = 0; x(ns) <= right && ns <= end_ns + 120 * NS_PER_S; ns += step_ns) {
    if (x(ns) >= LEFT_PX - 1) ink.fillText(`${ns / NS_PER_S} s`, x(ns), bottom + 13);
  }
}

function curve({ ink, paint, bottom, x }: Area, visible: Sample[], y: (sample: Sample) => number): void {
  const [first, last] = [visible[0], visible.at(-1)];
  if (!first || !last) return;
  const color = paint.series[0] as string;
  ink.beginPath();
  ink.moveTo(x(first.end_ns - first.interval_ns), y(first));
  for (const sample of visible) ink.lineTo(x(sample.end_ns), y(sample));
  ink.strokeStyle = color;
  ink.lineWidth = 1.8;
  ink.lineJoin = "round";
  ink.stroke();
  ink.lineTo(x(last.end_ns), bottom);
  ink.lineTo(x(first.end_ns - first.interval_ns), bottom);
  ink.fillStyle = color;
  ink.globalAlpha = 0.12;
  ink.fill();
  ink.globalAlpha = 1;
  ink.beginPath();
  ink.arc(x(last.end_ns), y(last), 4, 0, 2 * Math.PI);
  ink.fill();
}

/** A fall-off in words. */
export function fallText({ before_bytes_per_s, after_bytes_per_s }: FallOff): string {
  return word("live-fall-off", { before: bandwidth(before_bytes_per_s), after: bandwidth(after_bytes_per_s) });
}

/** Words for the fall-off, and for stalls where there is room: the newest first. */
function marks(area: Area, model: Model, silent: { start_ns: number; end_ns: number }[]): void {
  const { ink, paint, bottom, x } = area;
  const taken: [number, number][] = [];
  const write = (words: string, at: number, color: string) => {
    const half = ink.measureText(words).width / 2 + 6;
    if (taken.some(([from, to]) => at + half > from && at - half < to)) return;
    taken.push([at - half, at + half]);
    label(area, words, at, 8, color);
  };
  const at_ns = model.fall ? writtenAt(model.samples, model.fall.after_bytes) : null;
  if (model.fall && at_ns !== null && x(at_ns) >= LEFT_PX) {
    ink.strokeStyle = paint.bad;
    ink.lineWidth = 2;
    ink.setLineDash([5, 3]);
    ink.beginPath();
    ink.moveTo(x(at_ns), TOP_PX);
    ink.lineTo(x(at_ns), bottom);
    ink.stroke();
    ink.setLineDash([]);
    write(fallText(model.fall), x(at_ns), paint.bad);
  }
  for (const { start_ns, end_ns } of [...silent].reverse()) {
    const time = duration(end_ns - start_ns);
    write(word("live-stall", { time }), (x(start_ns) + x(end_ns)) / 2, paint.bad);
  }
}

/** Draws the latencies: time to the right, latency upwards, darker where more of them were. */
export function drawLatencies(canvas: HTMLCanvasElement, model: Model, isCalm: boolean): void {
  const area = prepare(canvas, model, isCalm, 8);
  const { ink, paint, bottom, x } = area;
  const y = (bin: number) => bottom - ((bottom - 8) * bin) / BINS;
  for (let bin = 0; bin <= BINS; bin += 2 * PER_DECADE) {
    rule(area, y(bin), withoutZeros(duration(FROM_NS * 10 ** (bin / PER_DECADE))));
  }
  for (const [start_ns, counts] of latencyCells(model.samples)) {
    const left = Math.max(x(start_ns), LEFT_PX);
    const width = Math.min(x(start_ns + COLUMN_NS), area.right) - left;
    if (width <= 0) continue;
    const most = Math.max(...counts);
    counts.forEach((times, bin) => {
      if (times === 0) return;
      // From 100 ms on, who waits notices.
      ink.fillStyle = bin >= 4 * PER_DECADE ? paint.bad : paint.cell;
      ink.globalAlpha = 0.25 + (0.75 * times) / most;
      ink.fillRect(left + 0.5, y(bin + 1) + 0.5, Math.max(width - 1, 1), y(bin) - y(bin + 1) - 1);
    });
  }
  ink.globalAlpha = 1;
}
