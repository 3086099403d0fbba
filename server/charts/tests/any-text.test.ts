import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Request } from '../gallery/charts.ts';
import { anyAxes, anyLocale, anySize, anyTimes, isValid, measures } from './any-chart.ts';
import { boxesOf, illegibleTexts, overlapping } from './geometry.ts';
import { sceneOf, shapesOf } from './layout/shapes.ts';

it('series over any times have lines from left to right, whole labels, and no text over another', () => {
  const list = fc.array(anyTimes, { minLength: 1, maxLength: 3 });
  const size = fc.oneof(anySize, fc.record(measures));
  fc.assert(
    fc.property(anyAxes, size, anyLocale, list, (kind, measured, locale, columns) => {
      const series = columns.map((data, i) => ({ name: `Series ${i + 1}`, data }));
      const scene = sceneOf({ ...kind, ...measured, locale, series });

      expect(illegibleTexts(scene)).toEqual([]);
      for (const texts of shapesOf(scene, 'texts').filter(({ anchor }) => anchor === 'middle')) {
        const spaced = texts.texts.map((each) => ({ ...each, text: `${each.text} ` }));
        expect(overlapping(boxesOf({ ...texts, texts: spaced }))).toEqual([]);
        expect(texts.texts.filter(({ text }) => text.includes('…'))).toEqual([]);
      }
      for (const { points } of shapesOf(scene, 'path')) {
        const places = [...points].filter((_, i) => i % 2 === 0);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 1000 },
  );
});

const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  { weight: 1, arbitrary: fc.double({ min: -1e7, max: 1e7, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 0.1 + 0.2, 999_999) },
);
const anyFormat = fc.constantFrom<Request>(
  {},
  { format: 'compact' },
  { format: 'percent' },
  { format: 'currency', currency: 'EUR' },
  { unit: ' km/h', decimals: 1 },
);
const anyCaption = fc.option(fc.lorem({ maxCount: 30 }), { nil: null });
const anyLine = fc.record({ value: fc.integer({ min: -100, max: 1500 }), label: fc.lorem({ maxCount: 4 }) });

it('any chart with its values, reference lines and captions has no text over another', () => {
  const columns = fc.array(fc.array(anyValue, { minLength: 1, maxLength: 60 }), {
    minLength: 1,
    maxLength: 4,
  });
  const fields = fc.record({
    ...measures,
    locale: anyLocale,
    subtitle: anyCaption,
    source: anyCaption,
    values: fc.constantFrom('always' as const, 'auto' as const),
    lines: fc.array(anyLine, { maxLength: 5 }),
  });
  const request = fc
    .tuple(anyAxes, anyFormat, columns, fields)
    .map(([kind, format, lists, others]): Request => {
      const [one = [], ...more] = lists.map((values) =>
        values.map((value, i) => ({ label: `Label ${i}`, value })),
      );
      const series = [one, ...more].map((data, i) => ({ name: `Series ${i}`, data }));
      const points = more.length === 0 && kind.stacked === undefined ? { data: one } : { series };
      return { ...kind, ...format, ...others, ...points };
    })
    .filter(isValid);
  fc.assert(
    fc.property(request, (valid) => {
      expect(illegibleTexts(sceneOf(valid))).toEqual([]);
    }),
    { numRuns: 1500 },
  );
});
