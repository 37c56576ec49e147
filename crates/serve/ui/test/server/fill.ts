// What is in the store of the tests: the program itself makes it.

import { resolve } from "node:path";
import type { Bench, Report } from "./program";

const FIXTURES = resolve("../../import/src/fixtures");

/** Checkups of every kind that pages show differently: their labels, and what makes them. */
const CHECKUPS: [string, string[]][] = [
  ["card", ["check", "--simulate", "sandisk-ultra-64"]],
  ["ssd", ["check", "--simulate", "kioxia-sata-960"]],
  ["bad", ["check", "--simulate", "bad-card"]],
  ["fake", ["check", "--simulate", "fake-card", "--suite", "capacity"]],
  ["sweep", ["check", "--simulate", "sandisk-ultra-64", "--suite", "sweep", "--set", "bs=4k,64k", "--set", "depth=1,8"]],
  ["real", ["check", "real", "--max-time", "4s"]],
  ["imported", ["import", `${FIXTURES}/tools/yabs.json`]],
];

const DAY_MS = 86_400_000;

/** The same checkup at another time, in milliseconds since 1970. */
export function moved(report: Report, unix_ms: number): Report {
  return { ...report, id: `${report.id}-${unix_ms}`, started_unix_ms: unix_ms };
}

/** Fills the store; the answer is the id of the newest checkup with each label. */
export function fill(bench: Bench): Record<string, string> {
  bench.place("real");
  for (const [label, args] of CHECKUPS) bench.run([...args, "--label", label]);
  const reports = bench.reports();
  // A drive over time.
  const card = reports.find(({ label }) => label === "card");
  bench.save([1, 2, 3, 4].map((number) => moved(card, Date.UTC(2026, 0, 1) + number * 30 * DAY_MS)));
  return Object.fromEntries(reports.map(({ label, id }) => [label, id]));
}
