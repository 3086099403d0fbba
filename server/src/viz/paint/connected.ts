import type { Coordinates } from '../scene.ts';
import { decimal } from './decimal.ts';

const widthMax = 16;
const heightMax = 1024;
const written = new Array<string | undefined>(widthMax * 2 * heightMax);

/** The path of an SVG through the points, each given by its step from the one before, in tenths of a pixel. */
export function connected(points: Coordinates): string {
  let x = tenths(points[0]);
  let y = tenths(points[1]);
  let path = `M${decimal(x / 10)} ${decimal(y / 10)}l`;
  for (let i = 2; i < points.length; i += 2) {
    const [nextX, nextY] = [tenths(points[i]), tenths(points[i + 1])];
    path += step(nextX - x, nextY - y);
    x = nextX;
    y = nextY;
  }
  return path;
}

/** The steps of a long line are short, so that most of them have been written before. */
function step(dx: number, dy: number): string {
  if (dx < 0 || dx >= widthMax || Math.abs(dy) >= heightMax) return inFull(dx, dy);
  return (written[dx * 2 * heightMax + dy + heightMax] ??= inFull(dx, dy));
}

function inFull(dx: number, dy: number): string {
  return separated(dx / 10) + separated(dy / 10);
}

/** A minus sign separates numbers by itself. */
function separated(value: number): string {
  return value < 0 ? `-${decimal(-value)}` : ` ${decimal(value)}`;
}

function tenths(value = 0): number {
  return Math.round(value * 10);
}
