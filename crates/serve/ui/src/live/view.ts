// The page of a running checkup: keeps a Model from the stream of events, and shows it.

import { onRecolor } from "../colors";
import { element, setText } from "../dom";
import { ask } from "../offline";
import { open } from "../stream";
import { capacity, clock, duration, figure } from "../units";
import { word } from "../words";
import { drawCardiogram, drawLatencies, fallText } from "./draw";
import { Model, stalls } from "./model";

const TYPES = ["subject", "stage", "doing", "note", "trouble", "warning", "temperature", "step", "fall_off", "ended"] as const;
const NS_PER_MS = 1e6;

/** The words for what is done now. */
export function activityText({ activity, stage }: Model): string {
  if (activity === undefined) return stage?.title ?? word("ui-live.waiting");
  if (activity === "inquiring") return word("live-inquiring");
  if ("trimming" in activity) return word("live-trimming", { step: activity.trimming.title });
  if ("making_room" in activity) return word("live-making-room", { step: activity.making_room.title });
  if ("laying_out" in activity) return activity.laying_out;
  if ("restoring" in activity) {
    return word("live-restoring", { what: activity.restoring.what, percent: activity.restoring.percent });
  }
  if ("saving" in activity) {
    const { title, saved, places } = activity.saving;
    return word("live-saving", { step: title, saved, places });
  }
  return "jobs" in activity ? activity.jobs.title : activity.app.title;
}

function timeText(model: Model, now_ns: number): string {
  const elapsed = clock(model.elapsed_ns(now_ns));
  const left = model.left();
  if (left === "unknown") return elapsed;
  if ("at_most" in left) return word("live-time.at-most", { elapsed, left: clock(left.at_most) });
  return word("live-time.about", { elapsed, left: clock(left.about) });
}

/** The key figures: name and value; those that are unknown have a dash. */
export function figures(model: Model, now_ns: number): [string, string][] {
  const last = model.samples.at(-1);
  const rate = last && figure(model.rate(last), model.unit);
  const most_bytes = model.subject?.write_bytes_max;
  const written = capacity(model.written_bytes());
  const whole = most_bytes == null ? written : word("ui-of", { part: written, whole: capacity(most_bytes) });
  const { now_c, warning_c } = model.temperature ?? {};
  const isHot = now_c !== undefined && warning_c != null && now_c >= warning_c;
  const heat = isHot ? word("live-temperature.hot", { now: now_c, limit: warning_c }) : word("live-temperature", { now: now_c ?? "-" });
  return [
    ["now", rate ?? "-"],
    ["latency", last?.latency_ns == null ? "-" : duration(last.latency_ns)],
    ["written", whole],
    ["temperature", now_c === undefined ? "-" : heat],
    ["time", timeText(model, now_ns)],
  ];
}

function stepText({ stage, subject }: Model): string {
  const step = stage && { step: stage.number, steps: stage.count ?? "" };
  const number = step && word(stage?.count == null ? "live-step" : "live-step.of", step);
  const path = subject?.drive.simulated ? "" : subject?.drive.path;
  return [number, subject?.suite, path].filter(Boolean).join(" · ");
}

/** Takes over the form that stops the checkup: it is there for those who may. */
function stopForm(root: HTMLElement, status: HTMLElement): HTMLElement {
  const form = document.querySelector<HTMLFormElement>("form[data-stop]");
  if (!form) return element("span");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button?.setAttribute("aria-disabled", "true");
    setText(status, word("ui-live.stopping"));
    const answer = await ask(`${root.dataset.live}/stop`, { method: "POST" }).catch(() => undefined);
    if (answer?.ok) return;
    button?.removeAttribute("aria-disabled");
    setText(status, word("ui-live.not-stopped"));
  });
  return form;
}

class View {
  private model = new Model();
  private title = element("h2", {});
  private step = element("p", { class: "quiet" });
  private status = element("p", { class: "fair", role: "status" });
  private progress = element("progress", { "aria-label": word("ui-live.progress"), max: "1", value: "0" });
  private facts = new Map<string, HTMLElement>();
  private cardiogram = element("canvas", { class: "cardiogram", role: "img" });
  private latencies = element("canvas", { class: "latencies", role: "img" });
  private strip: HTMLElement;
  private rows = element("dl", { class: "key" });
  private soFar = element("section", { hidden: true });
  private lists = {
    troubles: this.list("ui-live.troubles", "bad"),
    warnings: this.list("ui-live.warnings", "fair"),
    notes: this.list("ui-live.notes", "quiet"),
  };
  private calm = matchMedia("(prefers-reduced-motion:reduce)");
  private isDue = false;

