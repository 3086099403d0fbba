import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../for-any.ts';
import { cases } from '../../gallery/cases.ts';
import type { Request } from '../../gallery/charts.ts';
import {
  drawn,
  findText,
  measuredBars,
  points,
  sceneOf,
  seriesOf,
  wordsIn,
  type MeasuredBar,
} from './shapes.ts';

const lengthOf = (bar?: MeasuredBar): number => (bar?.high ?? NaN) - (bar?.low ?? NaN);

describe.each([
  { orientation: 'vertical', up: 'top', down: 'bottom' },
  { orientation: 'horizontal', up: 'right', down: 'left' },
] as const)('$orientation bars', ({ orientation, up, down }) => {
  const barsOf = (request: Request): MeasuredBar[][] => measuredBars({ orientation, ...request });

  it('lie on whole pixels, have equal breadths and distances, and lengths in proportion to their values', () => {
    const [bars = []] = barsOf({ data: points(10, 20, 30) });
    const [first, second, third] = bars;

    expect(
      bars.flatMap(({ low, high, at, breadth }) => [low, high, at, breadth]).every(Number.isInteger),
    ).toBe(true);
    expect(new Set(bars.map(({ breadth }) => breadth)).size).toBe(1);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe((third?.at ?? 0) - (second?.at ?? 0));
    expect(second?.at).toBeGreaterThan((first?.at ?? 0) + (first?.breadth ?? 0));
    expect(Math.abs(lengthOf(third) - 3 * lengthOf(first))).toBeLessThanOrEqual(2);
    expect(bars.every(({ low, rounded }) => low === first?.low && rounded === up)).toBe(true);
  });

  it('of negative values go the other way from zero, in the second colour, with their values at their ends', () => {
    const request: Request = { orientation, data: points(1200, -1300) };
    const [[above] = [], [below] = []] = barsOf(request);
    const scene = sceneOf(request);
    const endOf = (word: string): number => {
      const { x, y } = findText(scene, word);
      return orientation === 'horizontal' ? x : -y;
    };

    const inTurn = { data: points(1, -1, 3), colors: ['#111111', '#222222'], negative_color: '#333333' };
    expect(drawn('bars', inTurn).map(({ fill }) => fill.hex)).toEqual(['#111111', '#333333']);
    expect(drawn('bars', request).map(({ fill }) => fill.hex)).toEqual(['#3264bc', '#d77d0d']);
    expect(below).toMatchObject({ high: above?.low, rounded: down });
    expect(lengthOf(below)).toBeGreaterThan(lengthOf(above));
    expect(endOf('1,200')).toBeGreaterThan(above?.high ?? 0);
    expect(endOf('−1,300')).toBeLessThan(below?.low ?? 0);
  });

  it('of several series are next to each other in the order of the series, each series in its colour', () => {
    const request: Request = { orientation, series: seriesOf([10, 20], [30, -20]) };
    const [[a, nextA] = [], [b, below] = []] = barsOf(request);

    const colors = ['#3264bc', '#d77d0d'];
    expect(drawn('bars', request).map(({ fill }) => fill.hex)).toEqual([...colors, ...colors]);
    expect(b?.at).toBe((a?.at ?? 0) + (a?.breadth ?? 0) + 2);
    expect(b?.at).toBeLessThan(nextA?.at ?? 0);
    expect(lengthOf(b)).toBeGreaterThan(2.5 * lengthOf(a));
    expect([b?.rounded, below?.rounded]).toEqual([up, down]);
  });

  it('of a stack begin where the previous one ends, in both directions from zero', () => {
    const [[a, nextA] = [], [b, below] = []] = barsOf({
      stacked: true,
      series: seriesOf([10, 20], [30, -20]),
    });

    expect(b).toMatchObject({ at: a?.at, low: (a?.high ?? 0) + 1 });
    expect(below).toMatchObject({ at: nextA?.at, high: nextA?.low });
  });
});

