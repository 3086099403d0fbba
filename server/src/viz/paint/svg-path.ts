import { formatTenths, toTenths } from './format-coordinate.ts';
import type { Arc, PathSink } from './outline.ts';

/** The `d` attribute of an SVG path that is traced: steps relative to the point before, in tenths of a pixel. */
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

  roundTo(cornerX: number, cornerY: number, x: number, y: number): void {
    const dx = formatTenths(toTenths(cornerX) - this.#x);
    const dy = formatTenths(toTenths(cornerY) - this.#y);
    this.data += `q${dx} ${dy} ${this.#stepTo(x, y)}`;
  }

  arcTo(centerX: number, centerY: number, { radius, from, to }: Arc): void {
    const r = formatTenths(toTenths(radius));
    this.lineTo(centerX + Math.sin(from) * radius, centerY - Math.cos(from) * radius);
    // Arcs of more than half a circle are drawn in two: one whose rounded ends coincide would vanish.
    const count = Math.abs(to - from) > Math.PI ? 2 : 1;
    const sweep = to > from ? 1 : 0;
    for (let i = 1; i <= count; i++) {
      const angle = from + ((to - from) * i) / count;
      const end = this.#stepTo(centerX + Math.sin(angle) * radius, centerY - Math.cos(angle) * radius);
      this.data += `a${r} ${r} 0 0 ${sweep} ${end}`;
    }
  }

  close(): void {
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
