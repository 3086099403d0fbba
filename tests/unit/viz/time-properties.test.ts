import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { illegibleTexts } from './geometry.ts';
import { sceneOf, shapesOf } from './layout/shapes.ts';

const units = [1000, 60_000, 3_600_000, 86_400_000, 7 * 86_400_000, 30 * 86_400_000, 365 * 86_400_000];
const timesOfSeries = fc.record({
  start: fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2050, 0) }),
  unit: fc.constantFrom(...units),
  gaps: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 59 }),
});
const looks = fc.record({
  size: fc.constantFrom([300, 200], [400, 300], [800, 600], [1600, 900] as const),
  locale: fc.constantFrom('en', 'de', 'fr', 'hi', 'ja'),
  chart: fc.constantFrom<Partial<Schemas['ChartRequest']>>(
    { chart_type: 'bar' },
    { chart_type: 'bar', stacked: true },
    { chart_type: 'bar', orientation: 'horizontal' },
    { chart_type: 'line' },
    { chart_type: 'line', area: true },
    { chart_type: 'line', area: true, stacked: true },
  ),
});
const chart = fc
  .tuple(looks, fc.array(timesOfSeries, { minLength: 1, maxLength: 3 }))
  .map(([{ size, locale, chart }, list]) => {
    const [width = 0, height = 0] = size;
    const series = list.map((each, i) => ({ name: `Series ${i + 1}`, data: dataOf(each) }));
    return sceneOf({ ...chart, width, height, locale, series });
  });

describe('for any series over times', () => {
  it('no text overlaps another one or ends outside the picture', () => {
    fc.assert(
      fc.property(chart, (scene) => {
        expect(illegibleTexts(scene)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('lines run from left to right', () => {
    fc.assert(
      fc.property(chart, (scene) => {
        for (const { points } of shapesOf(scene, 'path')) {
          const places = [...points].filter((_, i) => i % 2 === 0);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 300 },
    );
  });
});

function dataOf({
  start,
  unit,
  gaps,
}: {
  start: number;
  unit: number;
  gaps: readonly number[];
}): Schemas['DataPoint'][] {
  let at = Math.floor(start / unit) * unit;
  return gaps.map((gap, i) => {
    at += gap * unit;
    return { label: new Date(at).toISOString(), value: (i * 37) % 101 };
  });
}
