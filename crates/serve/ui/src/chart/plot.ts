// Lines and points, drawn by uPlot: timelines, percentiles, trends.

import uPlot from "uplot";
import { type Colors, colors, DASHES, font, SERIES } from "../colors";
import { isPowerOfTen, ofNines } from "../scale";
import { figure, moment, withoutZeros } from "../units";
import type { Axis, Chart, Series } from "./contract";
import type { Point } from "./points";

const DAY_S = 86_400;
/** Steps between marks: minutes, hours, days. */
const TIME_STEPS_S = [60, 600, 3600, 6 * 3600, ...[1, 2, 7, 14, 28, 56, 91, 182, 365, 1826].map((days) => days * DAY_S)];
const HEIGHT_PX = 300;

/** A drawn chart. */
export interface Drawn {
  /** Marks a point, or none. */
  mark(point: Point | undefined): void;
  /** The point at a place of the pointer. */
  at(x_px: number, y_px: number): Point | undefined;
  resize(): void;
  destroy(): void;
}

/** Marks of an axis in words. */
export function ticks(axis: Axis, kind: Chart["kind"], isX: boolean, splits: number[]): string[] {
  if (isX && kind === "percentiles") return splits.map((at) => (Number.isInteger(at) ? ofNines(at) : ""));
  if (isX && axis.scale === "time") {
    const hasTime = splits.length > 1 && (splits[1] as number) - (splits[0] as number) < DAY_S;
    return splits.map((at) => moment(at, hasTime));
  }
  const isWhole = axis.scale !== "log";
  const unit = ["ns", "B", "B/s"].includes(axis.unit) ? axis.unit : "";
  return splits.map((at) => (at === 0 ? "0" : isWhole || isPowerOfTen(at) ? withoutZeros(figure(at, unit)) : ""));
}

/** The range of values that must be visible, with a margin; from zero on linear scales. */
export function range(chart: Chart): [number, number] {
  const values = [
    ...chart.series.flatMap(({ y, low, high }) => [...y, ...(low ?? []), ...(high ?? [])]),
    ...chart.limits.map(({ value }) => value),
  ];
  const isLog = chart.y.scale === "log";
  const drawn = values.filter((value): value is number => value !== null && (!isLog || value > 0));
  if (drawn.length === 0) return [1, 10];
  const [least, most] = drawn.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [drawn[0] as number, drawn[0] as number],
  );
  if (isLog) return [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most * 1.0001))];
  return [Math.min(0, least), most > 0 ? most * 1.08 : 1];
}

export class Plot implements Drawn {
  private plot: uPlot;
  private paint: Colors = colors();
  private marked: Point | undefined;

  constructor(
    private chart: Chart,
    private host: HTMLElement,
  ) {
    const { x } = chart;
    const options: uPlot.Options = {
      width: this.width(),
      height: HEIGHT_PX,
      padding: [chart.events.length > 0 ? 26 : 12, 40, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { time: false, distr: x.scale === "log" ? 3 : 1, range: (_, least, most) => this.across(least, most) },
        y: { distr: chart.y.scale === "log" ? 3 : 1, range: () => range(chart) },
      },
      axes: [this.axis(x, true), this.axis(chart.y, false)],
      series: [{}, ...chart.series.map((of, index) => this.series(of, index))],
      hooks: { drawAxes: [() => this.drawMarks()], draw: [() => this.drawOver()] },
    };
    this.plot = new uPlot(options, uPlot.join(chart.series.map(({ x, y }) => [x, y])), host);
  }

  private width(): number {
    return Math.max(240, this.host.clientWidth);
  }

  private across(dataLeast: number, dataMost: number): [number, number] {
    const places = this.chart.events.map(({ x }) => x);
    const [least, most] = [Math.min(dataLeast, ...places), Math.max(dataMost, ...places)];
    // Points at the borders stay whole, and a single one is in the middle.
    const margin = this.chart.kind === "trend" ? (most - least) * 0.04 || DAY_S : 0;
    if (this.chart.x.scale === "log") return [least, most > least ? most : least * 10];
    return [least - margin, most > least || margin > 0 ? most + margin : least + 1];
  }

