// Nobody signed in, nothing saved, no server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue } from "../fixture";
import { Bench, Server } from "./program";
import { look, visit } from "./visit";
import { world } from "./world";

/** The longest time for which a server may not have noticed that a token was revoked. */
const REVOKED_MS = 6000;

const lost = catalogue("en")["ui-lost"] as string;

test("an address that was used signs nobody in, and the next one does", async () => {
  const { browser, server } = world;
  const address = await server.address();
  await visit(browser, server, "/", { as: "nobody" }, async ({ page }) => {
    assert.equal(new URL(page.url()).pathname, "/sign-in");
    await page.goto(address);
    assert.deepEqual([new URL(page.url()).pathname, new URL(page.url()).search], ["/", ""], "no secret stays in the address");
    await page.getByRole("link", { name: "New checkup" }).first().waitFor();
  });
  await visit(browser, server, "/", { as: "nobody" }, async ({ page }) => {
    await page.goto(address);
    await look(page, "sign-in", "en");
    assert.equal(await page.locator("header nav a").count(), 0);
  });
});

test("who has a token sees what its role may", async () => {
  for (const [role, pages, refused] of [
    ["viewer", ["/", "/checkups", "/compare", "/shelf"], "/start"],
    ["operator", ["/", "/checkups", "/compare", "/shelf", "/start"], "/team"],
  ] as const) {
    const token = world.bench.run(["token", "add", role, "--role", role]).trim();
    await visit(world.browser, world.server, "/sign-in", { as: "nobody", refused: [403, 422] }, async ({ page }) => {
      const signIn = async (token: string) => {
        await page.locator("[name=token]").fill(token);
        await page.locator("main form button").click();
      };
      await signIn(token.replace(/.$/, "-"));
      await page.getByRole("alert").waitFor();
      await signIn(token);
      await page.waitForURL(`${world.server.base}/`);
      const links = await page.locator("header nav a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      assert.deepEqual(links, pages, role);
      const answer = await page.goto(world.server.base + refused);
      assert.equal(answer?.status(), 403);
      await look(page, `refused-${role}`, "en");
      world.bench.run(["token", "revoke", role]);
      await page.waitForTimeout(REVOKED_MS);
      await page.goto(`${world.server.base}/checkups`);
      assert.equal(new URL(page.url()).pathname, "/sign-in", "its token was revoked");
    });
  }
});

test("who signs out is out, in all pages", () =>
  visit(world.browser, world.server, "/checkups", { refused: [401] }, async ({ page, context }) => {
    const start = await context.newPage();
    await start.goto(`${world.server.base}/start`);
    const headers = { origin: world.server.base };
    await context.request.post(`${world.server.base}/sign-out`, { headers });
    await page.reload();
    assert.equal(new URL(page.url()).pathname, "/sign-in");
    // A page that stood open says why it no longer works.
    await start.locator("[name=path]").fill("/tmp");
    await start.locator("output.refused p").waitFor();
    await start.close();
  }));

test("a session that the server does not know ends at the page for signing in", () =>
  visit(world.browser, world.server, "/sign-in", { as: "nobody" }, async ({ page, context }) => {
    for (const { name, domain, path } of await world.owner.cookies()) {
      await context.addCookies([{ name, domain, path, value: "0".repeat(64) }]);
    }
    for (const path of ["/", "/checkups", "/start", `/checkups/${world.ids.card}`, "/compare?of=card&of=ssd", "/live/none"]) {
      await page.goto(world.server.base + path);
      assert.equal(new URL(page.url()).pathname, "/sign-in", path);
    }
  }));

test("without checkups, pages say what to do", async () => {
  const bench = new Bench();
  const server = await Server.start(bench);
  try {
    for (const language of ["en", "ja"] as const) {
      await visit(world.browser, server, "/", { language }, async ({ page }) => {
        for (const path of ["/", "/checkups"]) {
          await page.goto(server.base + path);
          await look(page, `empty${path.replace("/", "-")}`, language);
          await page.locator('a[href="/start"]').first().waitFor();
          // Examples are not saved ones.
          assert.equal(await page.locator("main [href^='/drives/'],main [href^='/checkups/']").count(), 0);
        }
      });
    }
  } finally {
    await server.end();
    bench.remove();
  }
});

test("a page says that the server is gone, and finds the next one", async () => {
  const bench = new Bench();
  const first = await Server.start(bench);
  let next: Server | undefined;
  try {
    await visit(world.browser, first, "/start", { refused: [401] }, async ({ page, context, said }) => {
      const live = await context.newPage();
      await live.goto(`${first.base}/start`);
      await live.locator("[name=path]").fill(bench.place("unattended"));
      await live.locator("button.main").click();
      await live.waitForURL(/\/live\//);
      await live.locator("[data-live] section .key > div").first().waitFor();

      await first.end("SIGKILL");
      await live.getByText(lost).waitFor();
      await page.locator("[name=label]").fill("a");
      await page.getByText(lost).waitFor();
      await page.getByRole("button", { name: "Start" }).click();
      await page.locator("output").getByText(lost).waitFor();

      next = await Server.start(bench, { like: first });
      // The new one knows neither the browser nor the checkup.
      await live.waitForURL(/\/sign-in$/);
      await page.locator("[name=label]").fill("b");
      await page.locator("p.lost").waitFor({ state: "detached" });
      await page.locator("output").getByText(lost).waitFor({ state: "detached" });
      await live.goto(await next.address());
      await page.locator("[name=path]").fill(bench.place("again"));
      await page.locator("output").getByText("fio --name=").first().waitFor({ state: "attached" });
      // Chromium itself reports what did not answer.
      const own = said.splice(0).filter((text) => !/net::ERR_|status of 401/.test(text));
      assert.deepEqual(own, []);
    });
  } finally {
    await first.end("SIGKILL");
    await next?.end();
    bench.remove();
  }
});
