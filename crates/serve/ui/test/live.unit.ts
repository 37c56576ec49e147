// What a live view makes of events: the rules of the terminal's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { latencyCells, shown } from "../src/live/draw";
import { type Activity, Model, type Progress, type Sample, STALL_NS, stalls, writtenAt } from "../src/live/model";
import { Resume, wait_ms } from "../src/stream";

const TENTH_NS = 1e8;

/** Samples of a tenth of a second: `x` is silent. */
function samples(pattern: string): Sample[] {
  return [...pattern].map((sign, index) => ({
    end_ns: (index + 1) * TENTH_NS,
    interval_ns: TENTH_NS,
    operations: sign === "x" ? 0 : 10,
    bytes: 0,
    written_bytes: (index + 1) * 100,
    latency_ns: null,
    isSilent: sign === "x",
  }));
}

export function jobs(over: Partial<Progress>, is_paced = false): Activity {
  const none = { ios: 0, bytes: 0 };
  const progress: Progress = {
    elapsed_ns: TENTH_NS,
    interval_ns: TENTH_NS,
    read_bytes: 0,
    write_bytes: 0,
    ios: 0,
    latency_p99_ns: null,
    total: { read: none, write: none, trim: none, sync: none },
    workers: [{ state: "running" }],
    left_ns: null,
    ...over,
  };
  return { jobs: { title: "Random write", is_paced, progress } };
}

test("silence is a stall from half a second on", () => {
  assert.equal(STALL_NS, 500e6);
  for (const [pattern, wanted] of [
    ["..xxxx..", []],
    ["..xxxxx..", [[2, 7]]],
    ["xxxxxx", [[0, 6]]],
    [
      "xxxxx.xxxx.xxxxxxx",
      [
        [0, 5],
        [11, 18],
      ],
    ],
    ["", []],
  ] as [string, number[][]][]) {
    const found = stalls(samples(pattern)).map(({ start_ns, end_ns }) => [start_ns / TENTH_NS, end_ns / TENTH_NS]);
    assert.deepEqual(
      found.map((stall) => stall.map(Math.round)),
      wanted,
      pattern,
    );
  }
});

test("silence counts only when the drive was asked", () => {
  for (const [activity, wanted] of [
    [jobs({}), true],
    [jobs({ ios: 1 }), false],
    [jobs({}, true), false],
    [jobs({ workers: [{ state: "delayed" }, { state: "ended" }] }), false],
    [jobs({ workers: [{ state: "ended" }, { state: "verifying" }] }), true],
  ] as [Activity, boolean][]) {
    const model = new Model();
    model.take("doing", activity, 0);
    assert.equal(model.samples[0]?.isSilent, wanted, JSON.stringify(activity));
  }
  for (const [operation, wanted] of [
    [null, false],
    ["second", false],
    ["commit", true],
  ] as [string | null, boolean][]) {
    const model = new Model();
    const progress = { elapsed_ns: 1, interval_ns: 1, operation, operations: 0, bytes: 0, written_bytes: 0 };
    model.take("doing", { app: { title: "", progress } }, 0);
    assert.equal(model.samples[0]?.isSilent, wanted, String(operation));
  }
});

test("long I/Os are shown as bandwidth, short ones as IOPS", () => {
  const none = { ios: 0, bytes: 0 };
  for (const [length, unit, rate] of [
    [4096, "IOPS", 1000],
    [1 << 20, "B/s", 100 * 2 ** 20 * 10],
  ] as const) {
    const model = new Model();
    const write = { ios: 100, bytes: 100 * length };
    model.take("doing", jobs({ ios: 100, write_bytes: write.bytes, total: { read: none, write, trim: none, sync: none } }), 0);
    assert.equal(model.unit, unit);
    assert.equal(model.rate(model.samples[0] as Sample), rate);
  }
});

