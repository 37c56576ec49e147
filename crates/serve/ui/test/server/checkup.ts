// A checkup of a real place, started, watched and stopped; two compared; one that another program saves.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { axe, shoot } from "../browser";
import { catalogue } from "../fixture";
import { moved } from "./fill";
import { look, visit } from "./visit";
import { world } from "./world";

const words = catalogue("en", ["serve", "serve-ui"]);
const word = (id: string) => words[id] as string;

/** Fills in the form for a checkup of a place, and starts it; answers its id. */
export async function start(page: Page, place: string, label: string): Promise<string> {
  await page.locator("[name=path]").fill(place);
  await page.locator("[name=label]").fill(label);
  await page.locator("form[data-start] output").getByText("fio --name=").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: word("serve-start.begin"), exact: true }).click();
  await page.waitForURL(/\/live\//);
  return new URL(page.url()).pathname.replace("/live/", "");
}

/** What is drawn on a canvas. */
function drawn(page: Page, selector: string): Promise<string> {
  return page.locator(selector).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

test("a checkup is started, watched and stopped, and its report is shown", async () => {
  const place = world.bench.place("watched");
  await visit(world.browser, world.server, "/start", { as: world.owner }, async ({ page, context }) => {
    const id = await start(page, place, "watched");
    await page.getByText("Sequential read 1M").first().waitFor();
    await page.locator("[data-live] section .key > div").first().waitFor();
    const before = await drawn(page, "canvas.cardiogram");
    await page.waitForFunction(
      (before) => (document.querySelector("canvas.cardiogram") as HTMLCanvasElement).toDataURL() !== before,
      before,
    );
    await axe(page, "live");
    await shoot(page, "live-real");
    // Whoever opens its address is led to it; another starts nothing.
    const other = await context.newPage();
    await other.goto(`${world.server.base}/checkups/${id}`);
    assert.equal(new URL(other.url()).pathname, `/live/${id}`);
    await other.close();

    await page.getByRole("button", { name: word("serve-stop") }).click();
    await page.waitForURL(`**/checkups/${id}`);
    await page.getByText("watched").first().waitFor();
    assert.deepEqual(readdirSync(place), []);
  });
});

test("a running checkup, in all widths", async () => {
  const place = world.bench.place("looked at");
  for (const language of ["en", "ja"] as const) {
    await visit(world.browser, world.server, "/start", { as: world.owner, language }, async ({ page }) => {
      await page.locator("[name=path]").fill(place);
      await page.locator("button.main").click();
      await page.waitForURL(/\/live\//);
      await page.locator("[data-live] section .key > div").first().waitFor();
      await look(page, "live", language);
      await page.locator("form[data-stop] button").click();
      await page.waitForURL(/\/checkups\//);
    });
  }
});

test("a checkup is started, watched and stopped without scripts", async () => {
  const place = world.bench.place("plain");
  await visit(world.browser, world.server, "/start", { as: world.owner, javaScriptEnabled: false, refused: [422] }, async ({ page }) => {
    await page.locator("[name=path]").fill("relative");
    await page.locator("button.main").click();
    await page.getByRole("alert").waitFor();
    await page.locator("[name=path]").fill(place);
    await page.getByRole("button", { name: word("serve-start.plan") }).click();
    await page.getByText("fio --name=").first().waitFor({ state: "attached" });
    await page.locator("button.main").click();
    await page.waitForURL(/\/live\//);
    await page.getByRole("button", { name: word("serve-stop") }).click();
    for (let look = 0; look < 100 && page.url().includes("/live/"); look += 1) {
      await page.waitForTimeout(100);
      await page.reload();
    }
    assert.match(page.url(), /\/checkups\//);
  });
});

test("two drives are compared, and taken along", () =>
  visit(world.browser, world.server, "/compare", { as: world.owner }, async ({ page }) => {
    const fields = page.locator("main [name=of]");
    await fields.nth(0).fill("card");
    await fields.nth(1).fill("ssd");
    await page.locator("main button.main").click();
    assert.deepEqual(new URL(page.url()).searchParams.getAll("of").filter(Boolean), ["card", "ssd"]);
    await page.locator("main table").first().waitFor();
    for (const [name, start] of [
      ["Markdown", "ssd is faster"],
      ["CSV", "test,"],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      assert.ok(text.includes("card") && text.includes("ssd") && text.startsWith(start), `${name}: ${text.slice(0, 200)}`);
    }
  }));

test("what another program saves appears by itself", () =>
  visit(world.browser, world.server, "/checkups", { as: world.owner }, async ({ page }) => {
    const rows = page.locator("main tbody tr");
    const before = await rows.count();
    const [card] = world.bench.reports();
    await page.evaluate(() => Object.assign(window, { stayed: true }));
    world.bench.save([{ ...moved(card, Date.UTC(2026, 10, 1)), label: "just saved" }]);
    await rows.filter({ hasText: "just saved" }).waitFor();
    assert.equal(await rows.count(), before + 1);
    assert.ok(await page.evaluate(() => "stayed" in window), "without loading the page again");
  }));
