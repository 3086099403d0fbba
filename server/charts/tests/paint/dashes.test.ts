import { beforeAll, describe, expect, it } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { paintPdf } from '../../src/paint/pdf.ts';
import { paintSvg } from '../../src/paint/svg.ts';
import { sceneOf, shapesOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';
import { painted, redAt } from './painted.ts';

const request = { data: [{ label: 'a', value: 10 }], lines: [{ value: 20 }] };

beforeAll(loadFonts);

describe('a reference line', () => {
  it('is dashed in an SVG', () => {
    const dashed = elementsOf(paintSvg(sceneOf(request))).filter(
      ({ attributes }) => 'stroke-dasharray' in attributes,
    );

    expect(dashed).toHaveLength(1);
  });

  it('is dashed in a PNG', () => {
    const { png } = painted(request);
    const [left = 0, y = 0, right = 0] = shapesOf(sceneOf(request), 'path')[0]?.points ?? [];
    const pixels = Array.from({ length: right - left }, (_, i) =>
      redAt(png, Math.round(left) + i, Math.floor(y)) < 160 ? '1' : '0',
    );

    expect(pixels.join('').split(/0+/).length).toBeGreaterThan(20);
  });

  it('is dashed in a PDF, and the lines after it solid', () => {
    const dashes = paintPdf(sceneOf(request))()
      .toString('latin1')
      .match(/\[[\d. ]*\] 0\.? d/g);

    expect(dashes).toHaveLength(2);
    expect(dashes?.[1]).toMatch(/^\[\s*\]/);
  });
});
