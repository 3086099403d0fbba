import { beforeAll, describe, expect, it } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { cases } from '../../gallery/cases.ts';
import { donut, pie, type Request } from '../../gallery/charts.ts';
import { series } from '../../gallery/series.ts';
import { painted } from '../paint/painted.ts';
import { drawn, findText, points, sceneOf, seriesOf, wordsIn } from './shapes.ts';

beforeAll(loadFonts);

describe('a pie', () => {
  it('divides the circle by the shares, clockwise from the top, and names each slice with its share', () => {
    const request = pie(points(1, 2, 1));
    const [disc] = drawn('wedges', request);

    expect(disc?.wedges.map(({ from, to }) => [from / Math.PI, to / Math.PI])).toEqual([
      [0, 0.5],
      [0.5, 1.5],
      [1.5, 2],
    ]);
    expect(wordsIn(request)).toEqual(['a', 'b', '25%', '50%', 'c', '25%']);
  });

  it.each([
    ['four', [3, 3, 3, 3]],
    ['six, of which some are small', [512, 301, 188, 121, 64, 18]],
  ])('has the names of its slices close to its rim: %s', (_count, values) => {
    const scene = sceneOf(pie(points(...values)));
    const [disc] = drawn('wedges', pie(points(...values)));
    const { size, x, y } = findText(scene, 'a');
    const distance = Math.hypot(x - (disc?.x ?? 0), y - (disc?.y ?? 0)) - (disc?.radius ?? 0);

    expect(distance / size).toBeGreaterThan(0.4);
    expect(distance / size).toBeLessThan(0.8);
  });

  it('has the names of slices of zero in order', () => {
    const data = series(['To do', 'In progress', 'Review', 'Blocked', 'Done'], [30, 30, 0, 0, 40]);
    const scene = sceneOf(pie(data, { width: 640, height: 360 }));
    const places = ['Done', 'Blocked', 'Review', 'In progress'].map((name) => findText(scene, name).y);

    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('is a full circle without a seam when one slice is everything', () => {
    const request = pie(points(3));

    expect(drawn('wedges', request)[0]?.wedges).toMatchObject([{ from: -Math.PI / 2, to: Math.PI * 1.5 }]);
    expect(drawn('rules', request)[0]?.lines).toEqual([]);
  });

  it.each<Request>([
    { data: points(null) },
    { chart_type: 'line', series: seriesOf([null]), y_scale: 'log' },
    { ...cases['pie, zeros'] },
    { ...cases['pie, zeros'], donut: true },
    { ...cases['no data'], chart_type: 'pie' as const },
  ])('says "No data" for %j', (request) => {
    expect(wordsIn(request)).toContain('No data');
  });

  it('lists many slices in a legend, with unbroken names even if there is little room', () => {
    const request = cases['pie, small slices'] ?? {};
    const narrow = wordsIn({ ...request, width: 320, height: 200 });

    expect(drawn('bars', request)).toHaveLength(16);
    expect(wordsIn(request)).toEqual(expect.arrayContaining(['Item 1', '42.9%', 'Item 16', '1.0%']));
    expect(narrow).toContain('Item 1');
    expect(narrow).not.toContain('Item');
  });

  it('shows the number of slices for which neither labels nor legend have room', () => {
    const request = cases['pie, 10,000'] ?? {};

    expect(wordsIn(request)).toContain('9,974 others');
    expect(drawn('wedges', request)[0]?.wedges.length).toBeLessThan(40);
  });
});

describe('a donut', () => {
  it('is the pie with a hole, and the sum of its values in the middle', () => {
    const data = points(1000, 2000, 500.5);
    const [ring, disc] = [donut(data), pie(data)];
    const [hole, full] = [ring, disc].map((request) => drawn('wedges', request)[0]);

    expect(hole).toEqual({ ...full, hole: expect.closeTo((full?.radius ?? 0) * 0.6) as number });
    expect(findText(sceneOf(ring), '3,501').x).toBe(full?.x);
    expect(wordsIn(ring)).toHaveLength(wordsIn(disc).length + 1);
  });

  it('writes its sum in the locale, without rounding errors, shortened in a small hole or else before the title', () => {
    const [small, tiny] = [200, 130].map((width) =>
      donut('Sum', points(1234567, 5678), { decimals: 0, width, height: 100 }),
    );

    expect(wordsIn(donut(points(0.1, 0.2), { locale: 'de' }))).toContain('0,3');
    expect(wordsIn(small ?? {})).toContain('1.24M');
    expect(wordsIn(tiny ?? {})).toContain('1,240,245 · Sum');
    expect(wordsIn({ ...tiny, title: '1,240,245 sold' })).toContain('1,240,245 · 1,…');
  });

  it('lets the page show through its hole', () => {
    const request = donut(points(1, 1), { background: 'transparent' });
    const { png } = painted(request);
    const { x, y, hole } = drawn('wedges', request)[0] ?? { x: 0, y: 0, hole: 0 };

    expect(png.data[(Math.round(y - hole / 2) * png.width + Math.round(x)) * 4 + 3]).toBe(0);
  });
});
