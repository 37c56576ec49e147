// What all tests in a real browser share. CHROMIUM names another one; SCREENSHOTS a directory for pictures of what was seen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const WIDTHS = [360, 820, 1400, 2560];
export const HEIGHT = 1000;

export function launch(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...args] });
}

/** What the browser complains about, and requests that leave the server. Violations of the policy are messages of the console. */
export function watch(context: BrowserContext, base: string): string[] {
  const said: string[] = [];
  context.on("console", (message) => {
    // Advice that the console shows to nobody who does not ask for it.
    if ((message.type() as string) !== "verbose") said.push(message.text());
  });
  context.on("weberror", (error) => said.push(String(error.error())));
  context.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith("data:")) said.push(`left: ${request.url()}`);
  });
  return said;
}

/** Waits until charts are drawn. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function shoot(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}

export async function fits(page: Page, width: number, name: string): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await settle(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `${name} is ${wide} wide in ${width}`);
}

/** Fails on what axe finds serious. */
export async function axe(page: Page, name: string): Promise<void> {
  // By the debugger, which the page's policy does not bind.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
  const serious = found.filter((text) => /^(serious|critical)/.test(text));
  assert.deepEqual(serious, [], name);
}
