import { colorsOf, type Scene, type Shape } from '../scene.ts';
import { isCp1252 } from './cp1252.ts';
import { paintCairoPdf } from './pdf-cairo.ts';
import { paintStandardPdf } from './pdf-standard.ts';

/** Paints the picture; the result writes the PDF. Painting and writing fail for different reasons. */
export function paintPdf(scene: Scene): () => Buffer {
  return scene.shapes.every(isStandard) ? paintStandardPdf(scene) : paintCairoPdf(scene);
}

/** Whether the fonts that every PDF reader has will do, so that none need be embedded, and colours are opaque. */
function isStandard(shape: Shape): boolean {
  const hasItsLetters = shape.kind !== 'texts' || shape.texts.every(({ text }) => isCp1252(text));
  return hasItsLetters && colorsOf(shape).every(({ alpha }) => alpha === 1);
}
