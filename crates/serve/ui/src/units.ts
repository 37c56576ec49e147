// Figures as text, by the same rules as `crates/core/src/units.rs`.

const DECIMAL = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const TIMES = ["ns", "µs", "ms", "s"];
const NO_FIGURE = "-";
export const NS_PER_S = 1e9;

/** An integer with separators. */
export function count(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Three significant digits: 4.15, 31.3, 166, 3,786. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return NO_FIGURE;
  if (value === 0) return "0";
  if (value < 0) return `-${number(-value)}`;
  if (value < 0.9995) return value.toFixed(3);
  const text = [2, 1].map((decimals) => value.toFixed(decimals)).find((digits) => digits.length <= 4);
  return text ?? count(value);
}

function scaled(value: number, units: string[]): string {
  let power = 0;
  let rest = value;
  for (; rest >= 999.5 && power + 1 < units.length; power += 1) rest /= 1000;
  const figure = number(rest);
  return figure === NO_FIGURE ? figure : `${figure} ${units[power]}`;
}

/** Bytes per second: 23.8 MB/s. */
export function bandwidth(bytesPerS: number): string {
  const text = scaled(bytesPerS, DECIMAL);
  return text === NO_FIGURE ? text : `${text}/s`;
}

/** A latency: 263 µs, 1.87 ms, 4.20 s. */
export function duration(ns: number): string {
  return scaled(ns, TIMES);
}

/** Bytes as on labels: 64 GB, 1.92 TB; whole from ten units on. */
export function capacity(bytes: number): string {
  let power = 0;
  let value = bytes;
  for (; value >= 999.5 && power + 1 < DECIMAL.length; power += 1) value /= 1000;
  return `${power === 0 || value >= 9.995 ? value.toFixed(0) : withoutZeros(number(value))} ${DECIMAL[power]}`;
}

/** A time as on a clock, rounded down to seconds: 1:05, 1:01:01. */
export function clock(ns: number): string {
  const seconds = Math.floor(ns / NS_PER_S);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Without zeros at its end, for a mark on an axis: 25.0 ms becomes 25 ms. */
export function withoutZeros(figure: string): string {
  return figure.replace(/^(-?[\d,]+)(\.\d*?)0+(?!\d)/, (_, whole, rest) => (rest === "." ? whole : whole + rest));
}

/** A value in a unit of the API. Those of base units choose their own prefix. */
export function figure(value: number, unit: string): string {
  if (unit === "B/s") return bandwidth(value);
  if (unit === "ns") return duration(value);
  if (unit === "B") return capacity(value);
  const text = number(value);
  return unit === "" ? text : `${text} ${unit}`;
}

/** A moment, in seconds since 1970, as a date or with the time of day, in the zone of the reader. */
export function moment(seconds: number, hasTime: boolean): string {
  const at = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return hasTime ? `${date} ${two(at.getHours())}:${two(at.getMinutes())}` : date;
}
