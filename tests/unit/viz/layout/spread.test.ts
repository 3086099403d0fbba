import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spread } from '../../../../server/src/viz/layout/spread.ts';

const wish = fc.record({
  at: fc.double({ min: -50, max: 150, noNaN: true }),
  length: fc.constantFrom(4, 8, 12),
});
const wishes = fc.array(wish, { minLength: 1, maxLength: 8 });

function displacement(places: readonly number[], some: readonly { at: number }[]): number {
  return places.reduce((sum, place, i) => sum + (place - (some[i]?.at ?? 0)) ** 2, 0);
}

describe('spread', () => {
  it('keeps labels in order, apart and within the bounds', () => {
    fc.assert(
      fc.property(wishes, (some) => {
        const places = spread(some, 0, 100) ?? [];
        const edges = places.flatMap((place, i) => {
          const half = (some[i]?.length ?? 0) / 2;
          return [place - half, place + half];
        });

        expect(edges.every((edge) => edge > -1e-6 && edge < 100 + 1e-6)).toBe(true);
        expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] ?? 0) - 1e-6)).toBe(true);
      }),
    );
  });

  it('displaces no more than any other places that are apart', () => {
    fc.assert(
      fc.property(
        wishes,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
        (some, gaps) => {
          const free = 100 - some.reduce((sum, { length }) => sum + length, 0);
          const total = gaps.slice(0, some.length + 1).reduce((sum, gap) => sum + gap, 1e-9);
          let at = 0;
          const others = some.map(({ length }, i) => {
            at += ((gaps[i] ?? 0) / total) * free;
            const place = at + length / 2;
            at += length;
            return place;
          });

          expect(displacement(spread(some, 0, 100) ?? [], some)).toBeLessThanOrEqual(
            displacement(others, some) + 1e-6,
          );
        },
      ),
    );
  });

  it('centres labels that touch on the mean of their wishes', () => {
    const some = [50, 50, 50].map((at) => ({ at, length: 10 }));

    expect(spread(some, 0, 100)).toEqual([40, 50, 60]);
  });

  it('has no places where there is not enough room', () => {
    expect(spread([{ at: 5, length: 11 }], 0, 10)).toBeUndefined();
  });
});
