// What `/api/v1/…` answers for a chart, read strictly: a figure that is not one must not be drawn as if it were.

type Read<T> = (value: unknown, where: string) => T;
type Of<R> = R extends Read<infer T> ? T : never;

/** Names the part that is wrong. */
function refuse(where: string): never {
  throw new TypeError(where);
}

const text: Read<string> = (value, where) => (typeof value === "string" ? value : refuse(where));
const number: Read<number> = (value, where) => (typeof value === "number" && Number.isFinite(value) ? value : refuse(where));

function one<T extends string>(...all: T[]): Read<T> {
  return (value, where) => all.find((known) => known === value) ?? refuse(where);
}

function list<T>(read: Read<T>): Read<T[]> {
  return (value, where) => (Array.isArray(value) ? value.map((item, index) => read(item, `${where}[${index}]`)) : refuse(where));
}

function or<T, D>(read: Read<T>, absent: D): Read<T | D> {
  return (value, where) => (value == null ? absent : read(value, where));
}

function record<T>(parts: { [K in keyof T]: Read<T[K]> }): Read<T> {
  return (value, where) => {
    if (typeof value !== "object" || value === null) return refuse(where);
    const read = (name: string) => parts[name as keyof T]((value as Record<string, unknown>)[name], where ? `${where}.${name}` : name);
    return Object.fromEntries(Object.keys(parts).map((name) => [name, read(name)])) as T;
  };
}

const axis = record({ label: text, unit: text, scale: one("linear", "log", "time") });
const values = list(or(number, null));
const series = record({
  name: text,
  x: list(number),
  y: values,
  /** Ends of intervals. */
  low: or(values, null),
  high: or(values, null),
  /** Why a value is withheld, where `y` is null. */
  why: or(list(or(text, null)), null),
});
/** `counts[i][j]` is at `x[i]`, `y[j]`. */
const heat = record({ x: list(number), y: list(number), counts: list(list(number)) });
const chart = record({
  kind: one("timeline", "percentiles", "trend", "heat"),
  title: text,
  x: axis,
  y: axis,
  series: or(list(series), []),
  heat: or(heat, undefined),
  limits: or(list(record({ value: number, label: text })), []),
  events: or(list(record({ x: number, label: text })), []),
});

export type Axis = Of<typeof axis>;
export type Series = Of<typeof series>;
export type Chart = Of<typeof chart>;

/** Reads a chart; throws a TypeError that names the part that is wrong. */
export function parseChart(value: unknown): Chart {
  const read = chart(value, "");
  for (const [index, of] of read.series.entries()) {
    for (const part of ["y", "low", "high", "why"] as const) {
      if ((of[part] ?? of.x).length !== of.x.length) refuse(`series[${index}].${part}`);
    }
  }
  const map = read.heat;
  if (!map && read.kind === "heat") refuse("heat");
  if (map && (map.counts.length !== map.x.length || map.counts.some(({ length }) => length !== map.y.length))) refuse("heat.counts");
  return read;
}

/** Whether there is anything to draw. */
export function isEmpty({ heat: map, series: all }: Chart): boolean {
  return !map?.counts.flat().length && all.every(({ x }) => x.length === 0);
}
