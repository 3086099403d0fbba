import { createCanvas, type CanvasRenderingContext2D } from 'canvas';

const pixelsKeptMax = 4_000_000;
const kept: CanvasRenderingContext2D[] = [];

/** A surface of this size, kept from an earlier picture where there is one. */
export function takeSurface(width: number, height: number): CanvasRenderingContext2D {
  const index = kept.findIndex(({ canvas }) => canvas.width === width && canvas.height === height);
  const [found] = index < 0 ? [] : kept.splice(index, 1);
  return found ?? createCanvas(width, height).getContext('2d', { alpha: false });
}

/** Keeps the surface for the next picture and frees those that were not used for longest. */
export function giveBack(surface: CanvasRenderingContext2D): void {
  kept.unshift(surface);
  let pixels = 0;
  const first = kept.findIndex(({ canvas }) => (pixels += canvas.width * canvas.height) > pixelsKeptMax);
  // A width of zero frees the pixels at once; the garbage collector would let them pile up.
  for (const { canvas } of first < 0 ? [] : kept.splice(first)) canvas.width = 0;
}
