import { createCanvas, type CanvasRenderingContext2D } from 'canvas';
import { isCovered } from '../layout/text-width.ts';
import type { Scene } from '../scene.ts';

// Characters that no font has: pango draws each as a box, whose width tells how many digits its number has.
const neverDrawn = ['\u0378', '\u{10fffd}'];
const isMissing = new Map<string, boolean>();
let ruler: CanvasRenderingContext2D | undefined;

/** The letters of the picture for which no installed font has a shape, so that boxes are drawn in their place. */
export function missingLetters({ shapes }: Scene): string {
  const missing = new Set<string>();
  for (const shape of shapes) {
    for (const { text } of shape.kind === 'texts' ? shape.texts : []) {
      if (isCovered(text)) continue;
      for (const letter of text) if (isBox(letter)) missing.add(letter);
    }
  }
  return [...missing].join('');
}

function isBox(letter: string): boolean {
  const known =
    isMissing.get(letter) ?? (!isCovered(letter) && neverDrawn.some((box) => looksLike(box, letter)));
  isMissing.set(letter, known);
  return known;
}

function looksLike(box: string, letter: string): boolean {
  const [expected, found] = [measured(box), measured(letter)];
  return expected.width === found.width && expected.actualBoundingBoxAscent === found.actualBoundingBoxAscent;
}

function measured(text: string): { readonly width: number; readonly actualBoundingBoxAscent: number } {
  ruler ??= createCanvas(1, 1).getContext('2d');
  ruler.font = '100px Arimo';
  return ruler.measureText(text);
}
