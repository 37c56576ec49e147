// What the tests of this directory share: one browser, and one server whose store the program itself has filled.

import { after, before } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { HEIGHT, launch } from "../browser";
import { fill } from "./fill";
import { Bench, Server } from "./program";

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
