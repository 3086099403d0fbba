import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAny } from '../for-any.ts';
import { english, numberFormatsOf, plain } from '../../src/text/number-formats.ts';
import { notationOf } from '../../src/text/numbers.ts';
import { percentages } from '../../src/layout/pie/slices.ts';
import { anyAxes, isValid, measures } from '../any-chart.ts';
import { points, wordsIn } from './shapes.ts';
import { shareAt, tiny, valueScale } from '../../src/layout/axes/value-scale.ts';

const anyLocale = fc.constantFrom('en', 'de', 'fr', 'hi', 'ja');
/** Values of one magnitude, such as whole, tiny or huge: up to a thousand times a power of ten, plus a base. */
const anyValues = fc
  .tuple(
    fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 60 }),
    fc.integer({ min: -3, max: 9 }),
    fc.constantFrom(0, 1e6, 0.25),
  )
  .map(([numbers, exponent, base]) => numbers.map((number) => number * 10 ** exponent + base));

/** The number of decimals, and the text after the digits. */
function formOf(text: string, decimal: string): string {
  const [, digits = '', unit = ''] = /^−?([\d.,\u202f\u00a0 ]*\d)(.*)$/.exec(text) ?? [];
  const [, decimals = ''] = digits.split(decimal);
  return `${decimals.length} ${unit}`;
}

it('all values except zero have one unit and number of decimals, as do all ticks, and no unit makes values look equal', () => {
  forAny(500, [anyValues, anyLocale, fc.integer({ min: 2, max: 7 })], (values, locale, count) => {
    const formats = numberFormatsOf(locale);
    const { unit, write } = notationOf(values, formats);
    const scale = valueScale(Math.min(...values), Math.max(...values), count, formats);
    const decimalSign = (1.5).toLocaleString(locale).slice(1, 2);
    const zero = (0).toLocaleString(locale);
    const different = new Set(values.map((value) => Number(value.toPrecision(12))));

    for (const texts of [values.map(write), scale.ticks.map(({ text }) => text)]) {
      const others = texts.filter((text) => text.replaceAll(/\P{Nd}/gu, '') !== zero);
      const forms = others.map((text) => formOf(text, decimalSign));
      expect(new Set(forms).size, texts.join('; ')).toBeLessThanOrEqual(1);
    }
    if (unit !== undefined && unit > 1) expect(new Set(values.map(write)).size).toBe(different.size);
  });
});

it('an axis has three to eight different ticks, and the values are inside it and use most of it', () => {
  const end = fc.oneof(
    fc.double({ min: -1e300, max: 1e300, noNaN: true }).map((each) => (Math.abs(each) < tiny ? 0 : each)),
    fc.integer({ min: -999, max: 999 }),
  );
  const percent = { ...english, factor: 100 } as const;
  forAny(
    500,
    [end, fc.oneof(end, fc.constant(0)), fc.integer({ min: 2, max: 7 }), fc.boolean()],
    (a, b, count, isPercent) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const isWhole = Number.isInteger(a) && Number.isInteger(b);
      const scale = valueScale(low, high, count, isPercent ? percent : english, { isWhole });
      const texts = scale.ticks.map(({ text }) => text);
      const [bottom, top] = [shareAt(scale, low), shareAt(scale, high)];

      expect(texts.length).toBeGreaterThanOrEqual(3);
      expect(texts.length).toBeLessThanOrEqual(8);
      expect(new Set(texts).size).toBe(texts.length);
      expect(bottom).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThanOrEqual(1);
      if (high - low > Math.max(-low, high) * 1e-9)
        expect(top - bottom).toBeGreaterThanOrEqual((low === 0 || high === 0 ? 0.8 : 0.75) - 1e-9);
    },
  );
});

it('a unit of more than two letters is written once in a chart with axes', () => {
  const fields = fc.record({
    ...measures,
    unit: fc.constantFrom(' kWh', ' tonnes CO2e'),
    values: fc.constantFrom('auto', 'always', 'never', 'last'),
    subtitle: fc.constantFrom('', 'All plants', 'Administration of tonnes CO2e', 'x'.repeat(900)),
    data: fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: 30 }),
  });
  forAny(500, [anyAxes, fields], ({ stacked: _, ...form }, { data, ...rest }) => {
    const request = { ...form, ...rest, data: points(...data) };
    fc.pre(isValid(request));
    const words = wordsIn(request);
    expect(words.filter((word) => word.includes(rest.unit.trim())).length, words.join(' | ')).toBe(1);
  });
});

it('the rounding error of a sum changes no number', () => {
  const tenths = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 20 });
  forAny(300, [tenths], (parts) => {
    const sum = parts.reduce((total, part) => total + part / 10, 0);
    const exact = parts.reduce((total, part) => total + part, 0) / 10;
    const ticksTo = (high: number): string[] => valueScale(0, high, 6).ticks.map(({ text }) => text);

    expect(ticksTo(sum)).toEqual(ticksTo(exact));
    expect(notationOf([sum, 0.5]).write(sum)).toBe(notationOf([exact, 0.5]).write(exact));
  });
});

it('numbers have the digits that Intl writes, in every language', () => {
  const locale = fc.constantFrom('de', 'de-CH', 'fr', 'es', 'pl', 'pt-PT', 'ru', 'hi', 'ar-EG', 'ja', 'sw');
  const units = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.maxSafeNat());
  forAny(300, [locale, units, fc.integer({ min: 0, max: 6 })], (tag, size, decimals) => {
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const value = size / 10 ** decimals;

    expect(numberFormatsOf(tag).digits(value, decimals)).toBe(
      plain(new Intl.NumberFormat(tag, options).format(value)),
    );
  });
});

it('percentages have one number of decimals, are close to their shares and in their order, and add up to 100 unless shares are equal', () => {
  const anyPart = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(999, 1000));
  const anyShares = fc
    .array(anyPart, { minLength: 1, maxLength: 40 })
    .filter((parts) => parts.some((part) => part > 0))
    .map((parts) => parts.map((part) => part / parts.reduce((sum, each) => sum + each, 0)));
  forAny(500, [anyShares], (shares) => {
    const texts = percentages(shares);
    const written = shares.flatMap((share, i) => {
      const text = texts[i] ?? '';
      return text.startsWith('<') ? [] : [{ share, text, percent: Number(text.replace('%', '')) }];
    });
    const decimals = written.flatMap(({ text }) => (text === '0%' ? [] : [text.split('.')[1]?.length ?? 0]));
    const step = decimals.includes(2) ? 0.1 : 1;
    const sum = written.reduce((total, { percent }) => total + percent, 0);

    expect(new Set(decimals).size).toBeLessThanOrEqual(1);
    expect(written.filter(({ share, percent }) => Math.abs(percent - 100 * share) > step)).toEqual([]);
    expect(new Set(texts).size).toBeLessThanOrEqual(new Set(shares).size);
    expect(written.map(({ percent }) => percent).toSorted((a, b) => a - b)).toEqual(
      written.toSorted((a, b) => a.share - b.share).map(({ percent }) => percent),
    );
    if (new Set(shares).size === shares.length && written.length === texts.length)
      expect(sum).toBeCloseTo(100, 6);
  });
});
