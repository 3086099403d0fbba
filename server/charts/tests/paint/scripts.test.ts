import { beforeAll, expect, it } from 'vitest';
import { createCanvas } from 'canvas';
import { fontFamilies, loadFonts, missingGlyphs } from '../../src/paint/font-files.ts';
import { paintSvg } from '../../src/paint/svg.ts';
import type { Request } from '../../gallery/charts.ts';
import { points, sceneOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';
import { painted } from './painted.ts';

// An invisible right-to-left letter. Punctuation between two right-to-left letters is right-to-left too.
const rightToLeftMark = '\u200f';

beforeAll(loadFonts);

it.each<[string, boolean, (text: string) => Request]>([
  ['שלום!', true, (title) => ({ title })],
  ['שלום!', true, (y_title) => ({ y_title })],
  ['Hi, שלום!', false, (title) => ({ title })],
])('the last mark of %j is at the left end in PNG, even when turned: %s', (text, isAtLeft, requestFor) => {
  const [picture, expected] = [text, text + rightToLeftMark].map(
    (each) => painted({ data: points(1, 2), ...requestFor(each) }).png.data,
  );

  expect(picture?.equals(expected ?? new Uint8Array())).toBe(isAtLeft);
});

it.each([
  ['שלום!', '\u2068שלום!\u2069'],
  ['Größe!', 'Größe!'],
])('%j is %j in SVG, isolated if it has right-to-left letters', (title, written) => {
  const elements = elementsOf(paintSvg(sceneOf({ data: points(1, 2), title })));

  expect(elements.map(({ text }) => text)).toContain(written);
});

loadFonts();
// Depends on the fonts of the machine; `npm run fonts:install` adds some.
const lacksTamil = missingGlyphs(sceneOf({ title: 'ப்', data: points(1) })) !== '';

it.skipIf(lacksTamil)(
  'fontFamilies draws a Tamil letter and its mark in one font, without a circle between them',
  () => {
    expect(widthOf('ப்')).toBeLessThan(1.2 * widthOf('ப'));
  },
);

function widthOf(text: string): number {
  const ruler = createCanvas(1, 1).getContext('2d');
  ruler.font = `100px ${fontFamilies}`;
  return ruler.measureText(text).width;
}
