import { describe, expect, it } from 'vitest';
import { axisNumbers, percentage, shortNumber } from '../../../../server/src/viz/layout/numbers.ts';

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
    [5e-324, '4.94e-324'],
  ])('writes %d as %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
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

describe('percentage', () => {
  it.each([
    [1, '100%'],
    [0.9999, '99.9%'],
    [0.995, '99.5%'],
    [0.254, '25%'],
    [0.0421, '4.2%'],
    [0.04, '4%'],
    [0.0004, '<0.1%'],
    [0, '0%'],
  ])('writes %d as %s', (share, text) => {
    expect(percentage(share)).toBe(text);
  });
});
