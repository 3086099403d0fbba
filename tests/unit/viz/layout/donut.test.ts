import { beforeAll, describe, expect, it } from 'vitest';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import { paintSvg } from '../../../../server/src/viz/paint/svg.ts';
import { cases } from '../../../gallery/cases.ts';
import { painted, pixel } from '../paint/painted.ts';
import { elementsOf } from '../svg.ts';
import { points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

const donut = { chart_type: 'pie', donut: true } as const;

beforeAll(registerFonts);

describe('a donut', () => {
  it('is the pie with a hole, and the sum of its values in the middle', () => {
    const data = points(1000, 2000, 500.5);
    const [ring, disc] = [true, false].map((hasHole) => sceneOf({ ...donut, data, donut: hasHole }));
    const [hole, full] = [ring, disc].map((scene) => scene && shapesOf(scene, 'wedges')[0]);

    expect(hole).toEqual({ ...full, hole: expect.closeTo((full?.radius ?? 0) * 0.6) as number });
    expect(ring && textsOf(ring).find(({ text }) => text === '3,501')?.x).toBe(full?.x);
    expect(ring && wordsOf(ring)).toHaveLength((disc ? wordsOf(disc).length : 0) + 1);
  });

  it('writes its sum in the locale, without the noise of addition', () => {
    expect(wordsOf(sceneOf({ ...donut, data: points(0.1, 0.2), locale: 'de' }))).toContain('0,3');
  });

  it('leaves a sum out that does not fit in the hole', () => {
    const request = { ...donut, data: points(1234, 5678), width: 160, height: 100 };

    expect(wordsOf(sceneOf(request))).not.toContain('6,912');
  });

  it.each([points(1, 1, 1), points(5)])('has the background in its hole', (...data) => {
    const { png } = painted({ ...donut, data });
    const [ring] = shapesOf(sceneOf({ ...donut, data }), 'wedges');
    const { x, y, radius, hole } = ring ?? { x: 0, y: 0, radius: 0, hole: 0 };

    expect(pixel(png, x + 5, y - hole + 6)).toBe('#ffffff');
    expect(pixel(png, x + 8, y - (hole + radius) / 2)).toBe('#2f6fc4');
    expect(pixel(png, x + hole * 0.8, y)).toBe('#ffffff');
  });

  it('lets the page show through its hole', () => {
    const { png } = painted({ ...donut, data: points(1, 1), background: 'transparent' });
    const [ring] = shapesOf(sceneOf({ ...donut, data: points(1, 1) }), 'wedges');
    const [x, y] = [Math.round(ring?.x ?? 0), Math.round((ring?.y ?? 0) - (ring?.hole ?? 0) / 2)];

    expect(png.data[(y * png.width + x) * 4 + 3]).toBe(0);
  });

  it('is one path for each slice in an SVG, with two arcs or four', () => {
    const arcsOf = (...values: number[]): number[] =>
      elementsOf(paintSvg(sceneOf({ ...donut, data: points(...values) })))
        .map(({ attributes }) => attributes['d'] ?? '')
        .filter((d) => d.includes('a'))
        .map((d) => d.split('a').length - 1);

    expect(arcsOf(1, 1, 1, 1)).toEqual([2, 2, 2, 2]);
    expect(arcsOf(3, 1)).toEqual([4, 2]);
    expect(arcsOf(1)).toEqual([4]);
  });

  it('says "No data" like a pie', () => {
    expect(wordsOf(sceneOf({ ...cases['pie, zeros'], ...donut }))).toContain('No data');
  });
});
