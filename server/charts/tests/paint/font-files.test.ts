import { createCanvas } from 'canvas';
import { describe, expect, it } from 'vitest';
import { fontFamilies, loadFonts, missingGlyphs } from '../../src/paint/font-files.ts';
import { points, sceneOf } from '../layout/shapes.ts';

loadFonts();
// Depends on the fonts of the machine; `npm run fonts:install` adds some.
const lacksTamil = missingGlyphs(sceneOf({ title: 'ப்', data: points(1) })) !== '';

describe('fontFamilies', () => {
  it.skipIf(lacksTamil)(
    'draws a Tamil letter and its mark in one font, without a circle between them',
    () => {
      expect(widthOf('ப்')).toBeLessThan(1.2 * widthOf('ப'));
    },
  );
});

function widthOf(text: string): number {
  const ruler = createCanvas(1, 1).getContext('2d');
  ruler.font = `100px ${fontFamilies}`;
  return ruler.measureText(text).width;
}
