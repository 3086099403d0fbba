import { describe, expect, it } from 'vitest';
import type { Coordinates } from '../../../../server/src/viz/scene.ts';
import { paintSvg } from '../../../../server/src/viz/paint/svg.ts';
import { elementsOf } from '../svg.ts';
import { points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

const area = { chart_type: 'line', area: true } as const;
const series = [
  { name: 'A', data: points(10, 20, 5) },
  { name: 'B', data: points(30, 0, 40) },
];

describe('an area', () => {
  it('reaches from the line to zero, however far the values are from it', () => {
    const scene = sceneOf({ ...area, data: points(1004, 1016) });
    const [filled] = shapesOf(scene, 'area');
    const [line] = shapesOf(scene, 'path');

    expect(wordsOf(scene)).toContain('0');
    expect([...(filled?.points.subarray(2, -2) ?? [])]).toEqual([...(line?.points ?? [])]);
    expect(bottomOf(filled?.points)).toBeGreaterThan(bottomOf(line?.points) + 300);
  });

  it('lets the areas behind it shine through', () => {
    const areas = shapesOf(sceneOf({ ...area, series }), 'area');

    expect(areas.map(({ fill }) => fill.alpha)).toEqual([0.3, 0.3]);
  });

  it('is interrupted where its line is', () => {
    const gap = [{ name: 'A', data: points(1, 2, 3, 4, 5).filter(({ label }) => label !== 'c') }];
    const both = [{ name: 'B', data: points(1, 1, 1, 1, 1) }, ...gap];

    expect(shapesOf(sceneOf({ ...area, series: both }), 'area')).toHaveLength(3);
  });

  it('is called an area chart', () => {
    const [svg, description] = elementsOf(paintSvg(sceneOf({ ...area, series })));

    expect([svg?.attributes['aria-label'], description?.text]).toEqual([
      'Area chart',
      'Area chart of 2 series. A: a: 10; b: 20; c: 5. B: a: 30; b: 0; c: 40.',
    ]);
  });
});

describe('stacked areas', () => {
  it('share their edges, in the order of the series', () => {
    const [a, b] = shapesOf(sceneOf({ ...area, series, stacked: true }), 'area');
    const upper = (a?.points.length ?? 0) / 2;

    expect([...(b?.points.subarray(0, upper) ?? [])]).toEqual(reversed(a?.points.subarray(upper)));
  });

  it('are as high as the stacked bars of the same series', () => {
    const top = (kind: 'area' | 'bars', fields: object): number =>
      Math.min(
        ...shapesOf(sceneOf({ series, stacked: true, ...fields }), kind).flatMap((shape) =>
          shape.kind === 'area'
            ? [...shape.points].filter((_, i) => i % 2 === 1)
            : shape.bars.filter(({ height }) => height > 30).map(({ y }) => y),
        ),
      );

    expect(top('area', area)).toBeCloseTo(top('bars', {}), 0);
  });

  it('go down from zero where values are negative', () => {
    const signed = [
      { name: 'In', data: points(10, 10) },
      { name: 'Out', data: points(-5, -5) },
    ];
    const [up, down] = shapesOf(sceneOf({ ...area, series: signed, stacked: true }), 'area');

    expect(topOf(down?.points)).toBe(bottomOf(up?.points));
  });

  it('are bars if there is one label only', () => {
    const one = series.map(({ name, data }) => ({ name, data: data.slice(0, 1) }));

    expect(shapesOf(sceneOf({ ...area, series: one, stacked: true }), 'bars').length).toBe(4);
  });
});

function bottomOf(points: Coordinates = new Float64Array()): number {
  return Math.max(...points.filter((_, i) => i % 2 === 1));
}

function topOf(points: Coordinates = new Float64Array()): number {
  return Math.min(...points.filter((_, i) => i % 2 === 1));
}

/** The points x, y, x, y, … from the last to the first. */
function reversed(points: Coordinates = new Float64Array()): number[] {
  return Array.from({ length: points.length / 2 }, (_, i) => [
    ...points.subarray(points.length - 2 * i - 2, points.length - 2 * i),
  ]).flat();
}