describe('a bar', () => {
  it('has one pixel if its value is small next to the others, and none if it is zero', () => {
    const [[small, zero, large] = []] = measuredBars(cases['bar, ±1e300'] ?? {});

    expect([small, zero].map(lengthOf)).toEqual([1, 0]);
    expect(lengthOf(large)).toBeGreaterThan(200);
  });

  it('shows the largest gain and the largest loss where several share a pixel', () => {
    const data = points(...Array.from({ length: 3000 }, (_, i) => (i % 10 === 5 ? -60 : 70 + (i % 7))));
    const [gains, losses] = drawn('bars', { chart_type: 'bar', data });

    expect(gains?.bars.length).toBeGreaterThan(500);
    expect(losses?.bars.length).toBeGreaterThan(250);
  });

  it('has its own place even if another bar has the same label', () => {
    const data = [1, 2, 3].map((value) => ({ label: 'same', value }));

    expect(measuredBars({ data })[0]).toHaveLength(3);
    expect(wordsIn({ data }).filter((word) => word === 'same')).toHaveLength(3);
  });

  it('repeats the first colour if there are fewer colours than bars', () => {
    const shapes = drawn('bars', { data: points(1, 2, 3, 4, 5), colors: ['red', 'blue'] });

    expect(shapes.map(({ fill, bars }) => [fill.hex, bars.length])).toEqual([
      ['#ff0000', 3],
      ['#0000ff', 2],
    ]);
  });
});

describe('stacks', () => {
  it('have no gap of more than a pixel between their bars, for any values', () => {
    const value = fc.oneof(
      fc.constant(0),
      fc.integer({ min: -1000, max: 1000 }),
      fc.double({ min: -1, max: 1, noNaN: true }).map((each) => Number(each.toFixed(9))),
    );
    const parts = fc.array(value, { minLength: 2, maxLength: 8 });
    forAny(300, [fc.array(parts, { minLength: 1, maxLength: 8 })], (stacks) => {
      const rows = Array.from({ length: 8 }, (_, i) => stacks.map((values) => values[i] ?? 0));
      const bars = measuredBars({ series: seriesOf(...rows), stacked: true }).flat();

      expect(bars).toHaveLength(stacks.flat().filter((each) => each !== 0).length);
      expect(bars.filter((bar) => lengthOf(bar) < 1)).toEqual([]);
      for (const stack of Map.groupBy(bars, ({ at }) => at).values()) {
        const ordered = stack.toSorted((a, b) => a.low - b.low);
        expect(ordered.slice(1).filter(({ low }, i) => low - (ordered[i]?.high ?? 0) > 1)).toEqual([]);
      }
    });
  });

  it('show a small value between two equal ones, which stay equally long', () => {
    const [first, small, last] = measuredBars({
      series: seriesOf([50_000], [20], [50_000]),
      stacked: true,
      height: 540,
    });

    expect(lengthOf(small?.[0])).toBe(1);
    expect(Math.abs(lengthOf(first?.[0]) - lengthOf(last?.[0]))).toBeLessThanOrEqual(2);
  });

  it('name series at the last stack, or in a legend if each bar shows the largest of several values', () => {
    const values = Array.from({ length: 2000 }, (_, i) => (i === 1999 ? 10 : 60));
    const shapesOf = (count: number): number =>
      drawn('bars', { series: seriesOf(values.slice(-count), values.slice(-count)), stacked: true }).length;

    expect([shapesOf(20), shapesOf(2000)]).toEqual([2, 2 + 2]);
  });

  it('of one series are plain bars', () => {
    const [series, data] = [seriesOf([3, 20]), points(3, 20)];

    expect(sceneOf({ series, stacked: true })).toEqual(sceneOf({ series }));
    expect(sceneOf({ data, stacked: true })).toEqual(sceneOf({ data }));
  });
});

describe('groups of bars', () => {
  it.each(['series, 1,000 bars each', 'series, 1,000 stacked'])('are at least one pixel wide: %s', (name) => {
    const bars = measuredBars(cases[name] ?? {}).flat();

    expect(bars.length).toBeLessThan(3 * 800);
    expect(bars.every(({ breadth }) => breadth >= 1)).toBe(true);
  });
});
