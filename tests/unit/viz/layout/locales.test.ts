import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartFrom } from '../../../../server/src/viz/chart.ts';
import {
  isKnownLocale,
  numberFormatsOf,
  plain,
  reducedLocale,
} from '../../../../server/src/viz/layout/intl-formats.ts';
import type { NumberFormats } from '../../../../server/src/viz/layout/number-formats.ts';
import { axisNumbers, shortNumber } from '../../../../server/src/viz/layout/numbers.ts';
import { percentages } from '../../../../server/src/viz/layout/percentages.ts';
import { requestOf } from '../../../gallery/cases.ts';
import { points, sceneOf, wordsOf } from './shapes.ts';

describe('numbers in a language', () => {
  it.each([
    ['en', ['1,234', '12.3k', '4.56M', '1.5e20', '-7']],
    ['en-GB', ['1,234', '12.3k', '4.56M', '1.5e20', '-7']],
    ['de', ['1.234', '12.345', '4,56 Mio.', '1,5e20', '-7']],
    ['fr', ['1 234', '12,3 k', '4,56 M', '1,5e20', '-7']],
    ['es', ['1234', '12.345', '4,56 M', '1,5e20', '-7']],
    ['sv', ['1 234', '12 345', '4,56 mn', '1,5e20', '-7']],
    ['ja', ['1,234', '12,345', '456万', '1.5e20', '-7']],
    ['hi', ['1,234', '12,345', '45.6 लाख', '1.5e20', '-7']],
    ['ar-EG', ['١٬٢٣٤', '١٢٬٣٤٥', '٤٬٥٦٠ ألف', '١٫٥e20', '-٧']],
  ])('%s', (locale, expected) => {
    const formats = numberFormatsOf(locale);

    expect([1234, 12_345, 4_560_000, 1.5e20, -7].map((value) => shortNumber(value, formats))).toEqual(
      expected,
    );
  });

  it('has the digits that Intl writes, in every language', () => {
    const locale = fc.constantFrom('de', 'de-CH', 'fr', 'es', 'pl', 'pt-PT', 'ru', 'hi', 'ar-EG', 'ja', 'sw');
    const units = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.maxSafeNat());
    fc.assert(
      fc.property(locale, units, fc.integer({ min: 0, max: 6 }), (tag, size, decimals) => {
        const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const value = size / 10 ** decimals;

        expect(numberFormatsOf(tag).digits(value, decimals)).toBe(
          plain(new Intl.NumberFormat(tag, options).format(value)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('writes all numbers of an axis with one unit', () => {
    const german = numberFormatsOf('de');

    expect(axisNumbers([0, 0.5, 1], 0.5, 0, german)).toEqual(['0', '0,5', '1,0']);
    expect(axisNumbers([0, 500_000, 1_000_000], 500_000, 0, german)).toEqual(['0', '0,5 Mio.', '1,0 Mio.']);
  });

  it.each([
    ['de', '42 %', '<0,1 %'],
    ['tr', '%42', '<%0,1'],
  ])('writes shares: %s', (locale, share, small) => {
    const formats = numberFormatsOf(locale);

    expect(percentages([0.42, 0.58], formats)[0]).toBe(share);
    expect(percentages([0.0001, 0.9999], formats)[0]).toBe(small);
  });

  it.each(['zz', 'de_DE', '', 'not a tag'])('is unknown: %j', (locale) => {
    expect(isKnownLocale(locale)).toBe(false);
  });
});

describe('subtags of a locale that change no number', () => {
  const numbersOf = (locale: string): NumberFormats =>
    chartFrom(requestOf({ data: points(1), locale })).numbers;

  it('share one formatter, however many tags there are', () => {
    const tags = Array.from({ length: 1000 }, (_, i) => [
      `de-x-a${i}`,
      `DE-t-en-x-a${i}`,
      `de-u-nu-abc${i}-ca-x${i}abc`,
    ]).flat();

    expect(tags.filter((tag) => numbersOf(tag) !== numbersOf('de'))).toEqual([]);
  });

  it('leave script, region and numbering system', () => {
    expect(reducedLocale('zh-hant-hk-u-nu-hanidec-x-a')).toBe('zh-Hant-HK-u-nu-hanidec');
    expect(shortNumber(12, numbersOf('ar-EG-u-nu-latn-x-a'))).toBe('12');
  });
});

it('formatters of locales that were not used for long are given up', () => {
  const first = numberFormatsOf('de-001');
  const regions = Array.from({ length: 200 }, (_, i) => `de-${String(i + 2).padStart(3, '0')}`);

  regions.forEach(numberFormatsOf);

  expect(numberFormatsOf('de-001')).not.toBe(first);
});

describe('axis titles', () => {
  const titles = { x_title: 'Month', y_title: 'Revenue' };

  it.each(['bar', 'line'] as const)('stand at the axes of a %s chart', (kind) => {
    const scene = sceneOf({ chart_type: kind, data: points(1, 2), ...titles });
    const [x, y] = ['Month', 'Revenue'].map((word) =>
      scene.shapes.find((shape) => shape.kind === 'texts' && shape.texts.some(({ text }) => text === word)),
    );

    expect(x).toMatchObject({ anchor: 'middle' });
    expect(x).not.toHaveProperty('angle');
    expect(y).toMatchObject({ angle: 90, anchor: 'middle' });
  });

  it('are left out of a pie, and of a picture too small for them', () => {
    const words = wordsOf(sceneOf({ chart_type: 'pie', data: points(1, 2), ...titles }));
    const small = wordsOf(sceneOf({ width: 130, height: 90, data: points(1, 2), ...titles }));

    expect([...words, ...small]).not.toEqual(expect.arrayContaining(['Month']));
    expect([...words, ...small]).not.toEqual(expect.arrayContaining(['Revenue']));
  });

  it('end in an ellipsis where the axis is too short', () => {
    const words = wordsOf(
      sceneOf({ data: points(1, 2), x_title: 'x'.repeat(200), y_title: 'y '.repeat(100) }),
    );

    expect(words.filter((word) => word.endsWith('…'))).toHaveLength(2);
  });
});
