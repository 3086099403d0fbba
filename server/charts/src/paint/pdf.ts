import { createCanvas } from 'canvas';
import { colorsOf, type Scene, type Shape } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { paintStandardPdf, pointsPerPixel, standardText } from './pdf-standard.ts';

/**
 * Paints the picture and returns a function that writes the PDF. They are separate because they fail for different
 * reasons.
 */
export function paintPdf(scene: Scene): () => Buffer {
  const { background, title, shapes, locale } = scene;
  const hasPlainBackground = background.alpha === 0 || background.alpha === 1;
  const isPlain = hasPlainBackground && isCp1252(title) && shapes.every(isStandard);
  const write = (isPlain ? paintStandardPdf : paintCairoPdf)(scene);
  return () => withLanguage(write(), locale);
}

/** Returns true if the fonts built into PDF readers have every character, and every colour is opaque. */
function isStandard(shape: Shape): boolean {
  const texts = shape.kind === 'texts' ? shape.texts : [];
  const isOpaque = colorsOf(shape).every(({ alpha }) => alpha === 1);
  return isOpaque && texts.every(({ text }) => isCp1252(standardText(text)));
}

// The characters beyond Latin-1 that the fonts built into PDF readers have.
const beyondLatin1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Returns true if the built-in fonts have all characters of a text: printable Western European Latin. */
export function isCp1252(text: string): boolean {
  for (const character of text) {
    const code = character.charCodeAt(0);
    const isLatin1 = (code >= 0x20 && code <= 0x7e) || (code >= 0xa1 && code <= 0xff && code !== 0xad);
    if (!isLatin1 && !beyondLatin1.has(character)) return false;
  }
  return true;
}

// Without a date, cairo would use the current time, but equal requests must give equal bytes. `withLanguage` removes
// the date.
const date = new Date(0);

/** A PDF in any script. It embeds subsets of fonts. */
function paintCairoPdf(scene: Scene): () => Buffer {
  const canvas = createCanvas(scene.width * pointsPerPixel, scene.height * pointsPerPixel, 'pdf');
  const context = canvas.getContext('2d');
  context.scale(pointsPerPixel, pointsPerPixel);
  paintOnCanvas(context, scene);
  return () => canvas.toBuffer('application/pdf', { title: scene.title, creationDate: date });
}

/**
 * Adds the language and removes the creation date, which neither of the two PDF libraries can do. Both end a file with
 * the document information, which names the producer, then the catalog, and then the offsets of all objects.
 */
function withLanguage(pdf: Buffer, locale: string): Buffer {
  const start = pdf.lastIndexOf('obj', pdf.lastIndexOf('/Producer'));
  const tail = pdf.toString('latin1', start);
  const dateless = tail.replace(/\s*\/CreationDate \([^)]*\)/, '');
  const complete = dateless.replace(/\/Type \/Catalog(?=\n)/, `/Type /Catalog\n/Lang (${locale})`);
  const growth = (before: string, after: string): number =>
    after.indexOf('\nxref') - before.indexOf('\nxref');
  const edited = complete
    .replace(/^\d{10}(?= 00000 n)/gm, (offset) => {
      const isCatalog = Number(offset) > start;
      return isCatalog ? String(Number(offset) + growth(tail, dateless)).padStart(10, '0') : offset;
    })
    .replace(/(?<=startxref\n)\d+/, (offset) => String(Number(offset) + growth(tail, complete)));
  return Buffer.concat([pdf.subarray(0, start), Buffer.from(edited, 'latin1')]);
}
