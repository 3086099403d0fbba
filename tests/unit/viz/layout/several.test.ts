import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

describe('bars of several series', () => {
  const series = [
    { name: 'A', data: points(10, 20) },
    { name: 'B', data: points(30, 40) },
  ];

  it('stand side by side, in one colour for each series', () => {
    const bars = shapesOf(sceneOf({ series }), 'bars').slice(2);
    const [a, b] = bars.map(({ bars: [first] }) => first);

    expect(bars.map(({ fill }) => fill.hex)).toEqual(['#2f6fc4', '#c67f26']);
    expect(b?.x).toBe((a?.x ?? 0) + (a?.width ?? 0) + 1);
    expect(b?.height).toBeGreaterThan(2.5 * (a?.height ?? 0));
  });

  it('are stacked without a gap', () => {
    const [a, b] = shapesOf(sceneOf({ series, stacked: true }), 'bars')
      .slice(2)
      .map(({ bars: [first] }) => first);

    expect(b?.x).toBe(a?.x);
    expect((b?.y ?? 0) + (b?.height ?? 0)).toBe(a?.y);
  });

  it('are stacked downwards from zero when they are negative', () => {
    const signed = [
      { name: 'A', data: points(10) },
      { name: 'B', data: points(-5) },
    ];
    const [a, b] = shapesOf(sceneOf({ series: signed, stacked: true }), 'bars')
      .slice(2)
      .map(({ bars: [first] }) => first);

    expect(b?.y).toBe((a?.y ?? 0) + (a?.height ?? 0));
  });

  it('are at least one pixel high in a stack, and no higher together, for any values', () => {
    const parts = fc.array(
      fc.oneof(
        fc.constant(0),
        fc.integer({ min: -1000, max: 1000 }),
        fc.double({ min: -1, max: 1, noNaN: true }),
      ),
      {
        minLength: 2,
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), (stacks) => {
        const list = Array.from({ length: 8 }, (_, i) => ({
          name: '',
          data: stacks.map((values, at) => ({ label: `${at}`, value: values[i] ?? 0 })),
        }));
        const bars = shapesOf(sceneOf({ series: list, stacked: true }), 'bars').flatMap((each) => each.bars);

        expect(bars).toHaveLength(stacks.flat().filter((value) => value !== 0).length);
        expect(bars.every(({ height }) => height >= 1)).toBe(true);
        for (const x of new Set(bars.map((bar) => bar.x))) {
          const stack = bars.filter((bar) => bar.x === x).sort((a, b) => a.y - b.y);
          expect(stack.slice(1).every(({ y }, i) => y === (stack[i]?.y ?? 0) + (stack[i]?.height ?? 0))).toBe(
            true,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('show a small value between large ones without moving the top of the stack', () => {
    const list = [1000, 0.001, 1000].map((value) => ({ name: '', data: [{ label: 'a', value }] }));
    const heights = (stacked: boolean): number[] =>
      shapesOf(sceneOf({ series: list, stacked }), 'bars').map(({ bars: [bar] }) => bar?.height ?? 0);
    const [first = 0, small, last = 0] = heights(true);

    expect(small).toBe(1);
    expect(Math.abs(first - last)).toBeLessThanOrEqual(2);
  });

  it('leave the place of a missing label empty', () => {
    const bars = shapesOf(sceneOf(cases['series, different labels'] ?? {}), 'bars').slice(2);

    expect(bars.map((each) => each.bars.length)).toEqual([6, 5]);
  });

  it('are at least one pixel wide, however many there are', () => {
    for (const name of ['series, 1,000 bars each', 'series, 1,000 stacked']) {
      const bars = shapesOf(sceneOf(cases[name] ?? {}), 'bars').flatMap((each) => each.bars);

      expect(bars.length).toBeLessThan(3 * 800);
      expect(bars.every(({ width }) => width >= 1)).toBe(true);
    }
  });
});

describe('lines of several series', () => {
  it('have a gap where a label is missing, and a dot for a point between gaps', () => {
    const scene = sceneOf(cases['series, lines with gaps'] ?? {});

    // The first two are the samples of the legend.
    expect(shapesOf(scene, 'path').map(({ points: line }) => line.length / 2)).toEqual([2, 2, 6, 2, 2]);
    expect(shapesOf(scene, 'dots').map(({ centers }) => centers.length / 2)).toEqual([6, 5]);
  });

  it('are above everything else', () => {
    const scene = sceneOf(cases['series, eight lines of 100'] ?? {});

    expect(scene.shapes.slice(-8).map(({ kind }) => kind)).toEqual(Array<string>(8).fill('path'));
  });
});

describe('the legend of several series', () => {
  it('names them in their order', () => {
    const { series, ...rest } = cases['series, three lines'] ?? {};
    const bars = sceneOf({ ...rest, chart_type: 'bar', series: series ?? [] });

    expect(wordsOf(bars).slice(1, 4)).toEqual(['North', 'South', 'East']);
  });

  it('shows the dashes of lines', () => {
    const { series, ...rest } = cases['series, eight lines of 100'] ?? {};
    const long = (series ?? []).map(({ name, data }) => ({ name: name.padEnd(60, '.'), data }));
    const paths = shapesOf(sceneOf({ ...rest, series: long }), 'path');

    const looks = paths.map(({ dash = [], stroke }) => `${stroke.hex} ${dash.length}`);
    expect(looks.slice(0, 8)).toEqual(looks.slice(8));
    expect(looks.slice(0, 8).map((look) => look.endsWith(' 0'))).toEqual(
      Array.from({ length: 8 }, (_, i) => i < 4),
    );
  });

  it('gives long names rows of their own', () => {
    const words = wordsOf(sceneOf(cases['series, long names'] ?? {}));

    expect(words.filter((word) => word.endsWith('all countries'))).toHaveLength(5);
  });

  it('shortens names that do not fit', () => {
    const words = wordsOf(sceneOf({ ...cases['series, long names'], height: 200 }));

    expect(words.filter((word) => word.endsWith('…'))).toHaveLength(5);
  });
});

describe('the description of several series', () => {
  it('has their data in words', () => {
    const { description } = sceneOf(cases['series, different labels'] ?? {});

    expect(description).toMatch(
      /^Bar chart of 2 series\. Plan: Jan: 3; .*\. Actual: Jan: 2; Feb: 6; Apr: 5; /,
    );
  });

  it('is a summary when there are many points', () => {
    const { description } = sceneOf(cases['series, eight lines of 100'] ?? {});

    expect(description).toMatch(/^Line chart of 8 series by 100 labels\. Lowest: \w+, Item \d+: /);
  });
});

describe('one series with a name', () => {
  const data = points(3, 20);
  const series = [{ name: 'A', data }];

  it('is drawn as data is, with its name', () => {
    const line = sceneOf({ chart_type: 'line', series });

    expect(wordsOf(sceneOf({ series }))).toEqual(expect.arrayContaining(['A', '3', '20']));
    expect(wordsOf(line)).toContain('A');
    expect(shapesOf(line, 'area')).toHaveLength(1);
  });

  it('has plain bars also where it is stacked', () => {
    expect(sceneOf({ series, stacked: true })).toEqual(sceneOf({ series }));
    expect(sceneOf({ data, stacked: true })).toEqual(sceneOf({ data }));
  });
});

describe('more groups of bars than pixels', () => {
  it('show their values below and above zero', () => {
    const data = points(...Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? 9 : -7)));
    const bars = shapesOf(
      sceneOf({
        series: [
          { name: 'A', data },
          { name: 'B', data },
        ],
      }),
      'bars',
    ).slice(2);
    const heights = bars.flatMap((each) => each.bars.map(({ height }) => height));

    expect(Math.min(...heights)).toBeGreaterThan(300);
  });
});
