import type { Coordinates } from '../scene.ts';

// Steps of fewer tenths than this to the right, and up or down, are formatted once and then looked up: nearly all the
// steps of a long line.
const widthMax = 128;
const heightMax = 1024;
const formatted = new Array<string | undefined>(2 * widthMax * heightMax);

/** The `d` attribute of an SVG path through the points: the first point, then relative steps in tenths of a pixel. */
export function pathData(points: Coordinates): string {
  let x = tenths(points[0]);
  let y = tenths(points[1]);
  let path = `M${x / 10} ${y / 10}l`;
  for (let i = 2; i < points.length; i += 2) {
    const dx = tenths(points[i]) - x;
    const dy = tenths(points[i + 1]) - y;
    x += dx;
    y += dy;
    path += step(dx, dy);
  }
  return path;
}

function step(dx: number, dy: number): string {
  if (dx < 0 || dx >= widthMax || dy < -heightMax || dy >= heightMax) return formatStep(dx) + formatStep(dy);
  const index = (dx * 2 + 1) * heightMax + dy;
  return (formatted[index] ??= formatStep(dx) + formatStep(dy));
}

/** A minus sign separates numbers by itself, and a number below one needs no zero. */
function formatStep(tenths: number): string {
  const text = String(tenths / 10).replace(/^(-?)0\./, '$1.');
  return tenths < 0 ? text : ` ${text}`;
}

function tenths(value = 0): number {
  return Math.round(value * 10);
}
