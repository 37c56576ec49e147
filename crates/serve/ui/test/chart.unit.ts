// The contract of charts, points in words, and the parts of forms that need no page.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Chart, isEmpty, parseChart } from "../src/chart/contract";
import { shade } from "../src/chart/heat";
import { gapTexts, nearest, pointText, step } from "../src/chart/points";
import { state } from "../src/compare";
import { address } from "../src/filter";
import { wish } from "../src/start";
import { condition, next } from "../src/theme";

const TREND = {
  kind: "trend",
  title: "Random write",
  x: { label: "", unit: "", scale: "time" },
  y: { label: "IOPS", unit: "IOPS", scale: "linear" },
  series: [
    { name: "4K", x: [0, 86_400, 172_800], y: [390, null, 410], low: [380, null, 400], high: [400, null, 420], why: [null, "hot", null] },
    { name: "16K", x: [86_400], y: [200] },
  ],
};
const HEAT = {
  ...TREND,
  kind: "heat",
  x: { label: "", unit: "s", scale: "linear" },
  series: undefined,
  heat: {
    x: [1, 2],
    y: [10, 20, 30],
    counts: [
      [1, 2, 3],
      [4, 5, 6],
    ],
  },
};

test("a chart is read as it is", () => {
  const chart = parseChart(TREND);
  assert.equal(chart.series[1]?.low, null);
  assert.equal(chart.limits.length, 0);
  assert.equal(isEmpty(chart), false);
  assert.equal(isEmpty(parseChart({ ...TREND, series: [] })), true);
  assert.equal(isEmpty(parseChart(HEAT)), false);
});

test("what is no chart is refused where it is wrong", () => {
  const series = TREND.series[1];
  for (const [wrong, where] of [
    [null, ""],
    [{ ...TREND, kind: "pie" }, "kind"],
    [{ ...TREND, title: 3 }, "title"],
    [{ ...TREND, y: { label: "", unit: "", scale: "cubic" } }, "y.scale"],
    [{ ...TREND, series: [{ ...series, y: [1, 2] }] }, "series[0].y"],
    [{ ...TREND, series: [{ ...series, y: ["1"] }] }, "series[0].y[0]"],
    [{ ...TREND, series: [{ ...series, x: [null] }] }, "series[0].x[0]"],
    [{ ...TREND, series: [{ ...series, why: [] }] }, "series[0].why"],
    [{ ...TREND, limits: [{ value: "1", label: "" }] }, "limits[0].value"],
    [{ ...HEAT, heat: { ...HEAT.heat, counts: [[1, 2, 3]] } }, "heat.counts"],
    [{ ...HEAT, heat: null }, "heat"],
  ] as [unknown, string][]) {
    assert.throws(
      () => parseChart(wrong),
      (error) => error instanceof TypeError && error.message === where,
      where,
    );
  }
});

test("keys lead from point to point", () => {
  const [trend, heat] = [parseChart(TREND), parseChart(HEAT)];
  for (const [chart, from, key, wanted] of [
    [trend, [0, 0], "ArrowRight", [0, 1]],
    [trend, [0, 2], "ArrowRight", [0, 2]],
    [trend, [0, 0], "ArrowLeft", [0, 0]],
    [trend, [0, 0], "End", [0, 2]],
    [trend, [0, 2], "Home", [0, 0]],
    // To the nearest in time.
    [trend, [0, 2], "ArrowDown", [1, 0]],
    [trend, [1, 0], "ArrowUp", [0, 1]],
    [heat, [0, 1], "ArrowUp", [1, 1]],
    [heat, [0, 1], "ArrowDown", [0, 1]],
    [heat, [2, 0], "End", [2, 1]],
  ] as [Chart, [number, number], string, [number, number]][]) {
    const to = step(chart, { series: from[0], index: from[1] }, key);
    assert.deepEqual([to?.series, to?.index], wanted, `${chart.kind} ${from} ${key}`);
  }
  assert.equal(step(trend, { series: 0, index: 0 }, "a"), undefined);
  assert.equal(nearest([1, 5, 9], 6), 1);
});

test("points and gaps have words", () => {
  const trend = parseChart(TREND);
  assert.match(pointText(trend, { series: 0, index: 0 }), /^4K, .*ui-chart\.interval/);
  assert.match(pointText(trend, { series: 1, index: 0 }), /200 IOPS$/);
  assert.equal(gapTexts(trend).length, 1);
  assert.equal(pointText(parseChart(HEAT), { series: 2, index: 1 }), "2.00 s, 30.0 IOPS: 6");
  assert.equal(shade(0, 9), 0);
  assert.ok(shade(1, 100) > 0.12 && shade(1, 100) < shade(50, 100) && Math.abs(shade(100, 100) - 1) < 1e-9);
});

test("a form becomes a task", () => {
  const fields = new FormData();
  const all = { path: " /mnt/card ", suite: "quick", settings: "size=1G\n\n bs = 4k=x\nbare", "set:depth": "4", consent: "" };
  for (const [name, value] of Object.entries(all)) fields.set(name, value);
  const { task, may_write_much } = wish(fields);
  assert.deepEqual([task.path, task.simulate, task.label, task.consents, may_write_much], ["/mnt/card", null, null, [], false]);
  assert.deepEqual(task.settings, [
    ["size", "1G"],
    ["bs", "4k=x"],
    ["bare", ""],
    ["depth", "4"],
  ]);
  fields.set("consent", "ABC123");
  fields.set("may_write_much", "yes");
  assert.deepEqual([wish(fields).task.consents, wish(fields).may_write_much], [["ABC123"], true]);
});

test("addresses, choices and themes", () => {
  assert.equal(address("http://h/?sort=age&after=9", " a b "), "http://h/?sort=age&text=a+b");
  assert.equal(address("http://h/?text=a", ""), "http://h/");
  assert.deepEqual([0, 1, 2, 8, 9].map(state), ["few", "few", "some", "some", "many"]);
  assert.deepEqual([next("auto"), next("light"), next("dark")], ["light", "dark", "auto"]);
  const media = "screen and (prefers-color-scheme: dark)";
  assert.equal(condition(media, "auto"), media);
  assert.equal(condition(media, "dark"), "screen and (min-width:0px)");
  assert.equal(condition(media, "light"), "screen and (max-width:0px)");
});

test("each word that scripts use is listed, and each that is listed is used", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const sources = files.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
  const listed = (JSON.parse(readFileSync("words.json", "utf8")) as string[]).map((id) => id.slice(1));
  const used = [...sources.matchAll(/["'`]((?:ui|live)-[a-z-]+(?:\.[a-z-]+)?)["'`]/g)].map(([, id]) => id as string);
  // Ids that end in a value: `ui-theme.${theme}`.
  const made = [...sources.matchAll(/`((?:ui|live)-[a-z-]+\.)\$\{/g)].map(([, start]) => start as string);
  assert.ok(used.length > 30 && made.length > 2);
  assert.deepEqual(
    used.filter((id) => !listed.includes(id)),
    [],
  );
  assert.deepEqual(
    listed.filter((id) => !used.includes(id) && !made.some((start) => id.startsWith(start))),
    [],
  );
});
