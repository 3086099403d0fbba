import type { jsPDF } from 'jspdf';
import type { PathSink } from './outline.ts';

/** A path on a page of jsPDF, which has cubic Bézier curves only. */
export class PdfPath implements PathSink {
  readonly #pdf: jsPDF;
  #x = 0;
  #y = 0;

  constructor(pdf: jsPDF) {
    this.#pdf = pdf;
  }

  moveTo(x: number, y: number): void {
    this.#pdf.moveTo(x, y);
    this.#x = x;
    this.#y = y;
  }

  lineTo(x: number, y: number): void {
    this.#pdf.lineTo(x, y);
    this.#x = x;
    this.#y = y;
  }

  /** The control points of the same curve as a cubic one lie two thirds of the way to the corner. */
  quadraticCurveTo(cornerX: number, cornerY: number, x: number, y: number): void {
    const near = (from: number, corner: number): number => from + ((corner - from) * 2) / 3;
    const [startX, startY] = [near(this.#x, cornerX), near(this.#y, cornerY)];
    this.#pdf.curveTo(startX, startY, near(x, cornerX), near(y, cornerY), x, y);
    this.#x = x;
    this.#y = y;
  }

  /** Curves of at most a quarter circle. Their control points lie on the tangents of their ends, `pull` radii away. */
  arc(centerX: number, centerY: number, radius: number, from: number, to: number): void {
    const count = Math.max(1, Math.ceil(Math.abs(to - from) / (Math.PI / 2)));
    const sweep = (to - from) / count;
    const pull = (4 / 3) * Math.tan(sweep / 4);
    const at = (angle: number, along: number): [number, number] => [
      centerX + radius * (Math.cos(angle) - along * Math.sin(angle)),
      centerY + radius * (Math.sin(angle) + along * Math.cos(angle)),
    ];
    this.lineTo(...at(from, 0));
    for (let i = 0; i < count; i += 1) {
      const [start, end] = [from + i * sweep, from + (i + 1) * sweep];
      this.#pdf.curveTo(...at(start, pull), ...at(end, -pull), ...at(end, 0));
    }
    [this.#x, this.#y] = at(to, 0);
  }

  closePath(): void {
    this.#pdf.close();
  }
}
