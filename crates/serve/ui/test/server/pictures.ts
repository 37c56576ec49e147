// Pictures of pages for README, of simulated drives: npm run pictures. CARDIOGRAPH is the program, CHROMIUM the browser.

import { mkdirSync, statSync } from "node:fs";
import type { Page } from "playwright-core";
import { launch, settle } from "../browser";
import { catalogue } from "../fixture";
import { moved } from "./fill";
import { Bench, Server } from "./program";
import { type Code, visit } from "./visit";

const DIRECTORY = "../../../docs/pictures";
const LEN_BYTES_MAX = 150_000;
const VIEWPORT = { width: 1100, height: 720 };

const DRIVES: [string, string][] = [
  ["Pi 5, card A", "sandisk-ultra-64"],
  ["Pi 5, SSD", "kioxia-sata-960"],
  ["no name", "bad-card"],
];

/** Checkups of each drive, dated and with a label. */
function fill(bench: Bench): void {
  for (const [label, model] of DRIVES) bench.run(["check", "--simulate", model, "--label", label]);
  const reports = bench.reports();
  const start_ms = Date.UTC(2026, 8, 1, 9);
  const dated = [0, 1, 2].flatMap((month) => reports.map((report, at) => moved(report, start_ms + (month * 30 + at) * 86_400_000)));
  bench.run(["remove", "--yes", ...reports.map(({ id }) => id)]);
  bench.save(dated);
}

/** A running checkup at a moment: what the server sent of one that has ended, up to the last test. */
async function live(page: Page, base: string, language: Code): Promise<void> {
  const task = { simulate: "sandisk-ultra-64", suite: "quick", keeps_report: false };
  const started = await page.request.post(`${base}/api/v1/start`, { data: { task }, headers: { origin: base } });
  const address = `/api/v1/live/${(await started.json()).id}`;
  const events = (await (await page.request.get(`${base}${address}/events`)).text()).split("\n\n");
  const last = events.map((event) => event.includes("event: stage\n")).lastIndexOf(true);
  const rest = events.slice(last).filter((event) => event.includes("event: doing\n"));
  const until = events.indexOf(rest[Math.floor(rest.length * 0.8)] as string);
  const body = `retry: 60000\n\n${events.slice(0, until + 1).join("\n\n")}\n\n`;
  await page.route(`**${address}/events`, (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.goto(`${base}/checkups?skip=0`);
  const words = catalogue(language, ["serve"]);
  await page.evaluate(
    ([address, title, stop]) => {
      const made = (name: string, text: string) => Object.assign(document.createElement(name), { textContent: text });
      const [view, form] = [made("div", ""), made("form", "")];
      view.dataset.live = address;
      form.dataset.stop = "";
      form.append(made("button", stop));
      document.querySelector("main")?.replaceChildren(made("h1", title), view, form);
      document.dispatchEvent(new Event("swapped"));
    },
    [address, words["serve-live"], words["serve-stop"]] as [string, string, string],
  );
  await page.locator("[data-live] section .key > div").first().waitFor();
}

const bench = new Bench();
const browser = await launch();
try {
  fill(bench);
  const server = await Server.start(bench);
  mkdirSync(DIRECTORY, { recursive: true });
  const [card] = bench.ids().filter((id) => id.includes("quick"));
  const pages: [string, (page: Page, language: Code) => Promise<unknown>][] = [
    ["home", (page) => page.goto(`${server.base}/`)],
    ["report", (page) => page.goto(`${server.base}/checkups/${card}`)],
    [
      "compare",
      (page) =>
        page.goto(
          `${server.base}/compare?of=${DRIVES.map(([label]) => encodeURIComponent(label))
            .slice(0, 2)
            .join("&of=")}`,
        ),
    ],
    ["live", (page, language) => live(page, server.base, language)],
  ];
  for (const language of ["en", "ja"] as Code[]) {
    const visitor = { language, viewport: VIEWPORT, colorScheme: "light", reducedMotion: "reduce" } as const;
    await visit(browser, server, "/", visitor, async ({ page }) => {
      for (const [name, open] of pages) {
        await open(page, language);
        await page.addStyleTag({ content: ".lost{display:none}.stale *{opacity:1!important}" });
        await settle(page);
        const path = `${DIRECTORY}/${name}.${language}.png`;
        await page.screenshot({ path });
        const { size } = statSync(path);
        console.log(`${path} ${size}`);
        if (size > LEN_BYTES_MAX) throw new Error(`${path} has ${size} bytes, of ${LEN_BYTES_MAX}`);
      }
    });
  }
  await server.end();
} finally {
  await browser.close();
  bench.remove();
}
