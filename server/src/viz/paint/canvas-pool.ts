import { createCanvas, type CanvasRenderingContext2D } from 'canvas';

const pixelsKeptMax = 4_000_000;
const kept: CanvasRenderingContext2D[] = [];

/** An opaque canvas of this size, reused from an earlier picture if one is kept. */
export function acquireCanvas(width: number, height: number): CanvasRenderingContext2D {
  const index = kept.findIndex(({ canvas }) => canvas.width === width && canvas.height === height);
  const [found] = index < 0 ? [] : kept.splice(index, 1);
  return found ?? createCanvas(width, height).getContext('2d', { alpha: false });
}

/** Keeps the canvas for later pictures and frees the least recently used ones. */
export function releaseCanvas(context: CanvasRenderingContext2D): void {
  kept.unshift(context);
  let pixels = 0;
  const first = kept.findIndex(({ canvas }) => (pixels += canvas.width * canvas.height) > pixelsKeptMax);
  // A width of zero frees the pixels at once, without waiting for garbage collection.
  for (const { canvas } of first < 0 ? [] : kept.splice(first)) canvas.width = 0;
}
