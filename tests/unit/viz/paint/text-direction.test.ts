import { beforeAll, describe, expect, it } from 'vitest';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import { paintSvg } from '../../../../server/src/viz/paint/svg.ts';
import { points, sceneOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';
import { painted, type Request } from './painted.ts';

// After an invisible letter that is read from right to left, the exclamation mark is between two such letters.
const rightToLeftMark = '\u200f';

beforeAll(registerFonts);

describe('a text that begins with a Hebrew letter', () => {
  it('has its last punctuation at the left end in PNG', () => {
    const [plain, marked] = [{ title: 'שלום!' }, { title: `שלום!${rightToLeftMark}` }];

    expect(looksLike(plain, marked)).toBe(true);
  });

  it('has its last punctuation at the left end in a turned text', () => {
    const [plain, marked] = [{ y_title: 'שלום!' }, { y_title: `שלום!${rightToLeftMark}` }];

    expect(looksLike(plain, marked)).toBe(true);
  });

  it('is isolated in SVG', () => {
    expect(textsOf({ title: 'שלום!' })).toContain('\u2068שלום!\u2069');
  });
});

describe('a text that begins with a Latin letter', () => {
  it('has its last punctuation at the right end', () => {
    const [plain, marked] = [{ title: 'Hi, שלום!' }, { title: `Hi, שלום!${rightToLeftMark}` }];

    expect(looksLike(plain, marked)).toBe(false);
  });

  it('is written to SVG as it is without right-to-left letters', () => {
    expect(textsOf({ title: 'Größe!' })).toContain('Größe!');
  });
});

function looksLike(request: Request, other: Request): boolean {
  const [picture, expected] = [request, other].map(
    (each) => painted({ data: points(1, 2), ...each }).png.data,
  );
  return picture !== undefined && expected !== undefined && picture.equals(expected);
}

function textsOf(request: Request): string[] {
  return elementsOf(paintSvg(sceneOf({ data: points(1, 2), ...request }))).map(({ text }) => text);
}
