// A heat map on its own canvas: darker where more was counted.

import { colors, font, sharp } from "../colors";
import { element } from "../dom";
import { figure } from "../units";
import type { Chart } from "./contract";
import type { Drawn } from "./plot";
import { ticks } from "./plot";
import type { Point } from "./points";

const LEFT_PX = 84;
const TOP_PX = 12;
const RIGHT_PX = 16;
const BOTTOM_PX = 46;
const MARK_SPACE_PX = 72;

/** How dark a cell is, from 0 to 1: by the logarithm, so that rare ones are visible next to frequent ones. */
export function shade(counted: number, most: number): number {
  return counted <= 0 ? 0 : 0.12 + (0.88 * Math.log1p(counted)) / Math.log1p(most);
}

export class Heat implements Drawn {
  private canvas = element("canvas", { class: "heat", "aria-hidden": "true" });
  private marked: Point | undefined;
  private heat: NonNullable<Chart["heat"]>;

  constructor(
    private chart: Chart,
    host: HTMLElement,
  ) {
    this.heat = chart.heat ?? { x: [], y: [], counts: [] };
    host.append(this.canvas);
    this.resize();
  }

  private cell(): { width: number; height: number; bottom: number } {
    const { clientWidth, clientHeight } = this.canvas;
    const bottom = clientHeight - BOTTOM_PX;
    return {
      width: (clientWidth - LEFT_PX - RIGHT_PX) / Math.max(1, this.heat.x.length),
      height: (bottom - TOP_PX) / Math.max(1, this.heat.y.length),
      bottom,
    };
  }

  resize(): void {
    const { ink, width: all, height: whole } = sharp(this.canvas);
    const { width, height, bottom } = this.cell();
    const paint = colors();
    const { x, y, counts } = this.heat;
    const most = Math.max(1, ...counts.flat());
    ink.clearRect(0, 0, all, whole);
    ink.fillStyle = paint.cell;
    counts.forEach((column, across) => {
      column.forEach((counted, up) => {
        ink.globalAlpha = shade(counted, most);
        ink.fillRect(LEFT_PX + across * width, bottom - (up + 1) * height, width + 0.3, height + 0.3);
      });
    });
    ink.globalAlpha = 1;
    ink.font = font(12);
    ink.fillStyle = paint.quiet;
    ink.textBaseline = "middle";
    ink.textAlign = "right";
    const rows = Math.max(1, Math.ceil(24 / height));
    y.forEach((at, up) => {
      if (up % rows === 0) ink.fillText(figure(at, this.chart.y.unit), LEFT_PX - 8, bottom - (up + 0.5) * height);
    });
    ink.textAlign = "center";
    const every = Math.max(1, Math.ceil(MARK_SPACE_PX / width));
    const marks = ticks({ ...this.chart.x, scale: this.chart.x.scale === "time" ? "time" : "linear" }, "heat", true, x);
    marks.forEach((mark, across) => {
      if (across % every === 0) ink.fillText(mark, LEFT_PX + (across + 0.5) * width, bottom + 12);
    });
    ink.fillText(this.label(), (LEFT_PX + all - RIGHT_PX) / 2, whole - 10);
    if (this.marked) {
      const { series, index } = this.marked;
      ink.strokeStyle = paint.text;
      ink.lineWidth = 2;
      ink.strokeRect(LEFT_PX + index * width, bottom - (series + 1) * height, width, height);
    }
  }

  private label(): string {
    const { label, unit } = this.chart.x;
    return unit === "" ? label : `${label} (${unit})`;
  }

  mark(point: Point | undefined): void {
    this.marked = point;
    this.resize();
  }

  at(x_px: number, y_px: number): Point | undefined {
    const { width, height, bottom } = this.cell();
    const [index, series] = [Math.floor((x_px - LEFT_PX) / width), Math.floor((bottom - y_px) / height)];
    const isInside = index >= 0 && index < this.heat.x.length && series >= 0 && series < this.heat.y.length;
    return isInside ? { series, index } : undefined;
  }

  destroy(): void {
    this.canvas.remove();
  }
}
