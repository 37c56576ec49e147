// A server with pages in the contract, as small as can be: what the real one sends, made by hand. Its stream of a
// running checkup is scripted, and can be cut.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:";
const STYLE = ["../../render/src/html/style.css", "dist/app.css"];

/** Texts of a language, read from its catalogue: attributes below ids, `{ $name }` as `{name}`. */
export function catalogue(language: string, files = ["serve-ui", "commands"]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const file of files) {
    let id = "";
    for (const line of readFileSync(`../../catalogue/locales/${language}/${file}.ftl`, "utf8").split("\n")) {
      const [, top, attribute, text] = /^(?:([a-z][\w-]*)|\s+\.([\w-]+)) =\s*(.*)$/.exec(line) ?? [];
      id = top ?? id;
      const name = attribute === undefined ? id : `${id}.${attribute}`;
      if (text) texts[name] = text.replace(/\{ \$(\w+) \}/g, "{$1}");
    }
  }
  return texts;
}

export interface Options {
  language: string;
}

const RANDOM = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];

/** A step of writing that falls off and stalls: progress each 250 ms. */
export function script(): [string, unknown][] {
  const none = { ios: 0, bytes: 0 };
  const events: [string, unknown][] = [
    ["subject", { drive: { path: "/mnt/card", simulated: false }, suite: "quick", write_bytes_max: 8.5e9 }],
    ["note", "The files are removed at the end."],
    ["step", { rows: [{ name: "Sequential read 1M", value: "94.4 MB/s", note: null }] }],
    ["step", { rows: [{ name: "Random read 4K QD1", value: "3,820 IOPS", note: "p99 379 µs" }] }],
    ["stage", { title: "Sustained write 1M", number: 7, count: 9, elapsed_ns: 95e9, left: { about: 160e9 }, written_bytes: 1.2e9 }],
    ["temperature", { drive: "sda", now_c: 71, warning_c: 70 }],
  ];
  let written = 0;
  for (let tick = 1; tick <= 360; tick += 1) {
    const noise = (RANDOM[tick % RANDOM.length] ?? 0) / 10;
    const isSilent = tick >= 150 && tick < 158;
    const bytes = isSilent ? 0 : (tick < 220 ? 20 + noise : 7 + noise * 2) * 1e6;
    written += bytes;
    const progress = {
      elapsed_ns: tick * 250e6,
      interval_ns: 250e6,
      read_bytes: 0,
      write_bytes: bytes,
      ios: Math.round(bytes / 2 ** 20),
      latency_p99_ns: isSilent ? null : (tick === 158 ? 2000 : tick < 220 ? 30 + noise * 40 : 120 + noise * 90) * 1e6,
      busiest: "write",
      total: { read: none, write: { ios: Math.round(written / 2 ** 20), bytes: written }, trim: none, sync: none },
      workers: [{ job: 0, clone: 0, state: "running" }],
      left_ns: null,
    };
    events.push(["doing", { jobs: { title: "Sustained write 1M", time_ns_max: null, is_paced: false, progress } }]);
    if (tick === 240) events.push(["fall_off", { after_bytes: written - 21 * 7e6, before_bytes_per_s: 81.8e6, after_bytes_per_s: 31.2e6 }]);
  }
  events.push(["warning", "The processor was throttled: figures of short I/Os may be too low."]);
  return events;
}

const DAY_S = 86_400;
const START_S = 1_790_000_000;
const line = <T>(count: number, of: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => of(index));
const axis = (label: string, unit: string, scale: string) => ({ label, unit, scale });

