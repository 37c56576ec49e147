// A `<figure data-chart>`: loads its data, draws it, reads points out, and keeps the table of the server at hand.

import { onRecolor, SERIES } from "../colors";
import { element, setText } from "../dom";
import { ask } from "../offline";
import { word } from "../words";
import { type Chart, isEmpty, parseChart } from "./contract";
import { Heat } from "./heat";
import { type Drawn, Plot } from "./plot";
import { gapTexts, type Point, placeText, pointText, step } from "./points";

async function load(address: string): Promise<Chart> {
  const response = await ask(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new TypeError(String(response.status));
  return parseChart(await response.json());
}

function legend(chart: Chart): HTMLElement {
  const names = chart.series.map(({ name }, index) => {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.color = `var(--c${index % SERIES})`;
    return element("li", {}, swatch, ` ${name}`);
  });
  return element("ul", { class: "legend", hidden: names.length < 2 }, ...names);
}

/** Gaps and events as text: a picture is not read out. */
function texts(chart: Chart): HTMLElement {
  const all = [...gapTexts(chart), ...chart.events.map(({ x, label }) => `${placeText(chart, x)}: ${label}`)];
  return element("ul", { class: "for-readers" }, ...all.map((text) => element("li", {}, text)));
}

/** Draws a chart into a box, which then has keys and a pointer. */
function show(chart: Chart): HTMLElement {
  const host = element("div", { class: "chart", tabindex: "0", role: "group", "aria-label": `${chart.title}. ${word("ui-chart.keys")}` });
  const readout = element("p", { class: "readout quiet", "aria-live": "polite" });
  const box = element("div", {}, host, readout, legend(chart), texts(chart));
  let drawn: Drawn | undefined;
  let point: Point = { series: 0, index: 0 };
  const draw = () => {
    drawn?.destroy();
    drawn = chart.heat ? new Heat(chart, host) : new Plot(chart, host);
  };
  const mark = (at: Point | undefined, isRead: boolean) => {
    drawn?.mark(at);
    // What the pointer is over is not read out: it moves all the time.
    readout.setAttribute("aria-live", isRead ? "polite" : "off");
    setText(readout, at ? pointText(chart, at) : "");
    point = at ?? point;
  };
  host.addEventListener("keydown", (event) => {
    const at = event.key === "Escape" ? undefined : step(chart, point, event.key);
    if (at === undefined && event.key !== "Escape") return;
    event.preventDefault();
    mark(at, true);
  });
  host.addEventListener("focus", () => host.matches(":focus-visible") && mark(point, true));
  host.addEventListener("blur", () => mark(undefined, false));
  host.addEventListener("pointermove", (event) => {
    const ground = host.querySelector(".u-over") ?? host.querySelector("canvas");
    const { left, top } = (ground ?? host).getBoundingClientRect();
    mark(drawn?.at(event.clientX - left, event.clientY - top), false);
  });
  host.addEventListener("pointerleave", () => mark(undefined, false));
  let width = 0;
  new ResizeObserver(() => {
    if (!host.isConnected || host.clientWidth === width) return;
    width = host.clientWidth;
    if (drawn) drawn.resize();
    else draw();
  }).observe(host);
  onRecolor(() => host.isConnected && drawn && draw());
  return box;
}

/** Draws the chart of a figure. */
export async function chart(figure: HTMLElement): Promise<void> {
  const caption = figure.querySelector("figcaption");
  const fallback = [...figure.childNodes].filter((node) => node !== caption);
  const place = element("div", { class: "loading" });
  figure.prepend(...(caption ? [caption] : []), place);
  figure.setAttribute("aria-busy", "true");
  try {
    const read = await load(figure.dataset.chart ?? "");
    if (isEmpty(read)) {
      place.replaceWith(element("p", { class: "quiet" }, word("ui-chart.empty")));
      return;
    }
    if (!caption) figure.prepend(element("figcaption", {}, read.title));
    place.replaceWith(show(read));
    const summary = element("summary", {}, word("ui-chart.table"));
    if (fallback.length > 0) figure.append(element("details", {}, summary, ...fallback));
  } catch {
    const again = element("button", { type: "button" }, word("ui-again"));
    const failed = element("p", { class: "quiet" }, `${word("ui-chart.failed")} `, again);
    place.replaceWith(failed);
    again.addEventListener("click", () => {
      failed.remove();
      chart(figure);
    });
  } finally {
    figure.removeAttribute("aria-busy");
  }
}
