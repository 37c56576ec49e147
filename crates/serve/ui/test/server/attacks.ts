// What only a browser can show: texts that would be scripts, and pages of others.

import assert from "node:assert/strict";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { launch } from "../browser";
import { Bench, type Report, Server } from "./program";
import { visit } from "./visit";
import { ready, world } from "./world";

const MARKUP = `"'><img src=x onerror=evil()><script>evil()</script>`;
const ADDRESS = "javascript:evil()";

/** The places of texts in a Report, each with what the others of its kind have in common. */
function places(value: Report, at: string[] = []): string[] {
  if (typeof value === "string") return [at.join(" ")];
  if (value === null || typeof value !== "object") return [];
  const inner = Array.isArray(value) ? value.map((item): [string, Report] => ["*", item]) : Object.entries(value);
  return [...new Set(inner.flatMap(([key, item]) => places(item, [...at, key])))];
}

/** A Report with another text in some places. */
function replaced(value: Report, where: Set<string>, text: string, at: string[] = []): Report {
  if (typeof value === "string") return where.has(at.join(" ")) ? text : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, where, text, [...at, "*"]));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, where, text, [...at, key])]));
}

/** A Report with a text wherever one may be written freely. */
function open(report: Report, text: string): Report {
  return { ...report, host: { ...report.host, name: text, os: text }, label: text, tags: { [text]: text, plain: text } };
}

/** The places in a Report whose texts may be any: those where the program takes another one. */
function free(report: Report): Set<string> {
  // Its first steps have all kinds of text, and all take long.
  const short = open({ ...report, steps: report.steps.slice(0, 2) }, "text");
  const all = places(short).filter((place) => place !== "id");
  const probe = new Bench();
  probe.save([short, ...all.map((place) => replaced(short, new Set([place]), MARKUP))].map((one, at) => ({ ...one, id: `probe-${at}` })));
  const saved = new Set(probe.ids());
  probe.remove();
  return new Set(all.filter((_, at) => saved.has(`probe-${at + 1}`)));
}

/** Whether a page has what texts have made. */
function made(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        const isScript = name.startsWith("on") || (/^(href|src|action|formaction|data)$/.test(name) && /^\s*javascript:/i.test(value));
        if (isScript) found.push(`${element.tagName} ${name}=${value}`);
      }
    }
    return found;
  });
}

let other: HttpServer;
let poisoned: Server;
const evil = { bench: new Bench(), ids: [] as string[], taken: 0 };

before(async () => {
  await ready;
  other = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Another site</h1>"));
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const reports = world.bench.reports();
  for (const label of ["card", "fake", "sweep", "real", "imported"]) {
    const report = reports.find((report) => report.label === label);
    const where = free(report);
    evil.taken += where.size;
    for (const [name, text] of Object.entries({ markup: MARKUP, address: ADDRESS })) {
      evil.bench.save([{ ...replaced(open(report, text), where, text), id: `${name}-${label}` }]);
      evil.ids.push(`${name}-${label}`);
    }
  }
  assert.deepEqual(evil.bench.ids().sort(), [...evil.ids].sort());
  poisoned = await Server.start(evil.bench);
});
after(async () => {
  other?.close();
  await poisoned?.end();
  evil.bench.remove();
});

const port = () => (other.address() as AddressInfo).port;

test("texts of Reports are texts on every page", async () => {
  assert.ok(evil.taken > 150, `${evil.taken} texts were taken`);
  const of = (ids: string[]) => ids.map((id) => `of=${id}`).join("&");
  const markup = encodeURIComponent(MARKUP);
  const paths: [string, number?][] = [
    ["/"],
    ["/checkups"],
    ...evil.ids.map((id): [string] => [`/checkups/${id}`]),
    [`/compare?${of(evil.ids.slice(0, 5))}`],
    [`/compare?${of(evil.ids.slice(5))}`],
    [`/compare?of=${markup}&of=${markup}`, 404],
    [`/?text=${markup}&order=${markup}`],
    [`/checkups/${markup}`, 404],
    [`/${markup}`, 404],
  ];
  for (const language of ["en", "ja"] as const) {
    await visit(world.browser, poisoned, "/", { language, refused: [404] }, async ({ page, context, said }) => {
      await context.addInitScript(() => Object.assign(window, { evil: () => console.error("a text ran as a script") }));
      const drives = await page.locator('main a[href^="/drives/"]').evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      assert.ok(drives.length > 0);
      for (const [path] of [...paths, ...drives.map((href): [string] => [href as string])]) {
        await page.goto(poisoned.base + path);
        assert.deepEqual(await made(page), [], path);
        assert.deepEqual(
          said.filter((text) => !text.includes("status of 404")),
          [],
          path,
        );
        const text = (await page.locator("body").textContent()) ?? "";
        assert.ok(text.includes("evil()") || path.includes("order="), `${path} shows none of them`);
      }
    });
  }
});

