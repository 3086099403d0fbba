import type { Color } from '../color.ts';
import { colorsOf, type Scene, type Shape } from '../scene.ts';
import { isCp1252 } from './cp1252.ts';
import { paintCairoPdf } from './pdf-cairo.ts';
import { withLanguage } from './pdf-language.ts';
import { paintStandardPdf } from './pdf-standard.ts';

/** Paints the picture; the returned function writes the PDF. Painting and writing fail for different reasons. */
export function paintPdf(scene: Scene): () => Buffer {
  const write =
    isPlain(scene.background) && isCp1252(scene.title) && scene.shapes.every(isStandard)
      ? paintStandardPdf(scene)
      : paintCairoPdf(scene);
  return () => withLanguage(write(), scene.locale);
}

function isPlain({ alpha }: Color): boolean {
  return alpha === 0 || alpha === 1;
}

/** Returns true if the built-in fonts of PDF readers have every character, and every colour is opaque. */
function isStandard(shape: Shape): boolean {
  const hasItsLetters = shape.kind !== 'texts' || shape.texts.every(({ text }) => isCp1252(text));
  return hasItsLetters && colorsOf(shape).every(({ alpha }) => alpha === 1);
}
