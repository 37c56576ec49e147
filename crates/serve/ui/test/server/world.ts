// What the tests of this directory share: one browser, and one server whose store the program itself has filled.

import { resolve } from "node:path";
import { after, before } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { HEIGHT, launch } from "../browser";
import { Bench, type Report, Server } from "./program";

export interface World {
  browser: Browser;
  bench: Bench;
  server: Server;
  /** A browser that is signed in. */
  owner: BrowserContext;
  /** The id of a checkup with each label. */
  ids: Record<string, string>;
  /** The addresses of pages of drives. */
  drives: string[];
}

export const world = {} as World;

const FIXTURES = resolve("../../import/src/fixtures");

/** Checkups of every kind that pages show differently: their labels, and what makes them. */
const CHECKUPS: [string, string[]][] = [
  ["card", ["check", "--simulate", "sandisk-ultra-64"]],
  ["ssd", ["check", "--simulate", "kioxia-sata-960"]],
  ["bad", ["check", "--simulate", "bad-card"]],
  ["fake", ["check", "--simulate", "fake-card", "--suite", "capacity"]],
  ["sweep", ["check", "--simulate", "sandisk-ultra-64", "--suite", "sweep", "--set", "bs=4k,64k", "--set", "depth=1,8"]],
  ["real", ["check", "real", "--max-time", "4s"]],
  ["imported", ["import", `${FIXTURES}/tools/yabs.json`]],
];

const DAY_MS = 86_400_000;

/** The same checkup at another time, in milliseconds since 1970. */
export function moved(report: Report, unix_ms: number): Report {
  return { ...report, id: `${report.id}-${unix_ms}`, started_unix_ms: unix_ms };
}

/** Fills the store; the answer is the id of the newest checkup with each label. */
export function fill(bench: Bench): Record<string, string> {
  bench.place("real");
  for (const [label, args] of CHECKUPS) bench.run([...args, "--label", label]);
  const reports = bench.reports();
  // A drive over time.
  const card = reports.find(({ label }) => label === "card");
  bench.save([1, 2, 3, 4].map((number) => moved(card, Date.UTC(2026, 0, 1) + number * 30 * DAY_MS)));
  return Object.fromEntries(reports.map(({ label, id }) => [label, id]));
}

async function build(): Promise<void> {
  const bench = new Bench();
  const ids = fill(bench);
  const [browser, server] = await Promise.all([launch(), Server.start(bench)]);
  const owner = await browser.newContext({ viewport: { width: 1400, height: HEIGHT } });
  const page = await owner.newPage();
  await page.goto(await server.address());
  const links = page.locator('main h2 a[href^="/drives/"]');
  const drives = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") as string));
  await page.close();
  Object.assign(world, { browser, bench, server, owner, ids, drives });
}

async function tearDown(): Promise<void> {
  await world.browser?.close();
  await world.server?.end();
  world.bench?.remove();
}

/** Hooks of one file start together: others wait for this. */
export const ready = build();
before(() => ready);
after(tearDown);