  private axis(axis: Axis, isX: boolean): uPlot.Axis {
    // Between powers of ten, lines would be many and grey.
    const filter = (_: uPlot, splits: number[]) => (axis.scale === "log" ? splits.map((at) => (isPowerOfTen(at) ? at : null)) : splits);
    const hasUnit = ["ns", "B", "B/s", ""].includes(axis.unit) || axis.scale === "time";
    return {
      scale: isX ? "x" : "y",
      label: hasUnit || this.chart.kind === "percentiles" ? axis.label : `${axis.label} (${axis.unit})`,
      font: font(12),
      labelFont: font(12),
      labelSize: axis.label === "" ? 0 : 22,
      ...(isX && this.chart.kind === "percentiles" ? { incrs: [1, 2, 5] } : {}),
      ...(isX && axis.scale === "time" ? { incrs: TIME_STEPS_S } : {}),
      size: isX ? 34 : 68,
      space: (_, __, least, most) => (isX ? (axis.scale !== "time" ? 70 : most - least < 5 * DAY_S ? 116 : 80) : 36),
      stroke: () => this.paint.quiet,
      grid: { stroke: () => this.paint.grid, width: 1, filter },
      ticks: { stroke: () => this.paint.grid, width: 1, size: 4, filter },
      values: (_, splits) => ticks(axis, this.chart.kind, isX, splits),
    };
  }

  private series(of: Series, index: number): uPlot.Series {
    const color = () => this.paint.series[index % SERIES] as string;
    return {
      label: of.name,
      scale: "y",
      stroke: color,
      width: 1.8,
      dash: DASHES[index % DASHES.length] as number[],
      points: { show: this.chart.kind === "trend" || of.x.length === 1, size: 7, fill: color },
    };
  }

  /** A place of the plot on its canvas. */
  private on(value: number, scale: "x" | "y"): number {
    return Math.round(this.plot.valToPos(value, scale, true));
  }

  /** Below the lines: limits and events. */
  private drawMarks(): void {
    const { ctx: ink, bbox } = this.plot;
    const ratio = window.devicePixelRatio;
    ink.save();
    ink.font = font(12 * ratio);
    ink.lineWidth = ratio;
    ink.setLineDash([2 * ratio, 2 * ratio]);
    ink.strokeStyle = ink.fillStyle = this.paint.quiet;
    const events = [...this.chart.events].sort((one, other) => one.x - other.x);
    for (const { x } of events) this.line(this.on(x, "x"), bbox.top - 4 * ratio, this.on(x, "x"), bbox.top + bbox.height);
    for (const { value } of this.chart.limits) {
      this.line(bbox.left, this.on(value, "y"), bbox.left + bbox.width, this.on(value, "y"));
    }
    for (const { value, label } of this.chart.limits) {
      const y = this.on(value, "y");
      ink.textAlign = "right";
      ink.textBaseline = "bottom";
      this.words(label, bbox.left + bbox.width - 4 * ratio, y - 3 * ratio);
    }
    let free = 0;
    for (const { x, label } of events) {
      const at = this.on(x, "x");
      const wide = ink.measureText(label).width;
      const left = Math.min(Math.max(at - wide / 2, bbox.left), bbox.left + bbox.width - wide);
      // Without room its line stays; the words are in the list below.
      if (left < free) continue;
      free = left + wide + 8 * ratio;
      ink.textAlign = "left";
      ink.textBaseline = "bottom";
      this.words(label, left, bbox.top - 6 * ratio);
    }
    ink.restore();
  }

  /** Words on a ground of their own: lines go below them. */
  private words(text: string, x: number, y: number): void {
    const { ctx: ink } = this.plot;
    ink.save();
    ink.setLineDash([]);
    ink.lineJoin = "round";
    ink.lineWidth = 5 * window.devicePixelRatio;
    ink.strokeStyle = this.paint.ground;
    ink.strokeText(text, x, y);
    ink.fillText(text, x, y);
    ink.restore();
  }

  private line(x: number, y: number, toX: number, toY: number): void {
    const { ctx: ink } = this.plot;
    ink.beginPath();
    ink.moveTo(x, y);
    ink.lineTo(toX, toY);
    ink.stroke();
  }

