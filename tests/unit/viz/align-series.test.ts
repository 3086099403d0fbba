import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignSeries } from '../../../server/src/viz/series.ts';
import { named, points } from './layout/shapes.ts';

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
            const present = values.filter((value) => typeof value === 'number');
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
              if (typeof value === 'number') expect(String.fromCharCode(value)).toBe(labels[place]);
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
