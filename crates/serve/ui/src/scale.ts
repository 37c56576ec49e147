// Ends and marks of axes, and bins of latencies.

/** Ends of a scale, in powers of ten, as in the terminal's chart. */
const ENDS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The end of a scale from zero that shows `most`. */
export function scaleEnd(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (ENDS.find((end) => end * power >= most) ?? 10) * power;
}

/** The bin of a value on a logarithmic scale with bins of equal width; values beyond its ends are in the last ones. */
export function logBin(value: number, from: number, perDecade: number, bins: number): number {
  const bin = Math.floor(Math.log10(Math.max(value, Number.MIN_VALUE) / from) * perDecade + 1e-9);
  return Math.min(Math.max(bin, 0), bins - 1);
}

/** What a number of nines stands for: 2 is 99 %. */
export function ofNines(nines: number): string {
  if (nines <= 0) return "0 %";
  // Digits enough for the last nine: 99.9, 99.99.
  const decimals = Math.max(0, Math.ceil(nines - 1e-9) - 2);
  return `${((1 - 10 ** -nines) * 100).toFixed(decimals)} %`;
}

/** The power of ten within a logarithmic scale that is marked, or null for values between. */
export function isPowerOfTen(value: number): boolean {
  return value > 0 && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
}
