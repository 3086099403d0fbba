import { describe, expect, it } from 'vitest';
import { barExtent, lineExtent, type Extremes } from '../../../../server/src/viz/layout/extent.ts';
import { shareAt, valueScale } from '../../../../server/src/viz/layout/value-scale.ts';

describe('valueScale', () => {
  it('widens the range to round numbers and places values between them', () => {
    const scale = valueScale(0, 6372, 7);

    expect(scale.ticks.map(({ text }) => text)).toEqual([
      '0',
      '1,000',
      '2,000',
      '3,000',
      '4,000',
      '5,000',
      '6,000',
      '7,000',
    ]);
    expect([shareAt(scale, 0), shareAt(scale, 3500), shareAt(scale, 7000)]).toEqual([0, 0.5, 1]);
  });

  it.each([
    [0, 0, ['0', '0.5', '1.0']],
    [5, 5, ['0', '2', '4', '6']],
    [-5, -5, ['-6', '-4', '-2', '0']],
  ])('has a range even when all values are %d', (low, high, texts) => {
    expect(valueScale(low, high, 3).ticks.map(({ text }) => text)).toEqual(texts);
  });

  it.each([
    [-1.7976931348623157e308, 1.7976931348623157e308],
    [5e-324, 2e-323],
    [0, 1e308],
    [-1e-300, 1e308],
  ])('keeps %d to %d inside the plot', (low, high) => {
    const scale = valueScale(low, high, 5);

    expect(shareAt(scale, low)).toBeGreaterThanOrEqual(0);
    expect(shareAt(scale, high)).toBeLessThanOrEqual(1);
    expect(shareAt(scale, high)).toBeGreaterThan(shareAt(scale, low));
  });

  it.each([1e302, 2e302, 1e306, 1e-302])('ends at %d where that is a round number', (high) => {
    expect(shareAt(valueScale(0, high, 2), high)).toBeCloseTo(1, 12);
  });

  it('puts 5 on the zero line beside 1e308', () => {
    const scale = valueScale(-1e308, 1e308, 5);

    expect(shareAt(scale, 5)).toBe(0.5);
    expect(scale.showsZero).toBe(true);
  });
});

describe('barExtent', () => {
  it('always includes zero', () => {
    expect(barExtent(of(3, 9))).toEqual([0, 9]);
    expect(barExtent(of(-3, -9))).toEqual([-9, 0]);
  });
});

describe('lineExtent', () => {
  it('includes zero when the values come near it', () => {
    expect(lineExtent(of(30, 100))).toEqual([0, 100]);
    expect(lineExtent(of(-100, -30))).toEqual([-100, 0]);
  });

  it('shows the change of values far from zero', () => {
    expect(lineExtent(of(1004, 1016))).toEqual([1004, 1016]);
  });
});

function of(...values: number[]): Extremes {
  return {
    lowest: { label: '', value: Math.min(...values) },
    highest: { label: '', value: Math.max(...values) },
  };
}
