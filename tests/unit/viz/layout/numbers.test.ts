import { describe, expect, it } from 'vitest';
import {
  axisNumbers,
  fullNumber,
  notationOf,
  shortNumber,
} from '../../../../server/src/viz/layout/numbers.ts';
import { valueFormatsOf } from '../../../../server/src/viz/layout/value-formats.ts';
import { percentages } from '../../../../server/src/viz/layout/percentages.ts';
import { points, sceneOf, wordsOf } from './shapes.ts';

describe('shortNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [7, '7'],
    [-4.5, '-4.5'],
    [0.1 + 0.2, '0.3'],
    [1234, '1,234'],
    [9999.6, '10,000'],
    [12_345, '12.3k'],
    [999_950, '1M'],
    [-2_746_984, '-2.75M'],
    [3.4e9, '3.4B'],
    [7.5e12, '7.5T'],
    [1e15, '1e15'],
    [1.7976931348623157e308, '1.8e308'],
    [0.00002, '2e-5'],
    [5e-324, '5e-324'],
  ])('writes %d as %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe('fullNumber', () => {
  it.each(['en', 'de'])('writes no digits of the binary number, in %s', (locale) => {
    const formats = valueFormatsOf({ locale, format: 'number', decimals: 10 });

    expect(fullNumber(12_345_678_901.2, formats)).toMatch(/^12.345.678.901.2000000000$/);
    expect(fullNumber(99_999_999_999_900, formats)).toMatch(/^99.999.999.999.900.0000000000$/);
  });
});

describe('axisNumbers', () => {
  it.each([
    [[0, 2, 4], 2, ['0', '2', '4']],
    [[-1, -0.5, 0, 0.5], 0.5, ['-1.0', '-0.5', '0', '0.5']],
    [[0, 2000, 4000], 2000, ['0', '2,000', '4,000']],
    [[0, 5000, 10_000], 5000, ['0', '5k', '10k']],
    [[0, 500_000, 1_000_000], 500_000, ['0', '0.5M', '1.0M']],
    [[0, 1e-7, 2e-7], 1e-7, ['0', '1e-7', '2e-7']],
  ])('writes %j alike', (numbers, step, texts) => {
    expect(axisNumbers(numbers, step, 0)).toEqual(texts);
  });

  it('counts in powers of ten beyond what numbers can hold', () => {
    expect(axisNumbers([0, 1e8, 2e8], 1e8, 300)).toEqual(['0', '1e308', '2e308']);
  });
});

describe('the values of a chart', () => {
  it.each([
    ['one number of decimals', [1200, 2.5], ['1,200.0', '2.5']],
    ['no digits of float noise', [0.1 + 0.2, 0.7], ['0.3', '0.7']],
    ['one unit', [709_037, 2_746_984, 2_102_650], ['0.71M', '2.75M', '2.10M']],
    ['the unit that all can have', [80_000, 912_000], ['80k', '912k']],
    ['no unit that hides a difference', [1_000_100, 1_000_200], ['1,000,100', '1,000,200']],
    ['no unit that hides a value', [2_746_984, 12], ['2,746,984', '12']],
    ['no unit that saves nothing', [12_345, 9876], ['12,345', '9,876']],
    ['the digits in which they differ', [1000.1, 1000.4], ['1,000.1', '1,000.4']],
    ['one power of ten', [2e-7, 3.5e-7], ['2.0e-7', '3.5e-7']],
    ['a power of ten each where they are too far apart', [1e308, 5, 0], ['1e308', '5', '0']],
  ])('have %s', (_what, values, texts) => {
    expect(values.map(notationOf(values).write)).toEqual(texts);
  });

  it('give the ticks beside them their unit', () => {
    const full = wordsOf(sceneOf({ data: points(12_345, 9876, 4001) }));
    const short = wordsOf(sceneOf({ data: points(12_000, 9500, 4000) }));

    expect(full).toEqual(expect.arrayContaining(['12,345', '14,000']));
    expect(short).toEqual(expect.arrayContaining(['12.0k', '10k']));
  });
});

describe('percentages', () => {
  it.each([
    ['alone', [1], ['100%']],
    ['whole', [7 / 19, 12 / 19], ['37%', '63%']],
    ['with a decimal where a part would be the whole', [0.996, 0.004], ['99.6%', '0.4%']],
    [
      'with a decimal where different shares would look equal',
      [0.116, 0.124, 0.76],
      ['11.6%', '12.4%', '76.0%'],
    ],
    ['with a decimal where whole ones would not add up', [1 / 3, 1 / 3, 1 / 3], ['33.4%', '33.3%', '33.3%']],
    ['that no number shows', [0.9999, 0.0001, 0], ['99.9%', '<0.1%', '0%']],
  ])('are %s', (_what, shares, texts) => {
    expect(percentages(shares)).toEqual(texts);
  });
});
