import { describe, expect, it } from 'vitest';
import { decimated } from '../../src/layout/lines/polylines.ts';
import type { Coordinates } from '../../src/scene.ts';
import { themes } from '../../src/theme.ts';
import { cases } from '../../gallery/cases.ts';
import { area, line, stacked } from '../../gallery/charts.ts';
import { series as dataOf } from '../../gallery/series.ts';
import { pointsOf } from '../geometry.ts';
import { drawn, findText, points, sceneOf, seriesOf, wordsIn } from './shapes.ts';

const twoSeries = seriesOf([10, 20, 5], [30, 0, 40]);
const withGap = [
  { name: 'B', data: points(1, 1, 1, 1, 1) },
  { name: 'A', data: points(1, 2, 3, 4, 5).filter(({ label }) => label !== 'c') },
];
const rowsOf = (coordinates: Coordinates = new Float64Array()): number[] =>
  pointsOf(coordinates).map(([, y]) => y);

describe('a line', () => {
  it('goes from point to point', () => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] =
      drawn('path', line(points(0, 10, 5)))[0]?.points ?? [];

    expect(x2 - x1).toBeCloseTo(x3 - x2);
    expect((y1 - y2) / (y3 - y2)).toBeCloseTo(2);
  });

  it('has a dot at each of fewer than eight points, or else only at an end with a name or a value', () => {
    const many = cases['line, 1,000'] ?? {};

    expect(drawn('dots', line(points(1, 2, 3)))[0]?.centers).toHaveLength(6);
    expect(drawn('dots', many)).toEqual([]);
    const named = { ...many, data: [], series: [{ name: 'A', data: many.data ?? [] }] };
    for (const ending of [{ ...many, values: 'last' } as const, named])
      expect(drawn('dots', ending).map(({ centers }) => centers.length)).toEqual([2]);
  });

  it('of one point is a dot in the middle', () => {
    const request = cases['line, one point'] ?? {};
    const [x = 0] = drawn('dots', request)[0]?.centers ?? [];

    expect(drawn('path', request)).toEqual([]);
    expect(Math.abs(x - 410)).toBeLessThan(30);
  });

  it('fills the area to zero if the axis has zero, even if its series has a name', () => {
    const areasOf = (...values: number[]): number => drawn('area', line(points(...values))).length;

    expect([areasOf(1, 9), areasOf(1004, 1016)]).toEqual([1, 0]);
    expect(drawn('area', line(seriesOf([3, 20])))).toHaveLength(1);
  });

  it('lets the page behind a translucent background show through the area', () => {
    const request = line(points(1, 9), { background: 'transparent' });

    const { hex } = drawn('path', request)[0]?.stroke ?? {};
    expect(drawn('area', request)[0]?.fill).toEqual({ hex, alpha: 0.2 });
  });

  it('of ten thousand points has at most four for each pixel of width', () => {
    const [path] = drawn('path', cases['line, 10,000'] ?? {});

    expect(pointsOf(path?.points ?? []).length).toBeLessThan(800 * 4);
  });

  it('has gaps at null, at labels of other series and beyond limits, and a dot at a point between gaps', () => {
    const withNull = points(1, 2, null, 4, 5);
    const cut = { y_min: 0, y_max: 10 };
    const solidOnes = (data: typeof withNull | typeof withGap): boolean[] =>
      drawn('path', line(data)).map(({ dash }) => dash === undefined);

    expect(solidOnes(withNull)).toEqual([false, true, true]);
    expect(solidOnes([{ name: 'A', data: withNull }])).toEqual([false, true, true]);
    expect(drawn('path', line(points(5, 500, 5, -500, 5), cut))).toHaveLength(3);
    expect(drawn('dots', line(points(5, 500, 5, -500, 5), cut))[0]?.centers).toHaveLength(6);
    const gaps = cases['series, lines with gaps'] ?? {};
    expect(drawn('path', gaps).map((each) => each.points.length / 2)).toEqual([6, 2, 2, 2, 2]);
    expect(drawn('dots', gaps).map(({ centers }) => centers.length / 2)).toEqual([6, 5]);
  });

  it('that ends early has a dotted leader to its name and value at the right if another line is in the way', () => {
    const lines = [
      { name: 'Short', data: points(1, 2, 3) },
      { name: 'Long', data: points(0, 4, 2, 5, 1) },
    ];
    const [leader, short] = drawn('path', line(lines));
    const [end = [], atName = []] = pointsOf(leader?.points ?? []);

    expect(leader?.dash).toHaveLength(2);
    expect(end).toEqual(pointsOf(short?.points ?? []).at(-1));
    expect(findText(sceneOf(line(lines)), '3').x).toBeGreaterThan(atName[0] ?? Infinity);
  });

  it('that ends where another line ends has its name on the side from which it comes', () => {
    const scene = sceneOf(line(seriesOf([9, 1, 5], [1, 9, 5])));
    const [a, b] = ['A', 'B'].map((name) => findText(scene, name).y);

    expect(b).toBeLessThan(a ?? 0);
  });

  it('that is muted is grey, and the next line has the first colour', () => {
    const muted = seriesOf([1, 2], [2, 1]).map((each, i) => ({ ...each, muted: i === 0 }));
    const strokes = drawn('path', line(muted)).map(({ stroke }) => stroke);

    expect(strokes).toEqual([themes.light.ink.zero, themes.light.palette[0]]);
  });

  it('of several series is above everything else', () => {
    const { shapes } = sceneOf(cases['series, eight lines of 100'] ?? {});

    expect(new Set(shapes.slice(-16).map(({ kind }) => kind))).toEqual(new Set(['path', 'dots']));
  });
});

