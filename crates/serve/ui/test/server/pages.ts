// Each page in each language, theme and width, with and without scripts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { headings, look, type Visitor, visit } from "./visit";
import { world } from "./world";

/** Names, addresses, statuses. */
const PAGES: [string, () => string, number?][] = [
  ["home", () => "/"],
  ["home-filtered", () => "/?text=card&order=name"],
  ["home-nothing", () => "/?text=nosuchdrive"],
  ...[0, 1, 2].map((at): [string, () => string] => [`drive-${at}`, () => world.drives[at] as string]),
  ["example", () => "/examples/bad-card"],
  ["shelf", () => "/shelf"],
  ["checkups", () => "/checkups"],
  ...["card", "fake", "bad", "sweep", "real", "imported"].map((label): [string, () => string] => [
    `report-${label}`,
    () => `/checkups/${world.ids[label]}`,
  ]),
  ["compare-nothing", () => "/compare"],
  ["compare-two", () => "/compare?of=card&of=ssd"],
  ["compare-more", () => "/compare?of=card&of=ssd&of=bad&of=real&of=imported"],
  ["start", () => "/start"],
  ["team", () => "/team"],
  ["sign-in", () => "/sign-in"],
  ["no-page", () => "/nowhere", 404],
  ["no-drive", () => "/drives/none", 404],
  ["no-checkup", () => "/checkups/none", 404],
  ["no-side", () => "/compare?of=card&of=none", 404],
];

for (const [name, path, status] of PAGES) {
  for (const language of ["en", "ja"] as const) {
    const visitor = (): Visitor => ({ language, as: world.owner, refused: status ? [status] : [] });
    test(`${name} in ${language}`, () => visit(world.browser, world.server, path(), visitor(), ({ page }) => look(page, name, language)));
  }
}

test("each page is whole without scripts", async () => {
  for (const [name, path, status] of PAGES) {
    const visitor: Visitor = { as: world.owner, javaScriptEnabled: false, refused: status ? [status] : [] };
    await visit(world.browser, world.server, path(), visitor, async ({ page }) => {
      await headings(page, name);
      // biome-ignore lint/performance/useDomNodeTextContent: what is shown is asked for.
      const text = await page.getByRole("main").evaluate((main: HTMLElement) => main.innerText);
      const whole = (await page.locator("main").textContent()) ?? "";
      // Nothing waits for a script to show it, but what people fold away.
      assert.ok(text.length > 40 && text.length > whole.length / 20, `${name}: ${text}`);
      assert.deepEqual(await page.locator("main [hidden]").all(), [], name);
    });
  }
});

test("each link leads somewhere", async () => {
  const { request } = world.owner;
  const { base } = world.server;
  const [waiting, seen] = [["/"], new Set(["/"])];
  for (let path = waiting.shift(); path !== undefined && seen.size < 300; path = waiting.shift()) {
    const answer = await request.get(base + path);
    assert.equal(answer.status(), 200, path);
    if (!answer.headers()["content-type"]?.startsWith("text/html")) continue;
    const text = await answer.text();
    for (const [, quoted = ""] of text.matchAll(/<(?:a|link|script|img)\b[^>]* (?:href|src)="([^"]*)"/g)) {
      const href = quoted.replaceAll("&amp;", "&");
      const anchor = /^#(.+)$/.exec(href)?.[1];
      if (anchor !== undefined) assert.ok(text.includes(`id="${anchor}"`), `${path}: ${href}`);
      const url = new URL(href, base + path);
      // Sources of limits are on the web; nobody follows them here.
      if (url.origin !== base || seen.has(url.pathname + url.search)) continue;
      seen.add(url.pathname + url.search);
      waiting.push(url.pathname + url.search);
    }
  }
  assert.ok(seen.size > 10, [...seen].join(" "));
});

test("the keyboard skips to the content", () =>
  visit(world.browser, world.server, "/checkups", { as: world.owner }, async ({ page }) => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#main");
  }));

test("a language is chosen and kept", () =>
  visit(world.browser, world.server, "/checkups", { as: world.owner }, async ({ page }) => {
    await page.locator("form.language button").click();
    await page.locator('html[lang="ja"]').waitFor();
    assert.equal(new URL(page.url()).pathname, "/checkups");
    await page.goto(world.server.base);
    await page.locator('html[lang="ja"]').waitFor();
  }));
