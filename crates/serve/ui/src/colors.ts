// Colours come from the style sheet, so that canvases follow the theme as text does.

export const SERIES = 8;
/** Dashes tell series apart in print and for readers who see fewer colours. */
export const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3]];

export interface Colors {
  text: string;
  quiet: string;
  ground: string;
  grid: string;
  bad: string;
  fair: string;
  cell: string;
  series: string[];
}

export function colors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of("text"),
    quiet: of("quiet"),
    ground: of("ground"),
    grid: of("grid"),
    bad: of("stall"),
    fair: of("fair"),
    cell: of("cell"),
    series: Array.from({ length: SERIES }, (_, index) => of(`c${index}`)),
  };
}

/** The font of the page at a size in CSS pixels. */
export function font(size_px: number): string {
  return `${size_px}px ${getComputedStyle(document.body).fontFamily}`;
}

/** Colours of another theme apply: all canvases are drawn again. */
const listeners = new Set<() => void>();
export function onRecolor(draw: () => void): void {
  listeners.add(draw);
}
export function recolor(): void {
  for (const draw of listeners) draw();
}

/** Sizes a canvas to its element, sharp on any screen; its context draws in CSS pixels. */
export function sharp(canvas: HTMLCanvasElement): { ink: CanvasRenderingContext2D; width: number; height: number } {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ink = canvas.getContext("2d") as CanvasRenderingContext2D;
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { ink, width, height };
}
