import { createCanvas } from 'canvas';
import { colorsOf, type Scene, type Shape } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { creationDate, paintStandardPdf, pointsPerPixel, standardText } from './pdf-standard.ts';

/**
 * Paints the picture and returns a function that writes the PDF. Painting and writing are separate because they fail
 * for different reasons.
 */
export function paintPdf(scene: Scene): () => Buffer {
  const { background, title, shapes } = scene;
  const hasPlainBackground = background.alpha === 0 || background.alpha === 1;
  const isPlain = hasPlainBackground && isCp1252(title) && shapes.every(isStandard);
  return (isPlain ? paintStandardPdf : paintCairoPdf)(scene);
}

/** Returns true if the fonts built into PDF readers have every character, and every colour is opaque. */
function isStandard(shape: Shape): boolean {
  const texts = shape.kind === 'texts' ? shape.texts : [];
  const isOpaque = colorsOf(shape).every(({ alpha }) => alpha === 1);
  return isOpaque && texts.every(({ text }) => isCp1252(standardText(text)));
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
