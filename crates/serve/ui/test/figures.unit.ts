// Figures, scales and words: values in, text out. The figures are those of the tests of `crates/core/src/units.rs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isPowerOfTen, logBin, ofNines, scaleEnd } from "../src/scale";
import { bandwidth, capacity, clock, count, duration, figure, moment, number, withoutZeros } from "../src/units";
import { fill } from "../src/words";

/** What each function makes of what is given: `given = wanted`. */
const CASES: [(given: number) => unknown, string][] = [
  [bandwidth, "0 = 0 B/s; 512 = 512 B/s; 999.6 = 1.00 kB/s; 680000 = 680 kB/s; 23802675 = 23.8 MB/s; 999.6e6 = 1.00 GB/s; 7e9 = 7.00 GB/s"],
  [bandwidth, "NaN = -; Infinity = -"],
  [number, "0 = 0; 0.648 = 0.648; 0.9996 = 1.00; 4.15 = 4.15; 9.996 = 10.0; 31.3 = 31.3; 99.96 = 100; 3786 = 3,786; -31.3 = -31.3"],
  [count, "999 = 999; 1000 = 1,000; 113595 = 113,595; 1234567 = 1,234,567"],
  [duration, "263e3 = 263 µs; 1.87e6 = 1.87 ms; 4.2e9 = 4.20 s; 0 = 0 ns"],
  [capacity, "0 = 0 B; 64e9 = 64 GB; 1.92e12 = 1.92 TB; 8.5e9 = 8.5 GB; 15.4e6 = 15 MB"],
  [clock, "65e9 = 1:05; 3661e9 = 1:01:01; 59.9e9 = 0:59"],
  [(value) => figure(value, "B/s"), "2.5e7 = 25.0 MB/s"],
  [(value) => figure(value, "ns"), "2.5e7 = 25.0 ms"],
  [(value) => figure(value, "IOPS"), "390 = 390 IOPS"],
  [(value) => figure(value, ""), "390 = 390"],
  [ofNines, "0 = 0 %; 0.30103 = 50 %; 1 = 90 %; 2 = 99 %; 3 = 99.9 %; 4 = 99.99 %"],
  [scaleEnd, "0 = 1; -1 = 1; 0.9 = 1; 11 = 12; 94.4 = 100; 390 = 400; 100 = 100"],
  [(ns) => logBin(ns, 1e4, 4, 24), "0 = 0; 1e4 = 0; 1e5 = 4; 1e8 = 16; 1e12 = 23"],
  [isPowerOfTen, "1000 = true; 0.01 = true; 200 = false; 0 = false"],
];

test("figures, scales and bins", () => {
  for (const [of, table] of CASES) {
    for (const row of table.split("; ")) {
      const [given, wanted] = row.split(" = ");
      assert.equal(String(of(Number(given))), wanted, `${of.name} ${row}`);
    }
  }
});

test("marks have no zeros at their end, and words have parameters", () => {
  const marks = ["25.0 ms", "1.50 MB/s", "100 MB/s", "0.500", "1,000"].map(withoutZeros);
  assert.deepEqual(marks, ["25 ms", "1.5 MB/s", "100 MB/s", "0.5", "1,000"]);
  assert.equal(fill("step {step} of {steps}", { step: "2", steps: "9" }), "step 2 of 9");
  assert.equal(fill("{unknown} {step}", { step: "2" }), "{unknown} 2");
});

test("moments are in the zone of the reader", () => {
  const at = new Date(2026, 9, 3, 7, 5).getTime() / 1000;
  assert.equal(moment(at, false), "2026-10-03");
  assert.equal(moment(at, true), "2026-10-03 07:05");
});