/** A chart of each kind. */
export const CHARTS: Record<string, unknown> = {
  timeline: {
    kind: "timeline",
    title: "Bandwidth during the test",
    x: axis("time", "s", "linear"),
    y: axis("bandwidth", "B/s", "linear"),
    series: [
      { name: "Sustained write 1M", x: line(120, (at) => at), y: line(120, (at) => (at < 70 ? 82e6 : 31e6) + ((at * 37) % 11) * 4e5) },
      { name: "Sequential read 1M", x: line(60, (at) => at * 2), y: line(60, (at) => (at === 20 ? null : 94e6 + ((at * 13) % 7) * 2e5)) },
    ],
    limits: [{ value: 58.9e6, label: "file server: 58.9 MB/s" }],
  },
  percentiles: {
    kind: "percentiles",
    title: "Latency percentiles",
    x: axis("percentile", "", "linear"),
    y: axis("latency", "ns", "log"),
    series: line(8, (at) => at).map((number) => ({
      name: `Drive ${number + 1}`,
      x: [0, 0.301, 1, 2, 3, 4],
      y: line(6, (at) => 1e5 * (number + 1) * 2.2 ** at),
      low: number === 0 ? line(6, (at) => 0.9e5 * 2.2 ** at) : null,
      high: number === 0 ? line(6, (at) => 1.3e5 * 2.2 ** at) : null,
    })),
  },
  trend: {
    kind: "trend",
    title: "Random write 4K QD1",
    x: axis("", "", "time"),
    y: axis("rate", "IOPS", "linear"),
    series: [
      {
        name: "Random write 4K QD1",
        x: line(9, (at) => START_S + at * 9 * DAY_S),
        y: [390, 395, 388, null, 402, 240, 236, 244, 238],
        low: [370, 380, 360, null, 390, 228, 220, 230, 231],
        high: [410, 412, 409, null, 415, 250, 251, 256, 247],
        why: [null, null, null, "another program wrote to the drive", null, null, null, null, null],
      },
    ],
    limits: [{ value: 122, label: "light database: 122 IOPS" }],
    events: [
      { x: START_S + 41 * DAY_S, label: "Kernel 6.12" },
      { x: START_S + 60 * DAY_S, label: "Firmware 2.1" },
    ],
  },
  heat: {
    kind: "heat",
    title: "Latencies during the test",
    x: axis("time", "s", "linear"),
    y: axis("latency", "ns", "log"),
    heat: {
      x: line(40, (at) => at),
      y: line(8, (at) => 1e5 * 4 ** at),
      counts: line(40, (across) => across).map((across) =>
        line(8, (up) => (up > 2 + (across % 4) ? 0 : ((across * 7 + up * 13) % 19) ** 2)),
      ),
    },
  },
  empty: { kind: "trend", title: "Nothing", x: axis("", "", "time"), y: axis("", "", "linear"), series: [] },
};

const DRIVES = ["SanDisk Ultra 64 GB", "Samsung PM9A3", "Kingston A400", 'Card <of> "Ann"'];
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function cards(text: string, saved: number): string {
  const named = [...DRIVES, ...line(saved, (at) => at).map((at) => `Saved ${at + 1}`)];
  const shown = named.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const card = (name: string) => `<li data-key="${encodeURIComponent(name)}"><h2><a href="/drives/x">${escaped(name)}</a></h2>
    <p class="quiet">/mnt/card · USB reader, slot 2</p><p>Good for sensors; <span class="bad">too slow for a database</span></p>
    <dl class="key"><div><dt>Random write</dt><dd>390 IOPS</dd></div><div><dt>Sequential read</dt><dd>94.4 MB/s</dd></div></dl>
    <p class="quiet">Last checkup 2026-10-03</p>
    <label><input type="checkbox" name="of" value="${encodeURIComponent(name)}"> Compare</label></li>`;
  return `<ul class="drives" id="list" data-count="${shown.length}">${shown.map(card).join("\n")}</ul>`;
}

const figureOf = (kind: string) => `<figure data-chart="/api/v1/charts/${kind}"><figcaption>${kind}</figcaption>
  <div class="scroll" role="region" aria-label="${kind}" tabindex="0"><table><thead><tr><th scope="col">Test</th><th scope="col" class="number">IOPS</th></tr></thead>
  <tbody><tr><th scope="row">Random write</th><td class="number">390</td></tr></tbody></table></div></figure>`;

/** What stands in `main`, by path. */
function body(path: string, query: URLSearchParams, saved: number): string | undefined {
  if (path === "/") {
    return `<h1>Drives</h1><form data-compare action="/compare"><p><label>Filter <input type="text" name="text" data-filter="#list" value="${query.get("text") ?? ""}"></label></p>
      <p><button class="main">Compare</button></p>${cards(query.get("text") ?? "", saved)}</form>`;
  }
  if (path === "/live/abc") {
    return `<h1>SanDisk Ultra 64 GB</h1><div data-live="/api/v1/live/abc"><p>Running.</p></div>
      <form data-stop method="post" action="/live/abc/stop"><button>Stop and keep what is measured</button></form>`;
  }
  if (path === "/checkups/abc") return "<h1>Report</h1>";
  if (path === "/compare") return "<h1>Compare</h1>";
  if (path === "/charts") return `<h1>Charts</h1>${[...Object.keys(CHARTS), "missing"].map(figureOf).join("\n")}`;
  if (path === "/start") {
    return `<h1>New checkup</h1><form class="stack" data-start method="post" action="/start">
      <fieldset><legend>Place</legend><ul class="places"><li><label><input type="radio" name="path" value="/mnt/card" checked> /mnt/card</label><span class="quiet">SanDisk Ultra 64 GB, mmcblk0</span></li>
      <li><label><input type="radio" name="path" value="/dev/sdb"> /dev/sdb</label><span class="quiet">Kingston A400</span></li></ul></fieldset>
      <label>Suite <select name="suite"><option>quick</option><option>fake</option></select></label>
      <label>Label <input type="text" name="label"></label>
      <label>Settings <textarea name="settings" rows="3"></textarea></label>
      <label>Id of the device <input type="text" name="consent"></label>
      <label><input type="checkbox" name="may_write_much" value="yes"> May write much</label>
      <p><button class="main">Start</button> <button name="plan" value="yes">Show what it would do</button></p><output></output></form>`;
  }
  return undefined;
}

