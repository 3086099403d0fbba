import { createCanvas, type CanvasRenderingContext2D } from 'canvas';
import { LRUCache } from 'lru-cache';
import { isCovered } from '../text/text-width.ts';
import type { Scene } from '../scene.ts';
import { fontFamilies } from './font-files.ts';

// Characters that no font has. Pango draws a box for them, whose width depends on the number of digits in the code
// point.
const neverDrawn = ['\u0378', '\u{10fffd}'];
// Bounded, because Unicode has over a million code points.
const boxes = new LRUCache<string, boolean>({ max: 10_000, memoMethod: isBox });
let ruler: CanvasRenderingContext2D | undefined;

/** The characters of a picture that no installed font can draw. The picture has boxes instead. */
export function missingGlyphs({ shapes }: Scene): string {
  const missing = new Set<string>();
  for (const shape of shapes) {
    for (const { text } of shape.kind === 'texts' ? shape.texts : []) {
      if (isCovered(text)) continue;
      for (const character of text) if (boxes.memo(character)) missing.add(character);
    }
  }
  return [...missing].join('');
}

function isBox(character: string): boolean {
  return !isCovered(character) && neverDrawn.some((box) => looksLike(box, character));
}

function looksLike(box: string, character: string): boolean {
  const [expected, found] = [measured(box), measured(character)];
  return expected.width === found.width && expected.actualBoundingBoxAscent === found.actualBoundingBoxAscent;
}

function measured(text: string): { readonly width: number; readonly actualBoundingBoxAscent: number } {
  ruler ??= createCanvas(1, 1).getContext('2d');
  ruler.font = `100px ${fontFamilies}`;
  return ruler.measureText(text);
}