describe('an area', () => {
  it('reaches from the line to zero, however far the values are from it', () => {
    const request = area(points(1004, 1016));
    const [filled, path] = [drawn('area', request)[0]?.points, drawn('path', request)[0]?.points];

    expect(wordsIn(request)).toContain('0');
    expect([...(filled?.subarray(0, -4) ?? [])]).toEqual([...(path ?? [])]);
    expect(Math.max(...rowsOf(filled))).toBeGreaterThan(Math.max(...rowsOf(path)) + 300);
  });

  it('lets the areas behind it shine through, and is interrupted where its line is', () => {
    expect(drawn('area', area(twoSeries)).map(({ fill }) => fill.alpha)).toEqual([0.2, 0.2]);
    expect(drawn('area', area(withGap))).toHaveLength(3);
  });

  it('follows the edges of the plot where its line is cut off', () => {
    const request = area(seriesOf([5, 500, 5], [1, 2, 3]), { y_max: 10 });

    expect(drawn('path', request)).toHaveLength(3);
    expect(Math.min(...drawn('area', request).flatMap((each) => rowsOf(each.points)))).toBeGreaterThan(20);
  });
});

describe('stacked areas', () => {
  it('share their edges, in the order of the series', () => {
    const areas = drawn('area', area(twoSeries, stacked));
    const [lower, upper] = areas.map((each) => pointsOf(each.points));
    const half = (lower?.length ?? 0) / 2;

    expect(upper?.slice(0, half)).toEqual(lower?.slice(half).reverse());
  });

  it('go down from zero where values are negative', () => {
    const [up, down] = drawn('area', area(seriesOf([10, 10], [-5, -5]), stacked));

    expect(Math.min(...rowsOf(down?.points))).toBe(Math.max(...rowsOf(up?.points)));
  });

  it('are bars if there is only one label', () => {
    expect(drawn('bars', area(seriesOf([10], [30]), stacked))).toHaveLength(2);
  });

  it('over times have interpolated values where only other series have points', () => {
    const [first, second, last] = ['2026-01-01', '2026-01-02', '2026-01-05'] as const;
    const b = { name: 'b', data: dataOf([second, last], [5, 5]) };
    const areasOn = (labels: string[], values: number[]): unknown =>
      drawn('area', area([{ name: 'a', data: dataOf(labels, values) }, b], stacked));

    expect(areasOn([first, last], [10, 30])).toEqual(areasOn([first, last, second], [10, 30, 15]));
  });
});

describe('decimated', () => {
  it('keeps the first, lowest, highest and last point of each pixel column, in order', () => {
    const long = Float64Array.of(0.1, 5, 0.2, 9, 0.3, 1, 0.4, 6, 0.5, 5, 1.1, 7, 1.2, 7);

    expect([...decimated(long, 0, 2)]).toEqual([0.1, 5, 0.2, 9, 0.3, 1, 0.5, 5, 1.1, 7, 1.2, 7]);
  });
});
