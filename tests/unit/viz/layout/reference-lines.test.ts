import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../../server/src/viz/scene.ts';
import { points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

const target = { value: 15, label: 'Target' };

describe('a reference line', () => {
  const series = [{ name: 'A', data: points(5, 20) }];

  it.each<[string, Parameters<typeof sceneOf>[0]]>([
    ['bars', { data: points(5, 20) }],
    ['a line', { data: points(5, 20), chart_type: 'line' }],
    ['several lines', { series, chart_type: 'line' }],
    ['groups', { series }],
    ['stacks', { series, stacked: true }],
    ['stacked areas', { series, stacked: true, chart_type: 'line', area: true }],
  ])('crosses the plot of %s at its value, in dashes', (_what, request) => {
    const scene = sceneOf({ ...request, lines: [target] });
    const [line] = dashesOf(scene);

    expect(line?.points[1]).toBe(line?.points[3]);
    expect(Math.abs(heightOf(scene, '15') - (line?.points[1] ?? 0) - 4)).toBeLessThan(1);
    expect(wordsOf(scene)).toContain('Target');
  });

  it('is upright across horizontal bars', () => {
    const [line] = dashesOf(sceneOf({ data: points(10, 20), orientation: 'horizontal', lines: [target] }));

    expect(line?.points[0]).toBe(line?.points[2]);
  });

  it('is in the range of the axis', () => {
    for (const chart_type of ['bar', 'line'] as const) {
      const words = wordsOf(
        sceneOf({ chart_type, data: points(1, 2), lines: [{ value: 90 }, { value: -30 }] }),
      );

      expect(words.some((word) => Number(word) >= 90)).toBe(true);
      expect(words.some((word) => Number(word) <= -30)).toBe(true);
    }
  });

  it('is left out where the limits of the axis exclude it', () => {
    const scene = sceneOf({ chart_type: 'line', data: points(1, 2), y_max: 10, lines: [target] });

    expect(dashesOf(scene)).toEqual([]);
    expect(wordsOf(scene)).not.toContain('Target');
  });

  it('is interrupted by the values on its way', () => {
    const dashes = dashesOf(sceneOf({ data: points(10, 14.5, 20), lines: [target] }));

    expect(dashes).toHaveLength(2);
    expect(dashesOf(sceneOf({ data: points(10, 14.5, 20), lines: [target], values: 'never' }))).toHaveLength(
      1,
    );
  });

  it('has its label where it hides least, on a plate of the background where it hides something', () => {
    const free = sceneOf({ data: points(1, 20, 20, 20, 20, 20, 20, 20), lines: [target], values: 'never' });
    const plates = (scene: Scene): number =>
      shapesOf(scene, 'bars').filter(({ fill }) => fill.hex === '#fff8e7').length;

    expect(textsOf(free).find(({ text }) => text === 'Target')?.x).toBeLessThan(300);
    expect(plates(free)).toBe(0);
    expect(plates(sceneOf({ data: many(), lines: [target], background: '#fff8e7' }))).toBe(1);
  });

  it('is in the description', () => {
    const { description } = sceneOf({ data: points(10, 20), lines: [target, { value: 3 }], unit: ' kg' });

    expect(description).toBe('Bar chart. a: 10 kg; b: 20 kg. Target: 15 kg; 3 kg.');
  });
});

/** Bars without space between them for a label. */
function many(): { label: string; value: number }[] {
  return Array.from({ length: 60 }, () => ({ label: '', value: 20 }));
}

function dashesOf(scene: Scene): ReturnType<typeof shapesOf<'path'>> {
  return shapesOf(scene, 'path').filter(
    ({ dash = [], points: line }) => dash.length > 0 && line.length === 4,
  );
}

function heightOf(scene: Scene, tick: string): number {
  return textsOf(scene).find(({ text }) => text === tick)?.y ?? NaN;
}
