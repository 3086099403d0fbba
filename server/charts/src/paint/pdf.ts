import { createCanvas } from 'canvas';
import { jsPDF } from 'jspdf';
import { white } from '../color.ts';
import { colorsOf, type Scene } from '../scene.ts';
import { minus } from '../text/number-formats.ts';
import { textWidth } from '../text/text-width.ts';
import { paintOnCanvas } from './canvas.ts';
import { paint, traceLine, type PathSink, type Surface } from './paint.ts';

/** There are 96 CSS pixels and 72 PDF points to the inch. */
const pointsPerPixel = 0.75;
/** A fixed date and a fixed id, so that equal requests give equal bytes, in any time zone of the server. */
const creationDate = new Date(0);
const pdfDate = "D:19700101000000+00'00'";
const anchorShares = { start: 0, middle: 0.5, end: 1 } as const;

/**
 * Paints the picture and returns a function that writes the PDF. Painting and writing are separate because they fail
 * for different reasons.
 */
export function paintPdf(scene: Scene): () => Buffer {
  const { background, title, shapes } = scene;
  const texts = shapes.flatMap((shape) => (shape.kind === 'texts' ? shape.texts : []));
  const isWestern = isCp1252([title, ...texts.map(({ text }) => standardText(text))].join(''));
  const colors = [...(background.alpha === 0 ? [] : [background]), ...shapes.flatMap(colorsOf)];
  const isOpaque = colors.every(({ alpha }) => alpha === 1);
  return (isWestern && isOpaque ? paintStandardPdf : paintCairoPdf)(scene);
}

// The fonts built into PDF readers have Windows-1252, without the no-break space and the soft hyphen.
const bytes = Uint8Array.from({ length: 224 }, (_, i) => i + 32);
const cp1252 = new Set(new TextDecoder('windows-1252').decode(bytes).replace(/[\x7f-\xa0\xad]/g, ''));

/** Returns true if the built-in fonts have all characters of a text: printable Western European Latin. */
export function isCp1252(text: string): boolean {
  return new Set(text).isSubsetOf(cp1252);
}

/** A PDF in any script. It embeds subsets of fonts. */
function paintCairoPdf(scene: Scene): () => Buffer {
  const canvas = createCanvas(scene.width * pointsPerPixel, scene.height * pointsPerPixel, 'pdf');
  const context = canvas.getContext('2d');
  context.scale(pointsPerPixel, pointsPerPixel);
  paintOnCanvas(context, scene);
  return () => canvas.toBuffer('application/pdf', { title: scene.title, creationDate });
}

/** A PDF with opaque colours and Western European text in Helvetica, which every PDF reader has. */
function paintStandardPdf(scene: Scene): () => Buffer {
  const { width, height, background, title } = scene;
  const pdf = new jsPDF({
    unit: 'px',
    hotfixes: ['px_scaling'],
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    putOnlyUsedFonts: true,
    floatPrecision: 2,
  });
  pdf.setFileId('0'.repeat(32));
  pdf.setCreationDate(pdfDate);
  pdf.setDocumentProperties({ title });
  // A white background needs no shape, because paper is white.
  if (background.alpha === 1 && background.hex !== white.hex) {
    pdf.setFillColor(background.hex);
    pdf.rect(0, 0, width, height, 'F');
  }
  paint(scene, pageOf(pdf));
  return () => Buffer.from(pdf.output('arraybuffer'));
}

/** The text with en dashes, which look like minus signs. The built-in fonts lack minus signs. */
function standardText(text: string): string {
  return text.replaceAll(minus, '–');
}

/** A page of jsPDF, which has Bézier curves instead of arcs. */
function pageOf(pdf: jsPDF): Surface {
  const path: PathSink = {
    moveTo: (x, y) => pdf.moveTo(x, y),
    lineTo: (x, y) => pdf.lineTo(x, y),
    // Curves of at most a quarter circle, with control points on the tangents at their ends, `pull` radii away.
    arc: (centerX, centerY, radius, from, to) => {
      const count = Math.max(1, Math.ceil(Math.abs(to - from) / (Math.PI / 2)));
      const sweep = (to - from) / count;
      const pull = (4 / 3) * Math.tan(sweep / 4);
      const at = (angle: number, along: number): [number, number] => [
        centerX + radius * (Math.cos(angle) - along * Math.sin(angle)),
        centerY + radius * (Math.sin(angle) + along * Math.cos(angle)),
      ];
      pdf.lineTo(...at(from, 0));
      for (let i = 0; i < count; i += 1) {
        const [start, end] = [from + i * sweep, from + (i + 1) * sweep];
        pdf.curveTo(...at(start, pull), ...at(end, -pull), ...at(end, 0));
      }
    },
    closePath: () => pdf.close(),
  };
  return {
    outline: ({ hex }) => {
      pdf.setFillColor(hex);
      return path;
    },
    fill: () => pdf.fill(),
    stroke: (lines, { stroke, width, dash = [] }, ends) => {
      pdf.setDrawColor(stroke.hex);
      pdf.setLineWidth(width);
      pdf.setLineCap(ends);
      pdf.setLineJoin('round');
      if (dash.length > 0) pdf.setLineDashPattern([...dash], 0);
      for (const line of lines) traceLine(path, line);
      pdf.stroke();
      if (dash.length > 0) pdf.setLineDashPattern([], 0);
    },
    // jsPDF misplaces turned text that is not aligned at its start, so this computes the start.
    texts: ({ size, weight, fill, anchor = 'start', angle = 0, texts }) => {
      pdf.setFont('helvetica', weight === 'bold' ? 'bold' : 'normal');
      pdf.setFontSize(size * pointsPerPixel);
      pdf.setTextColor(fill.hex);
      const turn = (angle * Math.PI) / 180;
      for (const { x, y, text } of texts) {
        const before = textWidth(text, size, weight) * anchorShares[anchor];
        const [left, top] = [x - before * Math.cos(turn), y + before * Math.sin(turn)];
        pdf.text(standardText(text), left, top, angle === 0 ? {} : { angle });
      }
    },
  };
}
