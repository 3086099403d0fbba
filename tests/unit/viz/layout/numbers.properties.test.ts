import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberFormatsOf } from '../../../../server/src/viz/layout/intl-formats.ts';
import { notationOf } from '../../../../server/src/viz/layout/numbers.ts';
import { percentages } from '../../../../server/src/viz/layout/percentages.ts';
import { valueScale } from '../../../../server/src/viz/layout/value-scale.ts';

const locale = fc.constantFrom('en', 'de', 'fr', 'hi', 'ja');
/** Values of one kind: whole, with decimals, tiny or huge, at most a thousand times as large as one another. */
const values = fc
  .tuple(
    fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 60 }),
    fc.integer({ min: -3, max: 9 }),
    fc.constantFrom(0, 1e6, 0.25),
  )
  .map(([numbers, exponent, base]) => numbers.map((number) => number * 10 ** exponent + base));

/** The text after the digits, and the number of decimals. */
function formOf(text: string, decimal: string): string {
  const [, digits = '', unit = ''] = /^-?([\d.,\u202f\u00a0 ]*\d)(.*)$/.exec(text) ?? [];
  const [, decimals = ''] = digits.split(decimal);
  return `${decimals.length} ${unit}`;
}

function decimalSign(tag: string): string {
  return (1.5).toLocaleString(tag).slice(1, 2);
}

describe('the numbers of any chart', () => {
  it('have one unit and one number of decimals for all values, and for all ticks', () => {
    fc.assert(
      fc.property(values, locale, fc.integer({ min: 2, max: 7 }), (numbers, tag, count) => {
        const formats = numberFormatsOf(tag);
        const { write } = notationOf(numbers, formats);
        const scale = valueScale(Math.min(...numbers), Math.max(...numbers), count, formats);
        for (const texts of [numbers.map(write), scale.ticks.map(({ text }) => text)]) {
          const forms = texts.filter((text) => text !== '0').map((text) => formOf(text, decimalSign(tag)));
          expect(new Set(forms).size, texts.join('; ')).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('have a unit only where no digit that differs is lost', () => {
    fc.assert(
      fc.property(values, (numbers) => {
        const { unit, write } = notationOf(numbers);
        const different = new Set(numbers.map((number) => Number(number.toPrecision(12))));
        if (unit > 1) expect(new Set(numbers.map(write)).size).toBe(different.size);
      }),
      { numRuns: 2000 },
    );
  });

  it('have at most eight ticks, each another number', () => {
    const end = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.tuple(end, end), fc.integer({ min: 2, max: 7 }), ([a, b], count) => {
        const texts = valueScale(Math.min(a, b), Math.max(a, b), count).ticks.map(({ text }) => text);

        expect(texts.length).toBeLessThanOrEqual(8);
        expect(new Set(texts).size).toBe(texts.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('are the same after a sum that leaves float noise', () => {
    const tenths = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(tenths, (parts) => {
        const sum = parts.reduce((total, part) => total + part / 10, 0);
        const exact = parts.reduce((total, part) => total + part, 0) / 10;
        const textsOf = (high: number): string[] => valueScale(0, high, 6).ticks.map(({ text }) => text);

        expect(textsOf(sum)).toEqual(textsOf(exact));
        expect(notationOf([sum, 0.5]).write(sum)).toBe(notationOf([exact, 0.5]).write(exact));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the percentages of any pie', () => {
  const shares = fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 })
    .filter((parts) => parts.some((part) => part > 0))
    .map((parts) => parts.map((part) => part / parts.reduce((sum, each) => sum + each, 0)));

  it('add up to 100, or to 99.9 beside shares below 0.1', () => {
    fc.assert(
      fc.property(shares, (parts) => {
        const texts = percentages(parts);
        const sum = texts
          .filter((text) => !text.startsWith('<'))
          .reduce((total, text) => total + Number(text.replace('%', '')), 0);

        expect(sum).toBeCloseTo(sum < 99.95 && texts.some((text) => text.startsWith('<')) ? 99.9 : 100, 6);
      }),
      { numRuns: 2000 },
    );
  });

  it('have one number of decimals, and are less than one step from the share', () => {
    fc.assert(
      fc.property(shares, (parts) => {
        const texts = percentages(parts);
        const read = texts.filter((text) => /^[\d.]+%$/.test(text) && text !== '0%');
        const decimals = new Set(read.map((text) => text.replace('%', '').split('.')[1]?.length ?? 0));
        const step = decimals.has(1) ? 0.1 : 1;

        expect(decimals.size).toBeLessThanOrEqual(1);
        texts.forEach((text, i) => {
          if (!text.startsWith('<'))
            expect(Math.abs(Number(text.replace('%', '')) - 100 * (parts[i] ?? 0))).toBeLessThanOrEqual(step);
        });
      }),
      { numRuns: 2000 },
    );
  });
});
