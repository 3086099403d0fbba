import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../../server/src/viz/scene.ts';
import { points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

describe('y_min and y_max', () => {
  it('are the ends of the axis', () => {
    const ticks = numbersOf(sceneOf({ chart_type: 'line', data: points(52, 61, 58), y_min: 50, y_max: 70 }));

    expect([ticks[0], ticks.at(-1)]).toEqual(['50', '70']);
  });

  it('leave the other end to the values', () => {
    expect(numbersOf(sceneOf({ data: points(52, 61), y_max: 100 }))).toContain('100');
    expect(numbersOf(sceneOf({ chart_type: 'line', data: points(52, 61), y_min: -20 }))).toContain('-20');
  });

  it('need not be round numbers', () => {
    const ticks = numbersOf(sceneOf({ chart_type: 'line', data: points(1, 9), y_min: 0.7, y_max: 9.3 }));

    expect(ticks).toEqual(
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'].filter((tick) => ticks.includes(tick)),
    );
    expect(ticks.length).toBeGreaterThan(2);
  });

  it('cut bars off, flat, with their values', () => {
    const scene = sceneOf({ data: points(5, 500), y_max: 10 });
    const [cut] = shapesOf(scene, 'bars')[0]?.bars.slice(1) ?? [];
    const top = Math.min(...shapesOf(scene, 'rules').flatMap(({ lines }) => lines.map(([, y = 0]) => y)));

    expect(cut?.rounded).toBe('none');
    expect(Math.abs((cut?.y ?? 0) - top)).toBeLessThanOrEqual(1);
    expect(wordsOf(scene)).toContain('500');
  });

  it('interrupt a line where it leaves the plot', () => {
    const scene = sceneOf({ chart_type: 'line', data: points(5, 500, 5, -500, 5), y_min: 0, y_max: 10 });

    expect(shapesOf(scene, 'path')).toHaveLength(3);
    expect(shapesOf(scene, 'dots')[0]?.centers).toHaveLength(6);
  });

  it('interrupt one of several lines, and their areas follow the edges', () => {
    const series = [
      { name: 'A', data: points(5, 500, 5) },
      { name: 'B', data: points(1, 2, 3) },
    ];
    const scene = sceneOf({ chart_type: 'line', area: true, series, y_max: 10 });
    const heights = shapesOf(scene, 'area').flatMap(({ points: line }) => yOf(line));

    expect(shapesOf(scene, 'path')).toHaveLength(3);
    expect(Math.min(...heights)).toBeGreaterThan(20);
  });

  it('draw an axis also where no value is inside them', () => {
    for (const limits of [{ y_min: 100 }, { y_max: -100 }, { y_min: 1e308 }])
      expect(
        numbersOf(sceneOf({ chart_type: 'line', data: points(1, 2), ...limits })).length,
      ).toBeGreaterThan(1);
  });
});

describe('y_scale: log', () => {
  it('has powers of ten at equal distances', () => {
    const scene = sceneOf({ chart_type: 'line', data: points(1, 30, 1e6), y_scale: 'log' });
    const heights = ['1', '10', '100', '1,000'].map((tick) => heightOf(scene, tick));
    const steps = heights.slice(1).map((height, i) => (heights[i] ?? 0) - height);

    expect(steps.every((step) => Math.abs(step - (steps[0] ?? 0)) < 0.01)).toBe(true);
    expect(numbersOf(scene)).toEqual(['1', '10', '100', '1,000', '10k', '100k', '1M']);
  });

  it('has 1, 2 and 5 between powers where there is room, and even steps in a small range', () => {
    expect(numbersOf(sceneOf({ chart_type: 'line', data: points(12, 90), y_scale: 'log' }))).toEqual([
      '10',
      '20',
      '50',
      '100',
    ]);
    expect(numbersOf(sceneOf({ chart_type: 'line', data: points(101, 128), y_scale: 'log' }))).toContain(
      '110',
    );
  });

  it('shows the lowest bar, from the lower end', () => {
    const scene = sceneOf({ data: points(1, 1000), y_scale: 'log' });
    const [low, high] = shapesOf(scene, 'bars')[0]?.bars ?? [];

    expect(low?.height).toBeGreaterThan(20);
    expect((low?.y ?? 0) + (low?.height ?? 0)).toBe((high?.y ?? 0) + (high?.height ?? 0));
  });

  it('draws the largest and the smallest numbers', () => {
    const data = points(5e-324, 1, Number.MAX_VALUE);
    for (const chart_type of ['bar', 'line'] as const) {
      const { shapes } = sceneOf({ chart_type, data, y_scale: 'log' });

      expect(JSON.stringify(shapes)).not.toContain('null');
    }
  });

  it('draws axes where no value is present', () => {
    const data = [{ label: 'a', value: null }];

    expect(numbersOf(sceneOf({ chart_type: 'line', data, y_scale: 'log' })).length).toBeGreaterThan(1);
  });
});

/** The ticks, from the bottom to the top. */
function numbersOf(scene: Scene): string[] {
  const [ticks] = shapesOf(scene, 'texts').filter(({ anchor }) => anchor === 'end');
  return ticks?.texts.map(({ text }) => text) ?? [];
}

function heightOf(scene: Scene, tick: string): number {
  return textsOf(scene).find(({ text }) => text === tick)?.y ?? NaN;
}

function yOf(line: Readonly<Float64Array>): number[] {
  return [...line].filter((_, i) => i % 2 === 1);
}