test("a step begins with an empty chart, and so do jobs in turn", () => {
  const model = new Model();
  model.take("doing", jobs({ elapsed_ns: 3 * TENTH_NS }), 0);
  model.take("fall_off", { after_bytes: 1, before_bytes_per_s: 2, after_bytes_per_s: 1 }, 0);
  model.take("doing", jobs({ elapsed_ns: TENTH_NS }), 0);
  assert.equal(model.samples.length, 1);
  const stage = { title: "Next", number: 2, count: 3, elapsed_ns: 5e9, left: { about: 9e9 }, written_bytes: 7 };
  model.take("stage", stage, 1e9);
  assert.deepEqual([model.samples.length, model.fall, model.activity], [0, undefined, undefined]);
  model.take("doing", jobs({ elapsed_ns: 2e9 }), 1e9);
  assert.deepEqual(model.left(), { about: 7e9 });
  // By the clock of the page, or of the step, if the page was opened later.
  assert.equal(model.elapsed_ns(2e9), 7e9);
  assert.equal(model.elapsed_ns(5e9), 9e9);
});

test("simulated time passes only with the drive", () => {
  const model = new Model();
  model.take("subject", { drive: { path: "", simulated: true }, suite: "quick", write_bytes_max: null }, 0);
  model.take("stage", { title: "", number: 1, count: 1, elapsed_ns: 0, left: "unknown", written_bytes: 0 }, 0);
  model.take("doing", jobs({ elapsed_ns: 2e9, left_ns: 3e9 }), 0);
  assert.equal(model.elapsed_ns(60e9), 2e9);
  assert.deepEqual(model.left(), { about: 3e9 });
});

test("warnings are kept once, and the hottest drive is shown", () => {
  const model = new Model();
  for (const text of ["one", "two", "one"]) model.take("warning", text, 0);
  assert.deepEqual(model.warnings, ["one", "two"]);
  for (const [drive, now_c] of [
    ["a", 40],
    ["b", 50],
    ["a", 45],
    ["b", 41],
  ] as const) {
    model.take("temperature", { drive, now_c, warning_c: null }, 0);
  }
  assert.deepEqual([model.temperature?.drive, model.temperature?.now_c], ["b", 41]);
});

test("the fall-off is where so much was written", () => {
  const written = samples("....");
  assert.equal(writtenAt(written, 250), 3 * TENTH_NS);
  assert.equal(writtenAt(written, 100), TENTH_NS);
  assert.equal(writtenAt(written, 500), null);
  // It has left the samples that are kept.
  assert.equal(writtenAt(written.slice(2), 250), null);
});

test("the chart shows the newest minute or two", () => {
  assert.deepEqual(shown(200e9, 800, false), { from_ns: 80e9, to_ns: 200e9 });
  assert.deepEqual(shown(200e9, 400, false), { from_ns: 140e9, to_ns: 200e9 });
  assert.deepEqual(shown(5e9, 800, false), { from_ns: 0, to_ns: 120e9 });
  // Without motion, the same part stays for half of its time.
  assert.deepEqual(shown(200e9, 800, true), shown(235e9, 800, true));
  assert.notDeepEqual(shown(200e9, 800, true), shown(245e9, 800, true));
});

test("latencies are counted by second and bin", () => {
  const with_ns = (latencies: (number | null)[]) =>
    samples(".".repeat(latencies.length)).map((sample, index) => ({ ...sample, latency_ns: latencies[index] ?? null }));
  const cells = latencyCells(with_ns([...new Array(10).fill(1e5), null, 1e8]));
  assert.deepEqual([...cells.keys()], [0, 1e9]);
  assert.equal(cells.get(0)?.[4], 10);
  assert.deepEqual(
    cells.get(1e9)?.flatMap((times, bin) => (times ? [[bin, times]] : [])),
    [[16, 1]],
  );
});

test("events that were seen are not taken again", () => {
  const resume = new Resume();
  const seen = ["1", "2", "2", "1", "3", "", "3", "10", "9"].filter((id) => resume.isNew(id));
  assert.deepEqual(seen, ["1", "2", "3", "", "10"]);
  assert.deepEqual([0, 1, 2, 10].map(wait_ms), [1000, 2000, 4000, 15_000]);
});
