// A signed-in browser on pages of the real server.

import assert from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { axe, fits, HEIGHT, shoot, WIDTHS, watch } from "../browser";
import type { Server } from "./program";

const PATIENCE_MS = 15_000;

export type Code = "en" | "ja";

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about. */
  said: string[];
}

export interface Visitor extends BrowserContextOptions {
  language?: Code;
  /** Cookies of another visit; without them, a one-time address signs the browser in. */
  as?: BrowserContext | "nobody";
  /** The statuses of refusals that the visit is about: Chromium reports each. */
  refused?: number[];
}

/** Opens a page as somebody, and expects that the browser had nothing to say in the end. */
export async function visit(
  browser: Browser,
  server: Server,
  path: string,
  { language = "en", as, refused = [], ...options }: Visitor,
  see: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1400, height: HEIGHT }, locale: language, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const said = watch(context, server.base);
  try {
    const page = await context.newPage();
    if (as === undefined) await page.goto(await server.address());
    else if (as !== "nobody") await context.addCookies(await as.cookies());
    await page.goto(server.base + path);
    await see({ page, context, said });
    const own = said.filter((text) => !refused.some((status) => text.includes(`status of ${status}`)));
    assert.deepEqual(own, [], path);
  } finally {
    await context.close();
  }
}

/** Levels of the headings, in order. */
export function levels(page: Page): Promise<number[]> {
  return page.locator("h1,h2,h3,h4,h5,h6").evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
}

/** One `h1`, and no level is left out. */
export async function headings(page: Page, name: string): Promise<void> {
  const found = await levels(page);
  assert.equal(found.filter((level) => level === 1).length, 1, `${name}: one h1`);
  const jumps = found.filter((level, at) => level > (found[at - 1] ?? 0) + 1);
  assert.deepEqual(jumps, [], `${name}: ${found}`);
}

/** Sentences in English outside of what is a name, a quotation or a command. */
function english(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const around = node.parentElement;
      if (around?.closest('script,style,code,pre,q,blockquote,[lang="en"]')) continue;
      const text = node.nodeValue ?? "";
      if (/[A-Za-z]{2,}(?: [a-z]{2,}){3,}/.test(text)) found.push(text);
    }
    return found;
  });
}

/** Looks at a page in every width and theme. */
export async function look(page: Page, name: string, language: Code): Promise<void> {
  assert.equal(await page.locator("html").getAttribute("lang"), language, name);
  await headings(page, name);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await fits(page, width, `${name} ${language}`);
      await shoot(page, `${name}-${language}-${colorScheme}-${width}`);
      // The narrow and the wide layout, each in one theme; words have no colours.
      const isJudged = width === (colorScheme === "light" ? 360 : 1400) && (language === "en" || colorScheme === "light");
      if (isJudged) await axe(page, `${name} ${language} ${colorScheme}`);
    }
  }
  // The shelf has titles of sources.
  if (language === "ja" && name !== "shelf") assert.deepEqual(await english(page), [], name);
}
