import { jsPDF } from 'jspdf';
import { white, type Color } from '../color.ts';
import { textWidth } from '../text/text-width.ts';
import { cornerOf, paintShape, rimOf, type Painter, type Scene } from '../scene.ts';
import { traceLine, traceRoundedBar, traceWedge, type PathSink } from './outline.ts';

/** There are 96 CSS pixels and 72 PDF points to the inch. */
export const pointsPerPixel = 0.75;
const anchorShares = { start: 0, middle: 0.5, end: 1 } as const;

/** A PDF with opaque colours and Western European text in Helvetica, which every PDF reader has. */
export function paintStandardPdf({ width, height, background, title, shapes }: Scene): () => Buffer {
  const pdf = new jsPDF({
    unit: 'px',
    hotfixes: ['px_scaling'],
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    putOnlyUsedFonts: true,
    floatPrecision: 2,
  });
  // A fixed id, so that equal requests give equal bytes.
  pdf.setFileId('0'.repeat(32));
  pdf.setDocumentProperties({ title });
  // A white background needs no shape, because paper is white.
  if (background.alpha === 1 && background.hex !== white.hex) {
    pdf.setFillColor(background.hex);
    pdf.rect(0, 0, width, height, 'F');
  }
  for (const shape of shapes) paintShape(onPage, shape, pdf);
  return () => Buffer.from(pdf.output('arraybuffer'));
}

const onPage: Painter<jsPDF, void> = {
  bars({ fill, radius, bars }, pdf) {
    pdf.setFillColor(fill.hex);
    const path = new PdfPath(pdf);
    for (const bar of bars) {
      const corner = cornerOf(bar, radius);
      if (corner === 0) pdf.rect(bar.x, bar.y, bar.width, bar.height, 'F');
      else {
        traceRoundedBar(path, bar, corner);
        pdf.fill();
      }
    }
  },

  rules({ stroke, width, lines }, pdf) {
    setStroke(pdf, stroke, width, 'butt');
    const path = new PdfPath(pdf);
    for (const line of lines) {
      traceLine(path, line);
      pdf.stroke();
    }
  },

  path({ stroke, width, dash = [], points }, pdf) {
    setStroke(pdf, stroke, width, 'round');
    if (dash.length > 0) pdf.setLineDashPattern([...dash], 0);
    traceLine(new PdfPath(pdf), points);
    pdf.stroke();
    if (dash.length > 0) pdf.setLineDashPattern([], 0);
  },

  area({ fill, points }, pdf) {
    pdf.setFillColor(fill.hex);
    const path = new PdfPath(pdf);
    traceLine(path, points);
    path.closePath();
    pdf.fill();
  },

  dots(dots, pdf) {
    const { fill, ring, ringColor, centers } = dots;
    setStroke(pdf, ringColor, ring, 'round');
    pdf.setFillColor(fill.hex);
    for (let i = 0; i < centers.length; i += 2) {
      pdf.circle(centers[i] ?? 0, centers[i + 1] ?? 0, rimOf(dots), 'FD');
    }
  },

  wedges(disc, pdf) {
    const path = new PdfPath(pdf);
    for (const wedge of disc.wedges) {
      pdf.setFillColor(wedge.fill.hex);
      traceWedge(path, disc, wedge);
      pdf.fill();
    }
  },

  // jsPDF misplaces turned text unless it is aligned at its start, so the start is computed here.
  texts({ size, weight, fill, anchor = 'start', angle = 0, texts }, pdf) {
    pdf.setFont('helvetica', weight === 'bold' ? 'bold' : 'normal');
    pdf.setFontSize(size * pointsPerPixel);
    pdf.setTextColor(fill.hex);
    const turn = (angle * Math.PI) / 180;
    for (const { x, y, text } of texts) {
      const before = anchorShares[anchor] === 0 ? 0 : textWidth(text, size, weight) * anchorShares[anchor];
      pdf.text(text, x - before * Math.cos(turn), y + before * Math.sin(turn), angle === 0 ? {} : { angle });
    }
  },
};

function setStroke(pdf: jsPDF, { hex }: Color, width: number, cap: 'butt' | 'round'): void {
  pdf.setDrawColor(hex);
  pdf.setLineWidth(width);
  pdf.setLineCap(cap);
  pdf.setLineJoin('round');
}

/** A path on a page of jsPDF, which has only cubic Bézier curves. */
class PdfPath implements PathSink {
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

  /** The control points of the equivalent cubic curve are two thirds of the way to the corner. */
  quadraticCurveTo(cornerX: number, cornerY: number, x: number, y: number): void {
    const near = (from: number, corner: number): number => from + ((corner - from) * 2) / 3;
    const [startX, startY] = [near(this.#x, cornerX), near(this.#y, cornerY)];
    this.#pdf.curveTo(startX, startY, near(x, cornerX), near(y, cornerY), x, y);
    this.#x = x;
    this.#y = y;
  }

  /** Curves of at most a quarter circle each. Control points are on the tangents at the ends, `pull` radii away. */
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
