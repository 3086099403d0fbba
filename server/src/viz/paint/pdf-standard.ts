import { jsPDF } from 'jspdf';
import { white, type Color } from '../color.ts';
import { textWidth } from '../layout/text-width.ts';
import {
  type Area,
  type Bar,
  type Bars,
  type Dots,
  type Path,
  type Rules,
  type Scene,
  type Shape,
  type Texts,
  type Wedges,
  cornerOf,
  isWhole,
  rimOf,
} from '../scene.ts';
import { bend, arc, type Segment } from './pdf-curves.ts';
import { pointsPerPixel } from './pdf-cairo.ts';

const anchorShares = { start: 0, middle: 0.5, end: 1 } as const;

/** A PDF of opaque colours and Western European text in Helvetica, which every reader has. */
export function paintStandardPdf({ width, height, shapes }: Scene): () => Buffer {
  const pdf = new jsPDF({
    unit: 'px',
    hotfixes: ['px_scaling'],
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    putOnlyUsedFonts: true,
    floatPrecision: 2,
  });
  // A fixed date and id make equal requests give equal bytes.
  pdf.setCreationDate(new Date(0));
  pdf.setFileId('0'.repeat(32));
  for (const shape of shapes) paintShape(pdf, shape);
  return () => Buffer.from(pdf.output('arraybuffer'));
}

function paintShape(pdf: jsPDF, shape: Shape): void {
  switch (shape.kind) {
    case 'bars':
      paintBars(pdf, shape);
      break;
    case 'rules':
      paintRules(pdf, shape);
      break;
    case 'path':
      paintPath(pdf, shape);
      break;
    case 'area':
      paintArea(pdf, shape);
      break;
    case 'dots':
      paintDots(pdf, shape);
      break;
    case 'wedges':
      paintWedges(pdf, shape);
      break;
    case 'texts':
      paintTexts(pdf, shape);
      break;
  }
}

function paintBars(pdf: jsPDF, { fill, radius, bars }: Bars): void {
  pdf.setFillColor(fill.hex);
  for (const bar of bars) {
    const corner = cornerOf(bar, radius);
    if (corner === 0) pdf.rect(bar.x, bar.y, bar.width, bar.height, 'F');
    else paintRounded(pdf, bar, corner);
  }
}

function paintRounded(pdf: jsPDF, { x, y, width, height, rounded }: Bar, radius: number): void {
  const [foot, sign] = rounded === 'top' ? [y + height, -1] : [y, 1];
  const [side, corner] = [sign * (height - radius), sign * radius];
  const outline = [
    [0, side],
    bend(0, corner, radius, corner),
    [width - 2 * radius, 0],
    bend(radius, 0, radius, -corner),
    [0, -side],
  ];
  pdf.lines(outline, x, foot, [1, 1], 'F', true);
}

function paintRules(pdf: jsPDF, { stroke, width, lines }: Rules): void {
  setStroke(pdf, stroke, width, 'butt');
  for (const line of lines) pdf.lines(steps(line), line[0] ?? 0, line[1] ?? 0, [1, 1], 'S');
}

function paintPath(pdf: jsPDF, { stroke, width, points }: Path): void {
  setStroke(pdf, stroke, width, 'round');
  pdf.lines(steps(points), points[0] ?? 0, points[1] ?? 0, [1, 1], 'S');
}

function paintArea(pdf: jsPDF, { fill, points }: Area): void {
  pdf.setFillColor(fill.hex);
  pdf.lines(steps(points), points[0] ?? 0, points[1] ?? 0, [1, 1], 'F', true);
}

function paintDots(pdf: jsPDF, dots: Dots): void {
  const { fill, ring, centers } = dots;
  setStroke(pdf, white, ring, 'round');
  pdf.setFillColor(fill.hex);
  for (let i = 0; i < centers.length; i += 2) {
    pdf.circle(centers[i] ?? 0, centers[i + 1] ?? 0, rimOf(dots), 'FD');
  }
}

function paintWedges(pdf: jsPDF, { x, y, radius, wedges }: Wedges): void {
  for (const wedge of wedges) {
    const { from, to, fill } = wedge;
    pdf.setFillColor(fill.hex);
    if (isWhole(wedge)) pdf.circle(x, y, radius, 'F');
    else {
      const rim = [Math.sin(from) * radius, -Math.cos(from) * radius];
      pdf.lines([rim, ...arc(radius, from, to)], x, y, [1, 1], 'F', true);
    }
  }
}

/** jsPDF misplaces turned text that is not aligned at its start, so the start is computed here. */
function paintTexts(pdf: jsPDF, { size, weight, fill, anchor, angle, texts }: Texts): void {
  pdf.setFont('helvetica', weight === 'bold' ? 'bold' : 'normal');
  pdf.setFontSize(size * pointsPerPixel);
  pdf.setTextColor(fill.hex);
  const turn = (angle * Math.PI) / 180;
  for (const { x, y, text } of texts) {
    const before = anchorShares[anchor] === 0 ? 0 : textWidth(text, size, weight) * anchorShares[anchor];
    pdf.text(text, x - before * Math.cos(turn), y + before * Math.sin(turn), angle === 0 ? {} : { angle });
  }
}

function steps(points: ArrayLike<number>): Segment[] {
  const result: Segment[] = [];
  for (let i = 2; i < points.length; i += 2) {
    result.push([(points[i] ?? 0) - (points[i - 2] ?? 0), (points[i + 1] ?? 0) - (points[i - 1] ?? 0)]);
  }
  return result;
}

function setStroke(pdf: jsPDF, { hex }: Color, width: number, cap: 'butt' | 'round'): void {
  pdf.setDrawColor(hex);
  pdf.setLineWidth(width);
  pdf.setLineCap(cap);
  pdf.setLineJoin('round');
}