  /** Above the lines: intervals, gaps, and the marked point. */
  private drawOver(): void {
    this.chart.series.forEach((of, series) => {
      const color = this.paint.series[series % SERIES] as string;
      if (this.chart.kind === "trend") this.drawIntervals(of, color);
      else this.drawBand(of, color);
      this.drawGaps(of, color);
    });
    if (this.marked) this.drawMarked(this.marked);
  }

  private drawIntervals({ x, low, high }: Series, color: string): void {
    const { ctx: ink } = this.plot;
    const cap = 4 * window.devicePixelRatio;
    ink.strokeStyle = color;
    ink.lineWidth = 1.2 * window.devicePixelRatio;
    ink.setLineDash([]);
    x.forEach((place, index) => {
      const [from, to] = [low?.[index], high?.[index]];
      if (from == null || to == null) return;
      const [at, bottom, top] = [this.on(place, "x"), this.on(from, "y"), this.on(to, "y")];
      this.line(at, bottom, at, top);
      this.line(at - cap, bottom, at + cap, bottom);
      this.line(at - cap, top, at + cap, top);
    });
  }

  private drawBand({ x, low, high }: Series, color: string): void {
    const known = x.flatMap((place, index) => {
      const [from, to] = [low?.[index], high?.[index]];
      return from == null || to == null ? [] : [{ at: this.on(place, "x"), from, to }];
    });
    if (known.length < 2) return;
    const { ctx: ink } = this.plot;
    ink.save();
    ink.globalAlpha = 0.18;
    ink.fillStyle = color;
    ink.beginPath();
    for (const { at, to } of known) ink.lineTo(at, this.on(to, "y"));
    for (const { at, from } of known.reverse()) ink.lineTo(at, this.on(from, "y"));
    ink.fill();
    ink.restore();
  }

  /** A withheld figure is a cross on the axis. */
  private drawGaps({ x, y, why }: Series, color: string): void {
    const { ctx: ink, bbox } = this.plot;
    const [ratio, bottom] = [window.devicePixelRatio, bbox.top + bbox.height];
    ink.strokeStyle = color;
    ink.lineWidth = 1.6 * ratio;
    ink.setLineDash([]);
    x.forEach((place, index) => {
      if (y[index] !== null || why?.[index] == null) return;
      const [at, up] = [this.on(place, "x"), bottom - 9 * ratio];
      this.line(at - 4 * ratio, up - 4 * ratio, at + 4 * ratio, up + 4 * ratio);
      this.line(at - 4 * ratio, up + 4 * ratio, at + 4 * ratio, up - 4 * ratio);
    });
  }

  private drawMarked({ series, index }: Point): void {
    const of = this.chart.series[series];
    const place = of?.x[index];
    if (!of || place === undefined) return;
    const { ctx: ink, bbox } = this.plot;
    const ratio = window.devicePixelRatio;
    const value = of.y[index];
    const at = this.on(place, "x");
    const y = value == null ? bbox.top + bbox.height - 9 * ratio : this.on(value, "y");
    ink.setLineDash([]);
    ink.lineWidth = 2 * ratio;
    ink.strokeStyle = this.paint.text;
    ink.fillStyle = this.paint.series[series % SERIES] as string;
    ink.beginPath();
    ink.arc(at, y, 5.5 * ratio, 0, 2 * Math.PI);
    ink.fill();
    ink.stroke();
  }

  mark(point: Point | undefined): void {
    this.marked = point;
    this.plot.redraw(false, false);
  }

  at(x_px: number, y_px: number): Point | undefined {
    let best: { point: Point; distance: number } | undefined;
    this.chart.series.forEach(({ x, y }, series) => {
      x.forEach((place, index) => {
        const value = y[index];
        const [across, up] = [this.plot.valToPos(place, "x") - x_px, value == null ? 0 : this.plot.valToPos(value, "y") - y_px];
        // People point at a place; the height only chooses between series.
        const distance = Math.abs(across) + Math.abs(up) / 8;
        if (!best || distance < best.distance) best = { point: { series, index }, distance };
      });
    });
    return best?.point;
  }

  resize(): void {
    this.plot.setSize({ width: this.width(), height: HEIGHT_PX });
  }

  destroy(): void {
    this.plot.destroy();
  }
}