  constructor(private root: HTMLElement) {
    const key = element("dl", { class: "key now" });
    for (const [id] of figures(this.model, 0)) {
      const value = element("dd", {}, "-");
      this.facts.set(id, value);
      key.append(element("div", {}, element("dt", {}, word(`ui-live.${id}`)), value));
    }
    const picture = (canvas: HTMLElement, id: string) => element("figure", {}, element("figcaption", {}, word(id)), canvas);
    this.strip = picture(this.latencies, "ui-live.latencies");
    this.soFar.append(element("h2", {}, word("ui-live.so-far")), this.rows);
    const head = element("div", {}, this.title, this.step);
    const stop = stopForm(root, this.status);
    root.replaceChildren(element("div", { class: "head" }, head, stop), this.progress, this.status, key);
    root.append(...Object.values(this.lists), picture(this.cardiogram, "ui-live.cardiogram"), this.strip);
    root.append(this.soFar);
    // Notes are the least urgent.
    root.append(this.lists.notes);
    new ResizeObserver(() => this.draw()).observe(this.cardiogram);
    onRecolor(() => this.draw());
    setInterval(() => this.draw(), 1000);
    this.show();
  }

  private list(heading: string, kind: string): HTMLElement {
    const list = element("ul", { "aria-label": word(heading) });
    return element("div", { class: `notes ${kind}-notes`, hidden: true }, element("h3", {}, word(heading)), list);
  }

  take(type: string, data: unknown): void {
    this.model.take(type, data, performance.now() * NS_PER_MS);
    if (type !== "doing") this.show();
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  connected(isConnected: boolean): void {
    this.root.classList.toggle("stale", !isConnected);
  }

  /** Shows what changes with steps. */
  private show(): void {
    const { stage, rows } = this.model;
    setText(this.step, stepText(this.model));
    if (stage?.count) this.progress.value = (stage.number - 1) / stage.count;
    else this.progress.removeAttribute("value");
    this.soFar.hidden = rows.length === 0;
    const made = rows.slice(this.rows.childElementCount).map(({ name, value, note }) => {
      const notes = note ? [element("dd", { class: "quiet" }, note)] : [];
      return element("div", {}, element("dt", {}, name), element("dd", {}, value), ...notes);
    });
    this.rows.append(...made);
    for (const kind of ["troubles", "warnings", "notes"] as const) {
      const [box, texts] = [this.lists[kind], this.model[kind]];
      box.hidden = texts.length === 0;
      const list = box.querySelector("ul") as HTMLElement;
      list.append(...texts.slice(list.childElementCount).map((text) => element("li", {}, text)));
    }
  }

  /** Shows what changes all the time. */
  private draw(): void {
    const { model } = this;
    setText(this.title, activityText(model));
    for (const [id, text] of figures(model, performance.now() * NS_PER_MS)) {
      setText(this.facts.get(id) as HTMLElement, text);
    }
    const isHot = (model.temperature?.now_c ?? 0) >= (model.temperature?.warning_c ?? Number.POSITIVE_INFINITY);
    const heat = this.facts.get("temperature");
    heat?.classList.toggle("fair", isHot);
    // Most drives do not say.
    if (heat?.parentElement) heat.parentElement.hidden = !model.temperature;
    drawCardiogram(this.cardiogram, model, this.calm.matches);
    this.strip.hidden = model.samples.every((sample) => sample.latency_ns === null);
    if (!this.strip.hidden) drawLatencies(this.latencies, model, this.calm.matches);
    const rate = this.facts.get("now")?.textContent ?? "";
    const summary = word("ui-live.summary", { title: activityText(model), rate, stalls: stalls(model.samples).length });
    const fall = model.fall ? [fallText(model.fall)] : [];
    this.cardiogram.setAttribute("aria-label", [summary, ...fall].join(", "));
    this.latencies.setAttribute("aria-label", `${word("ui-live.latencies")}: ${this.facts.get("latency")?.textContent}`);
  }
}

/** Shows the running checkup of `data-live`. */
export function live(root: HTMLElement): void {
  const view = new View(root);
  const close = open({
    address: `${root.dataset.live}/events`,
    types: [...TYPES],
    take: (type, data) => {
      if (type !== "ended") return view.take(type, data);
      close();
      location.assign(`/checkups/${encodeURIComponent((data as { id: string }).id)}`);
    },
    connected: (isConnected) => view.connected(isConnected),
  });
}