function page(main: string, path: string, { language }: Options): string {
  const words = JSON.stringify(catalogue(language)).replace(/</g, "\\u003c");
  const link = (at: string, name: string) => `<li><a href="${at}"${at === path ? ' aria-current="page"' : ""}>${name}</a></li>`;
  return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>cardiograph</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/app.css"><script src="/assets/app.js"></script></head><body>
<header class="site"><a href="/" class="name">cardiograph</a><nav aria-label="Pages"><ul>${link("/", "Home")}${link("/charts", "Charts")}${link("/start", "New checkup")}</ul></nav><button data-theme-toggle class="plain" hidden></button></header>
<main${path === "/" ? ' data-feed="/api/v1/events"' : ""}>${main}</main><script type="application/json" id="words">${words}</script></body></html>`;
}

/** The server, with what a test does to it. */
export class Fixture {
  private streams = new Map<ServerResponse, string>();
  private server = createServer((request, response) => this.answer(request, response));
  saved = 0;
  /** Events of the checkup that were sent, from the first. */
  events: [string, unknown][] = script();
  /** Last-Event-ID of each stream that was opened. */
  resumed: string[] = [];
  posts: [string, string][] = [];

  constructor(private options: Options = { language: "en" }) {}

  set language(code: string) {
    this.options.language = code;
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.server.listen(port, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Cuts all streams, as a network does. */
  cut(): void {
    for (const stream of this.streams.keys()) stream.destroy();
  }

  send(kind: string, data: unknown): void {
    this.events.push([kind, data]);
    for (const [stream, of] of this.streams) if (of === "live") this.write(stream, this.events.length);
  }

  /** Another program saves a checkup. */
  save(): void {
    this.saved += 1;
    for (const [stream, of] of this.streams) {
      if (of === "feed") stream.write(`id: ${this.saved}\nevent: saved\ndata: {"id":"s${this.saved}","drive":"x"}\n\n`);
    }
  }

  private write(stream: ServerResponse, number: number): void {
    const [kind, data] = this.events[number - 1] ?? ["", null];
    stream.write(`id: ${number}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  private stream(request: IncomingMessage, response: ServerResponse, of: string): void {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 200\n\n");
    this.streams.set(response, of);
    response.on("close", () => this.streams.delete(response));
    if (of !== "live") return;
    const last = request.headers["last-event-id"];
    this.resumed.push(String(last ?? ""));
    for (let number = Number(last ?? 0) + 1; number <= this.events.length; number += 1) this.write(response, number);
  }

  private async post(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += part;
    this.posts.push([path, text]);
    const json = (status: number, data: unknown) => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(data));
    };
    if (path.endsWith("/stop")) response.writeHead(204).end();
    else {
      const asked = JSON.parse(text);
      const task = asked.task ?? asked;
      const mustErase = task.path.startsWith("/dev/") && task.consents[0] !== "KA400-1";
      const needs = { question: "This erases /dev/sdb, Kingston A400. Type its id:", id: "KA400-1" };
      if (mustErase) json(428, { error: "Nothing was erased.", needs });
      else if (path.endsWith("/start")) json(201, { id: "abc" });
      else
        json(200, {
          html: `<p>quick on ${escaped(task.path)}: at most 4:20, writes up to 1.3 GB. Nothing is written yet.</p><pre>cardiograph check</pre>`,
        });
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "POST") {
      this.post(pathname, request, response);
      return;
    }
    const stream = { "/api/v1/live/abc/events": "live", "/api/v1/events": "feed" }[pathname];
    if (stream) {
      this.stream(request, response, stream);
      return;
    }
    const chart = CHARTS[pathname.replace("/api/v1/charts/", "")];
    if (chart) {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(chart));
      return;
    }
    if (pathname === "/api/v1/charts/missing") {
      // A chart of a later version.
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"kind":"pie"}');
      return;
    }
    const asset = { "/assets/app.js": ["text/javascript", ["dist/app.js"]], "/assets/app.css": ["text/css", STYLE] }[pathname];
    if (asset) {
      const [type, files] = asset as [string, string[]];
      response.writeHead(200, { "Content-Type": type }).end(files.map((file) => readFileSync(file, "utf8")).join("\n"));
      return;
    }
    const main = body(pathname, searchParams, this.saved);
    response.writeHead(main === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": CSP });
    response.end(main === undefined ? "" : page(main, pathname, this.options));
  }
}
