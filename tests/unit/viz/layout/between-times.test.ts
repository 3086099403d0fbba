import { describe, expect, it } from 'vitest';
import { sceneOf, shapesOf } from './shapes.ts';

describe('an area over times', () => {
  it('is stacked on the lines between the points of the other series', () => {
    const series = [
      {
        name: 'a',
        data: [
          { label: '2026-01-01', value: 10 },
          { label: '2026-01-05', value: 30 },
        ],
      },
      {
        name: 'b',
        data: [
          { label: '2026-01-02', value: 5 },
          { label: '2026-01-05', value: 5 },
        ],
      },
    ];
    const aligned = [
      { name: 'a', data: [...(series[0]?.data ?? []), { label: '2026-01-02', value: 15 }] },
      ...series.slice(1),
    ];
    const shapes = (list: typeof series): unknown =>
      shapesOf(sceneOf({ chart_type: 'line', area: true, stacked: true, series: list }), 'area');

    expect(shapes(series)).toEqual(shapes(aligned));
  });

  it('is not stacked beyond the largest number between points', () => {
    const [large, small] = [1.5e308, 1];
    const labels = ['2026-01-01', '2026-01-02', '2026-01-03'];
    const series = [
      {
        name: 'a',
        data: [
          { label: labels[0] ?? '', value: large },
          { label: labels[2] ?? '', value: small },
        ],
      },
      {
        name: 'b',
        data: [
          { label: labels[1] ?? '', value: large },
          { label: labels[2] ?? '', value: small },
        ],
      },
    ];
    const areas = shapesOf(sceneOf({ chart_type: 'line', area: true, stacked: true, series }), 'area');

    for (const { points } of areas) expect([...points].every(Number.isFinite)).toBe(true);
  });
});
