import { describe, expect, it } from 'vitest';
import { decimated } from '../../../../server/src/viz/layout/polylines.ts';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

describe('a line chart', () => {
  it('goes from point to point', () => {
    const [line] = shapesOf(sceneOf({ chart_type: 'line', data: points(0, 10, 5) }), 'path');

    expect([...(line?.points.map(Math.round) ?? [])]).toEqual([82, 560, 412, 29, 742, 295]);
  });

  it('has dots while they can be told apart', () => {
    const few = sceneOf({ chart_type: 'line', data: points(1, 2, 3) });
    const many = sceneOf(cases['line, 1,000'] ?? {});

    expect(shapesOf(few, 'dots')[0]?.centers).toHaveLength(6);
    expect(shapesOf(many, 'dots')).toEqual([]);
    expect(many.shapes.at(-1)?.kind).toBe('path');
  });

  it('shows one point as a dot in the middle', () => {
    const scene = sceneOf(cases['line, one point'] ?? {});
    const [dot] = shapesOf(scene, 'dots');

    expect(shapesOf(scene, 'path')).toEqual([]);
    expect(dot?.centers[0]).toBeGreaterThan(380);
    expect(dot?.centers[0]).toBeLessThan(440);
  });

  it('fills the area to zero, but not when zero is out of sight', () => {
    expect(shapesOf(sceneOf({ chart_type: 'line', data: points(1, 9) }), 'area')).toHaveLength(1);
    expect(shapesOf(sceneOf({ chart_type: 'line', data: points(1004, 1016) }), 'area')).toEqual([]);
  });

  it('lets the page behind a translucent background show through the area', () => {
    const request = { chart_type: 'line', data: points(1, 9), background: 'transparent' } as const;
    const [line, area] = [shapesOf(sceneOf(request), 'path')[0], shapesOf(sceneOf(request), 'area')[0]];

    expect(area?.fill).toEqual({ hex: line?.stroke.hex, alpha: 0.12 });
  });

  it('names only some of the points of a long series, at round steps', () => {
    const names = wordsOf(sceneOf(cases['line, 1,000'] ?? {})).filter((word) => word.startsWith('Item'));

    expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `Item ${i * 100 + 1}`));
  });

  it('draws ten thousand points with at most four a pixel', () => {
    const [line] = shapesOf(sceneOf(cases['line, 10,000'] ?? {}), 'path');

    expect((line?.points.length ?? 0) / 2).toBeLessThan(800 * 4);
  });
});

describe('decimated', () => {
  it('leaves lines alone that are not much longer than the plot is wide', () => {
    const line = Float64Array.of(0, 1, 0.5, 2, 1, 3);

    expect(decimated(line, 0, 2)).toBe(line);
  });

  it('keeps the first, lowest, highest and last point of each pixel column, in order', () => {
    const line = Float64Array.of(0.1, 5, 0.2, 9, 0.3, 1, 0.4, 6, 0.5, 5, 1.1, 7, 1.2, 7);

    expect([...decimated(line, 0, 2)]).toEqual([0.1, 5, 0.2, 9, 0.3, 1, 0.5, 5, 1.1, 7, 1.2, 7]);
  });
});
