import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from './for-any.ts';
import { alignSeries } from '../src/request/series.ts';

/** Aligns series with these labels. The value of a point is the character code of its label. */
function align(
  lists: readonly (readonly string[])[],
  order?: readonly string[],
): ReturnType<typeof alignSeries> {
  const series = lists.map((labels) => ({
    name: '',
    data: labels.map((label) => ({ label, value: label.charCodeAt(0) })),
  }));
  return alignSeries(series, order);
}

const letters = Array.from('abcdefghijkl');

describe('alignSeries', () => {
  it('keeps the order of each series, for any series that agree', () => {
    const agreeing = fc
      .tuple(
        fc.array(fc.subarray(letters), { minLength: 2, maxLength: 8 }),
        fc.shuffledSubarray(letters, { minLength: 12 }),
      )
      .map(([lists, order]) => lists.map((some) => order.filter((each) => some.includes(each))));
    forAny(500, [agreeing], (lists) => {
      const { labels } = align(lists);

      expect(new Set(labels).size).toBe(labels.length);
      for (const some of lists) expect(labels.filter((label) => some.includes(label))).toEqual(some);
    });
  });

  it('has every label once, and every value at its label, even if series contradict each other', () => {
    const some = fc.uniqueArray(fc.constantFrom(...letters.slice(0, 5)));
    forAny(500, [fc.array(some, { maxLength: 8 }), some], (lists, order) => {
      const { labels, series } = align(lists, order);

      expect(labels.toSorted()).toEqual([...new Set([...order, ...lists.flat()])].toSorted());
      expect(labels.slice(0, order.length)).toEqual(order);
      series.forEach(({ values }, i) => {
        expect(labels.map((_, place) => values[place])).toEqual(
          labels.map((label) => (lists[i]?.includes(label) ? label.charCodeAt(0) : undefined)),
        );
      });
    });
  });

  it('joins the orders of several series, and keeps equal labels of one series apart', () => {
    expect(align([Array.from('ab'), Array.from('bz')]).labels).toEqual(['a', 'b', 'z']);
    expect(align([Array.from('xx')]).labels).toEqual(['x', 'x']);
  });
});
