import { fileURLToPath } from 'node:url';
import { createCanvas, registerFont, type CanvasRenderingContext2D } from 'canvas';
import { LRUCache } from 'lru-cache';
import { isCovered } from '../text/text-width.ts';
import type { Scene } from '../scene.ts';

/**
 * The shipped typeface, and preferred fonts for scripts that it lacks. Otherwise fontconfig would choose a font with
 * only two Tamil letters, and fonts with serifs for the other scripts.
 */
export const fontFamilies =
  'Arimo, "Noto Sans Tamil", "Noto Sans Sinhala", "Noto Sans Kannada", "Noto Sans Gujarati"';

let areLoaded = false;

/**
 * Loads the shipped typeface, as the first PNG or PDF does. Call it before the process creates a canvas. Throws if this
 * machine cannot draw text.
 */
export function loadFonts(): void {
  if (areLoaded) return;
  const fileOf = (name: string): string => fileURLToPath(new URL(`../fonts/${name}.ttf`, import.meta.url));
  registerFont(fileOf('Arimo-Regular'), { family: 'Arimo' });
  registerFont(fileOf('Arimo-Bold'), { family: 'Arimo', weight: 'bold' });
  // Without fonts, every character is drawn as the same box, or not at all.
  if (measured('I').width === measured('W').width)
    throw new Error('The shipped font cannot be drawn. Install fontconfig.');
  areLoaded = true;
}

// Characters that no font has. Pango draws a box for them, whose width depends on the number of digits in the code
// point.
const neverDrawn = ['\u0378', '\u{10fffd}'];
// Bounded, because Unicode has over a million code points.
const boxes = new LRUCache<string, boolean>({ max: 10_000, memoMethod: isBox });
let ruler: CanvasRenderingContext2D | undefined;

/** The characters of a picture that no installed font can draw, and that are boxes in the picture. */
export function missingGlyphs({ shapes }: Scene): string {
  const texts = shapes.flatMap((shape) => (shape.kind === 'texts' ? shape.texts : []));
  const characters = new Set(texts.flatMap(({ text }) => (isCovered(text) ? [] : Array.from(text))));
  return [...characters].filter((character) => boxes.memo(character)).join('');
}

function isBox(character: string): boolean {
  if (isCovered(character)) return false;
  const { width, actualBoundingBoxAscent: ascent } = measured(character);
  return neverDrawn
    .map(measured)
    .some((box) => box.width === width && box.actualBoundingBoxAscent === ascent);
}

function measured(text: string): { readonly width: number; readonly actualBoundingBoxAscent: number } {
  ruler ??= createCanvas(1, 1).getContext('2d');
  ruler.font = `100px ${fontFamilies}`;
  return ruler.measureText(text);
}
