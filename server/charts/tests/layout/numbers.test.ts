import { describe, expect, it } from 'vitest';
import { chartFrom } from '../../src/request/chart.ts';
import { isKnownLocale, numberFormatsOf, valueFormatsOf } from '../../src/text/number-formats.ts';
import { axisNumbers, notationOf, shortNumber } from '../../src/text/numbers.ts';
import { percentages } from '../../src/layout/pie/slices.ts';
import { requestOf } from '../../gallery/cases.ts';
import { bar, line } from '../../gallery/charts.ts';
import { itHasWords, seriesOf, points } from './shapes.ts';

type Wishes = Partial<Parameters<typeof valueFormatsOf>[0]>;

const euros: Wishes = { format: 'currency', currency: 'EUR' };

describe('a number alone', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.1 + 0.2, '0.3'],
    [12_345, '12.3k'],
    [999_950, '1M'],
    [-2_746_984, '−2.75M'],
    [3.4e9, '3.4B'],
    [7.5e12, '7.5T'],
    [1e15, '1e15'],
    [1.7976931348623157e308, '1.8e308'],
    [0.00002, '2e-5'],
    [5e-324, '4.94e-324'],
  ])('%d is written as %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });

  it.each([
    ['en', ['1,234', '12.3k', '4.56M', '1.5e20', '−7']],
    ['de', ['1.234', '12.345', '4,56 Mio.', '1,5e20', '−7']],
    ['fr', ['1 234', '12,3 k', '4,56 M', '1,5e20', '−7']],
    ['ja', ['1,234', '12,345', '456万', '1.5e20', '−7']],
    ['hi', ['1,234', '12,345', '45.6 लाख', '1.5e20', '−7']],
    ['ar-EG', ['١٬٢٣٤', '١٢٬٣٤٥', '٤٬٥٦٠ ألف', '١٫٥e20', '−٧']],
  ])('is written in the language %s', (locale, texts) => {
    const formats = numberFormatsOf(locale);

    expect([1234, 12_345, 4_560_000, 1.5e20, -7].map((value) => shortNumber(value, formats))).toEqual(texts);
  });
});

describe('the numbers of an axis', () => {
  it.each<[string, number[], number, string[]]>([
    ['en', [-1, -0.5, 0, 0.5], 0.5, ['−1.0', '−0.5', '0', '0.5']],
    ['en', [0, 5000, 10_000], 5000, ['0', '5k', '10k']],
    ['en', [0, 500_000, 1_000_000], 500_000, ['0', '0.5M', '1.0M']],
    ['en', [0, 1e-7, 2e-7], 1e-7, ['0', '1e-7', '2e-7']],
    ['en', [1.7e15, 1.7001e15], 1e11, ['1.7e15', '1.7001e15']],
    ['de', [0, 500_000, 1_000_000], 500_000, ['0', '0,5 Mio.', '1,0 Mio.']],
  ])('are written with one unit: in %s, %j', (locale, numbers, step, texts) => {
    expect(axisNumbers(numbers, step, numberFormatsOf(locale))).toEqual(texts);
  });

  itHasWords({
    'have the unit of the values': [
      bar(seriesOf([12_000], [9500], [4000]), { values: 'always', y_min: 0 }),
      '12.0k | 10k',
    ],
    'have no unit next to full values': [bar(points(12_345, 9876), { y_min: 0 }), '12,345 | 10,000'],
    'have the format of the values': [
      { data: points(0.2, 0.55), format: 'percent', y_min: 0 },
      '20% | 55% | 40%',
    ],
    'are whole if all values are': [{ data: points(1, 2, 3), y_min: 0 }, '', '0.5'],
    'have the decimals they need': [line(points(0.2, 0.3), { decimals: 0 }), '0.20 | 0.30'],
  });
});

it.each<[string, Wishes, number[], string[]]>([
  ['one unit', {}, [709_037, 2_746_984, 2_102_650], ['0.71M', '2.75M', '2.10M']],
  ['the unit that all can have', {}, [80_000, 912_000], ['80k', '912k']],
  ['no unit that hides a difference', {}, [1_000_100, 1_000_200], ['1,000,100', '1,000,200']],
  ['no unit that hides a value', {}, [2_746_984, 12], ['2,746,984', '12']],
  ['a power of ten only where they need one', {}, [1e308, 5, 0], ['1e308', '5', '0']],
  ['no short units', { format: 'number' }, [2_500_000, 12], ['2,500,000', '12']],
  ['short units', { format: 'compact' }, [1234, 800], ['1.23k', '0.80k']],
  ['a short unit each', { format: 'compact' }, [2_746_984, 12], ['2.75M', '12']],
  ['percent signs', { format: 'percent' }, [0.25, -0.071], ['25.0%', '−7.1%']],
  ['euros', euros, [12.5, -3], ['€12.50', '−€3.00']],
  ['millions of euros', euros, [1.5e6, 2e6], ['€1.5M', '€2.0M']],
  ['yen', { format: 'currency', currency: 'JPY' }, [1200, 900], ['¥1,200', '¥900']],
  ['a unit', { unit: ' ms' }, [12, 0], ['12 ms', '0 ms']],
  ['a unit like a letter of pesos', { format: 'currency', currency: 'MXN', unit: 'M' }, [15], ['MX$15M']],
  ['no second percent sign', { format: 'percent', unit: ' %' }, [0.25, 0.5], ['25%', '50%']],
  ['decimals', { decimals: 2 }, [1_234_567, 3.14159], ['1,234,567.00', '3.14']],
  ['no decimals', { decimals: 0 }, [2.6, -0.2], ['3', '0']],
  ['euros in German', { locale: 'de', ...euros }, [-1234.5, 2], ['−1.234,50 €', '2,00 €']],
  ['percent signs in Turkish', { locale: 'tr', format: 'percent' }, [0.42, -0.1], ['%42', '−%10']],
  ['Japanese units', { locale: 'ja', format: 'compact' }, [4_560_000, 90_000], ['456万', '9万']],
])('the values of a chart have %s', (_what, wishes, values, texts) => {
  const formats = valueFormatsOf({ locale: 'en', ...wishes });

  expect(values.map(notationOf(values, formats).write)).toEqual(texts);
});

const noisy = [0.7 * 3, 2.1, 0.3 * 7].map((part) => part / 6.3);
const third = ['33.3%', '33.3%', '33.3%'];
it.each([
  ['more precise where a part would be 100%', 'en', [0.996, 0.004], ['99.6%', '0.4%']],
  ['equal for equal shares', 'en', [1 / 3, 1 / 3, 1 / 3], third],
  ['equal for shares with rounding errors', 'en', noisy, third],
  ['not 100% or 0% for other shares', 'en', [0.9999, 0.0001, 0], ['99.9%', '<0.1%', '0%']],
  ['in German', 'de', [0.42, 0.58], ['42 %', '58 %']],
  ['in Turkish', 'tr', [0.9999, 0.0001], ['%99,9', '<%0,1']],
])('percentages are %s', (_what, locale, shares, texts) => {
  expect(percentages(shares, numberFormatsOf(locale))).toEqual(texts);
});

it.each(['zz', 'de_DE', '', 'not a tag'])('a locale is unknown: %j', (locale) => {
  expect(isKnownLocale(locale)).toBe(false);
});

it('a locale keeps its numbering system', () => {
  const { numbers } = chartFrom(requestOf({ locale: 'ar-EG-u-nu-latn-x-a' }));

  expect(shortNumber(12, numbers)).toBe('12');
});
