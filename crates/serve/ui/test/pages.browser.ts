// Each kind of page in a real browser: no message on the console, nothing serious for axe, all widths and themes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { axe, fits, HEIGHT, launch, settle, shoot, WIDTHS, watch } from "./browser";
import { catalogue, Fixture } from "./fixture";

const PAGES = ["/", "/live/abc", "/charts", "/start"];
const english = catalogue("en");

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

interface Seen {
  page: Page;
  server: Fixture;
  base: string;
  /** What the browser complained about. */
  said: string[];
}

/** Opens a page of a server of its own, and expects that the browser had nothing to say in the end. */
async function visit(path: string, see: (seen: Seen) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const server = new Fixture({ language: options.locale ?? "en" });
  const base = await server.listen();
  const context = await browser.newContext({ viewport: { width: 1400, height: HEIGHT }, ...options, locale: "en" });
  const said = watch(context, base);
  const page = await context.newPage();
  try {
    await page.goto(base + path);
    await see({ page, server, base, said });
    assert.deepEqual(said, []);
  } finally {
    await context.close();
    server.close();
  }
}

for (const path of PAGES) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${path} in ${colorScheme}, in all widths`, () =>
      visit(
        path,
        async ({ page }) => {
          for (const width of WIDTHS) {
            await fits(page, width, path);
            await shoot(page, `${path.slice(1).replace("/", "-") || "home"}-${colorScheme}-${width}`);
          }
          await axe(page, path);
        },
        { colorScheme },
      ));
  }
}

test("a checkup is watched through a lost connection, and its end leads to its report", () =>
  visit("/live/abc", async ({ page, server, said, base }) => {
    await page.getByText("Sustained write 1M").first().waitFor();
    const value = (name: string) => page.locator(`.key.now div:has(dt:text-is("${name}")) dd`);
    await assert.doesNotReject(
      value("Written")
        .filter({ hasText: /of 8.5 GB/ })
        .waitFor(),
    );
    assert.match((await value("Now").textContent()) ?? "", /MB\/s$/);
    assert.match((await value("Temperature").textContent()) ?? "", /71 °C/);
    assert.match(
      (await page.locator("canvas.cardiogram").getAttribute("aria-label")) ?? "",
      /stalls: 1, fall-off 81.8 MB\/s → 31.2 MB\/s$/,
    );
    assert.equal(await page.locator(".fair-notes li").count(), 1);
    const samples = server.events.length;
    server.cut();
    await page.getByText(english["ui-lost"] as string).waitFor();
    server.send("warning", "Another warning.");
    // It goes on where it was.
    await page.getByText(english["ui-lost"] as string).waitFor({ state: "detached" });
    await page.getByText("Another warning.").waitFor();
    assert.deepEqual(server.resumed, ["", String(samples)]);
    assert.equal(await page.locator("[data-live] section .key > div").count(), 2);
    await page.getByRole("button", { name: "Stop and keep" }).click();
    await page.getByText(english["ui-live.stopping"] as string).waitFor();
    assert.deepEqual(server.posts, [["/api/v1/live/abc/stop", ""]]);
    server.send("ended", { id: "abc", state: "stopped" });
    await page.waitForURL(`${base}/checkups/abc`);
    // Chromium itself reports the cut.
    const own = said.splice(0).filter((text) => !text.includes("net::ERR_"));
    assert.deepEqual(own, []);
  }));

test("points of charts are reached by keys and read out", () =>
  visit("/charts", async ({ page }) => {
    await settle(page);
    const trend = page.locator('figure[data-chart$="trend"]');
    const readout = trend.locator(".readout");
    await trend.locator(".chart").focus();
    await page.keyboard.press("Home");
    assert.match((await readout.textContent()) ?? "", /: 390 IOPS \(370 IOPS to 410 IOPS\)$/);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
    assert.match((await readout.textContent()) ?? "", /withheld: another program wrote to the drive$/);
    assert.equal(await readout.getAttribute("aria-live"), "polite");
    assert.equal(await trend.locator(".for-readers li").count(), 3);
    await page.keyboard.press("Escape");
    assert.equal(await readout.textContent(), "");
    // The pointer reads, too, but is not read out.
    const box = await trend.locator(".u-over").boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 20, (box?.y ?? 0) + 40);
    assert.match((await readout.textContent()) ?? "", /238 IOPS/);
    assert.equal(await readout.getAttribute("aria-live"), "off");
    await trend.getByText(english["ui-chart.table"] as string).click();
    assert.ok(await trend.locator("table").isVisible());
    assert.ok(
      await page
        .locator('figure[data-chart$="missing"]')
        .getByText(english["ui-chart.failed"] as string)
        .isVisible(),
    );
    assert.ok(await page.locator('figure[data-chart$="missing"] table').isVisible());
    assert.ok(
      await page
        .locator('figure[data-chart$="empty"]')
        .getByText(english["ui-chart.empty"] as string)
        .isVisible(),
    );
  }));

test("lists are filtered, chosen and kept up to date", () =>
  visit("/", async ({ page, server, base }) => {
    const field = page.getByLabel("Filter");
    const button = page.getByRole("button", { name: "Compare" });
    assert.ok(await button.isDisabled());
    await page.getByRole("checkbox").nth(0).check();
    await field.pressSequentially("kingston");
    await page.keyboard.press("Enter");
    await page.getByText("Found: 1", { exact: true }).waitFor();
    assert.equal(page.url(), `${base}/?text=kingston`);
    await page.getByRole("checkbox").first().check();
    assert.ok(await button.isEnabled());
    // Something is saved while somebody types: the field keeps focus, text and cursor.
    await field.fill("");
    await field.pressSequentially("sa");
    await page.getByText("Found: 2", { exact: true }).waitFor();
    server.save();
    await page.getByText("Saved 1").waitFor();
    assert.equal(await field.inputValue(), "sa");
    assert.ok(await field.evaluate((element) => element === document.activeElement));
    await button.click();
    await page.waitForURL(/compare/);
    assert.deepEqual(new URL(page.url()).searchParams.getAll("of").sort(), ["Kingston%20A400", "SanDisk%20Ultra%2064%20GB"]);
  }));

test("the form shows what a checkup would do, and asks for an id before it erases", () =>
  visit("/start", async ({ page, server, base, said }) => {
    await page.getByText("at most 4:20").waitFor();
    const id = page.getByLabel("Id of the device");
    assert.ok(!(await id.isVisible()));
    await page.getByLabel("/dev/sdb").check();
    await page.getByText("KA400-1").waitFor();
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "consent");
    await page.keyboard.type("KA400-1");
    await page.getByText("quick on /dev/sdb").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/live/abc`);
    const [path, text] = server.posts.at(-1) as [string, string];
    assert.deepEqual([path, JSON.parse(text).task.consents], ["/api/v1/start", ["KA400-1"]]);
    // Chromium reports each refusal.
    const own = said.splice(0).filter((message) => !message.includes("428"));
    assert.deepEqual(own, []);
  }));

