import type { Coordinates } from '../scene.ts';
import type { PathSink } from './paint.ts';

/** Traces the `d` attribute of an SVG path: steps relative to the previous point, in tenths of a pixel. */
export class SvgPath implements PathSink {
  data = '';
  #x = 0;
  #y = 0;

  moveTo(x: number, y: number): void {
    this.#x = toTenths(x);
    this.#y = toTenths(y);
    this.data += `M${formatTenths(this.#x)} ${formatTenths(this.#y)}`;
  }

  lineTo(x: number, y: number): void {
    const dx = toTenths(x) - this.#x;
    const dy = toTenths(y) - this.#y;
    if (dy === 0) this.data += `h${formatTenths(dx)}`;
    else if (dx === 0) this.data += `v${formatTenths(dy)}`;
    else this.data += `l${formatTenths(dx)} ${formatTenths(dy)}`;
    this.#x += dx;
    this.#y += dy;
  }

  arc(x: number, y: number, radius: number, from: number, to: number, isCounterclockwise: boolean): void {
    const r = formatTenths(toTenths(radius));
    this.lineTo(x + Math.cos(from) * radius, y + Math.sin(from) * radius);
    // Arcs of more than half a circle are drawn as two arcs: a single arc vanishes if its rounded ends coincide.
    const count = Math.abs(to - from) > Math.PI ? 2 : 1;
    for (let i = 1; i <= count; i++) {
      const angle = from + ((to - from) * i) / count;
      const end = this.#stepTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
      this.data += `a${r} ${r} 0 0 ${isCounterclockwise ? 0 : 1} ${end}`;
    }
  }

  closePath(): void {
    this.data += 'z';
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    const w = toTenths(width);
    this.data += `h${formatTenths(w)}v${formatTenths(toTenths(height))}h${formatTenths(-w)}z`;
  }

  #stepTo(x: number, y: number): string {
    const dx = toTenths(x) - this.#x;
    const dy = toTenths(y) - this.#y;
    this.#x += dx;
    this.#y += dy;
    return `${formatTenths(dx)} ${formatTenths(dy)}`;
  }
}

// Pairs of steps up to this size, in tenths of a pixel, are formatted once and then looked up. Nearly all steps of a
// long line are that small; with single steps alone, a line of 1,000 points takes a quarter longer.
const widthMax = 128;
const heightMax = 1024;
const formattedPairs = new Array<string | undefined>(2 * widthMax * heightMax);

/** The `d` attribute of an SVG path through points: the first point, and then relative steps in tenths of a pixel. */
export function pathData(points: Coordinates): string {
  let x = toTenths(points[0]);
  let y = toTenths(points[1]);
  let path = `M${x / 10} ${y / 10}l`;
  for (let i = 2; i < points.length; i += 2) {
    const dx = toTenths(points[i]) - x;
    const dy = toTenths(points[i + 1]) - y;
    x += dx;
    y += dy;
    path += formatPair(dx, dy);
  }
  return path;
}

function formatPair(dx: number, dy: number): string {
  if (dx < 0 || dx >= widthMax || dy < -heightMax || dy >= heightMax) return formatStep(dx) + formatStep(dy);
  return (formattedPairs[(dx * 2 + 1) * heightMax + dy] ??= formatStep(dx) + formatStep(dy));
}

/** A coordinate, rounded to a tenth of a pixel. */
export function formatCoordinate(value?: number): string {
  return formatTenths(toTenths(value));
}

function toTenths(value = 0): number {
  return Math.round(value * 10);
}

const formatTenths = remembered((tenths) => String(tenths / 10));

/** A step in tenths. A minus sign also separates numbers, and a number below one needs no zero. */
const formatStep = remembered((tenths) => {
  const text = String(tenths / 10).replace(/^(-?)0\./, '$1.');
  return tenths < 0 ? text : ` ${text}`;
});

/** Formats each number of tenths once, and then looks it up, which gives SVG most of its speed. */
function remembered(format: (tenths: number) => string): typeof format {
  const tenthsMax = 50_000;
  const texts = new Array<string | undefined>(2 * tenthsMax + 1);
  return (tenths) => {
    if (tenths > tenthsMax || tenths < -tenthsMax) return format(tenths);
    return (texts[tenths + tenthsMax] ??= format(tenths));
  };
}
