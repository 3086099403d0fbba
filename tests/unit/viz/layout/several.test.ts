import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignSeries } from '../../../../server/src/viz/series.ts';
import { cases } from '../../../gallery/cases.ts';
import { named, points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

describe('alignSeries', () => {
  it('contradicts the order of no series, for any series that agree', () => {
    const values = fc.subarray(Array.from({ length: 12 }, (_, i) => i));
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 2, maxLength: 8 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { minLength: 12 }),
        (lists, names) => {
          const list = lists.map((some) => some.map((i) => ({ label: `${names[i] ?? ''}`, value: i })));
          const { labels, series } = alignSeries(list.map((data) => ({ name: '', data })));

          expect(new Set(labels).size).toBe(labels.length);
          for (const { values } of series) {
            const present = values.filter((value) => value !== undefined);
            expect(present).toEqual(present.toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has every label once, and every value at its label, where series contradict each other', () => {
    const label = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(label), { maxLength: 8 }),
        fc.uniqueArray(label),
        (lists, order) => {
          const { labels, series } = alignSeries(
            lists.map((some) => ({
              name: '',
              data: some.map((each) => ({ label: each, value: each.charCodeAt(0) })),
            })),
            order,
          );

          expect(labels.toSorted()).toEqual([...new Set([...order, ...lists.flat()])].toSorted());
          expect(labels.slice(0, order.length)).toEqual(order);
          series.forEach(({ values }, i) => {
            expect(labels.filter((_, place) => values[place] !== undefined).toSorted()).toEqual(
              lists[i]?.toSorted(),
            );
            values.forEach((value, place) => {
              if (value !== undefined) expect(String.fromCharCode(value)).toBe(labels[place]);
            });
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('puts the months between others where they belong', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];
    const some = named('Jan', 'Feb', 'Jun');

    expect(
      alignSeries([
        { name: 'A', data: some },
        { name: 'B', data: named(...months) },
      ]).labels,
    ).toEqual(months);
  });

  it('takes labels in order of appearance where the series leave the order open', () => {
    const { labels, series } = alignSeries([
      { name: 'A', data: points(1, 2) },
      {
        name: 'B',
        data: [
          { label: 'b', value: 3 },
          { label: 'z', value: 4 },
        ],
      },
    ]);

    expect(labels).toEqual(['a', 'b', 'z']);
    expect(series.map(({ values }) => values)).toEqual([
      [1, 2, undefined],
      [undefined, 3, 4],
    ]);
  });

  it('keeps equal labels of one series apart', () => {
    const twice = [1, 2].map((value) => ({ label: 'x', value }));

    expect(alignSeries([{ name: 'A', data: twice }]).labels).toEqual(['x', 'x']);
  });
});

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