test("the theme is chosen, and kept", () =>
  visit("/", async ({ page }) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const button = page.locator("[data-theme-toggle]");
    const light = await ground();
    await button.click();
    await button.click();
    assert.equal(await button.textContent(), english["ui-theme.dark"]);
    assert.notEqual(await ground(), light);
    await page.reload();
    assert.equal(await button.textContent(), english["ui-theme.dark"]);
    assert.notEqual(await ground(), light);
  }));

test("a page in Japanese has no English from scripts", () =>
  visit(
    "/live/abc",
    async ({ page }) => {
      await page.getByText(catalogue("ja")["ui-live.so-far"] as string).waitFor();
      await settle(page);
      await shoot(page, "live-ja");
      for (const id of ["ui-live.written", "ui-live.warnings", "ui-live.time"]) {
        assert.equal(await page.getByText(english[id] as string, { exact: true }).count(), 0, id);
      }
    },
    { locale: "ja" },
  ));

test("less motion, and paper", () =>
  visit(
    "/live/abc",
    async ({ page }) => {
      await settle(page);
      await page.emulateMedia({ media: "print", reducedMotion: "reduce" });
      await shoot(page, "live-print");
      assert.ok(!(await page.getByRole("button", { name: "Stop" }).isVisible()));
    },
    { reducedMotion: "reduce", colorScheme: "dark" },
  ));