test("texts of a form and of a running checkup are texts", () =>
  visit(world.browser, poisoned, "/start", { refused: [400, 404, 422] }, async ({ page, context }) => {
    await context.addInitScript(() => Object.assign(window, { evil: () => console.error("a text ran as a script") }));
    await page.reload();
    for (const [path, settings] of [
      [`/${MARKUP}`, ""],
      ["/tmp", `${MARKUP}=1`],
      ["/tmp", MARKUP],
    ] as const) {
      await page.locator("[name=path]").fill(path);
      await page.locator("[name=settings]").fill(settings);
      await page.locator("output.refused:not(.stale)").getByText("onerror=evil()").first().waitFor();
      assert.deepEqual(await made(page), []);
    }
    await page.locator("[name=path]").fill(evil.bench.place(MARKUP.replaceAll("/", "")));
    await page.locator("[name=settings]").fill("");
    await page.locator("[name=label]").fill(MARKUP);
    await page.locator("output:not(.refused,.stale)").waitFor();
    await page.locator("button.main").click();
    await page.waitForURL(/\/live\//);
    await page.locator("[data-live] section .key > div").first().waitFor();
    assert.deepEqual(await made(page), []);
    await page.locator("form[data-stop] button").click();
    await page.waitForURL(/\/checkups\//);
    assert.deepEqual(await made(page), []);
  }));

/** What a page of another site tries: a form or request with these fields. */
const FORGERIES: [string, string][] = [
  ["/start", "simulate=fake-card&label=forged"],
  ["/live/none/stop", ""],
  ["/language", "code=ja&back=/"],
  ["/sign-out", ""],
  ["/api/v1/start", '{"task":{"simulate":"fake-card","label":"forged"}}'],
];

for (const host of ["127.0.0.1", "localhost"]) {
  test(`a page of another site changes and reads nothing: http://${host}`, async () => {
    const { base } = world.server;
    const context = await world.browser.newContext({ locale: "en" });
    try {
      await context.addCookies(await world.owner.cookies());
      const page = await context.newPage();
      for (const [path, body] of FORGERIES) {
        await page.goto(`http://${host}:${port()}/`);
        // By a form, as a visitor who follows a link would send it.
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url() === base + path),
          page.evaluate(
            ([action, fields]) => {
              const form = Object.assign(document.createElement("form"), { method: "post", action });
              for (const [name, value] of new URLSearchParams(fields)) {
                form.append(Object.assign(document.createElement("input"), { name, value }));
              }
              document.body.append(form);
              form.submit();
            },
            [base + path, body] as [string, string],
          ),
        ]);
        await page.waitForURL(`${base}/**`);
        assert.equal(answer.status() === 403 || answer.headers().location === "/sign-in", true, `${path}: ${answer.status()}`);
        // By a script, which may not read the answer either.
        await page.goto(`http://${host}:${port()}/`);
        const read = await page.evaluate(
          async ([address, body]) => {
            const init: RequestInit = { method: "POST", body, credentials: "include", mode: "no-cors" };
            await fetch(address, init).catch(() => {});
            const answers = [address, new URL("/checkups", address).href].map((one) => fetch(one, { credentials: "include" }));
            return (await Promise.allSettled(answers)).map(({ status }) => status);
          },
          [base + path, body] as [string, string],
        );
        assert.deepEqual(read, ["rejected", "rejected"], path);
      }
      // In a frame, where clicks could be stolen.
      await page.goto(`http://${host}:${port()}/`);
      await page.evaluate((address) => {
        const frame = Object.assign(document.createElement("iframe"), { src: address });
        document.body.append(frame);
        return new Promise((done) => {
          frame.onload = done;
        });
      }, `${base}/start`);
      const frame = page.frames().at(-1);
      assert.notEqual(frame, page.mainFrame());
      assert.equal(await frame?.locator("main").count(), 0);
      // Whoever was signed in still is, and nothing was started.
      await page.goto(`${base}/checkups`);
      assert.equal(await page.locator("html").getAttribute("lang"), "en");
      assert.equal(await page.getByText("forged").count(), 0);
    } finally {
      await context.close();
    }
  });
}

test("a name of another site that leads here gets nothing", async () => {
  const { base } = world.server;
  const browser = await launch("--host-resolver-rules=MAP evil.example 127.0.0.1");
  try {
    const page = await browser.newPage({ locale: "en" });
    const there = `http://evil.example:${new URL(base).port}`;
    const address = new URL(await world.server.address());
    for (const path of ["/", `/${address.search}`, "/assets/app.js", "/healthz", "/api/v1/checkups/x", "/start"]) {
      const answer = await page.goto(there + path);
      assert.equal(answer?.status(), 421, path);
      assert.deepEqual(await page.context().cookies(), [], path);
    }
    const posted = await page.evaluate(async () => (await fetch("/start", { method: "POST", body: "simulate=fake-card" })).status);
    assert.equal(posted, 421);
    // The one-time token still works where it should.
    await page.goto(address.href);
    assert.equal(new URL(page.url()).pathname, "/");
  } finally {
    await browser.close();
  }
});
