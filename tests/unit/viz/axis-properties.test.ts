import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartFrom, errorsOfRequest } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import type { Scene, Shape } from '../../../server/src/viz/scene.ts';
import { requestOf } from '../../gallery/cases.ts';

const positive = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
const value = fc.oneof(fc.integer({ min: -1000, max: 1000 }), positive, fc.constantFrom(1e308, -1e308, 0));
const limit = fc.option(
  fc.oneof(fc.integer({ min: -1500, max: 1500 }), fc.constantFrom(-1e308, 1e308, 0.001)),
  {
    nil: undefined,
  },
);
const kinds = fc.constantFrom(
  { chart_type: 'bar' } as const,
  { chart_type: 'bar', orientation: 'horizontal' } as const,
  { chart_type: 'bar', stacked: true } as const,
  { chart_type: 'line' } as const,
  { chart_type: 'line', area: true } as const,
  { chart_type: 'line', area: true, stacked: true } as const,
);
const size = { width: fc.integer({ min: 300, max: 1600 }), height: fc.integer({ min: 200, max: 900 }) };
const columnsOf = (values: fc.Arbitrary<number>): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(values, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 3 });

function sceneOf(
  kind: object,
  columns: readonly (readonly number[])[],
  fields: Partial<Parameters<typeof requestOf>[0]>,
): Scene | undefined {
  const series = columns.map((values, i) => ({
    name: `Series ${i}`,
    data: values.map((each, j) => ({ label: `${j}`, value: each })),
  }));
  // Without values, the texts in the middle of a place are names of categories only.
  const request = requestOf({ ...kind, ...fields, series, values: 'never' });
  return errorsOfRequest(request).length === 0 ? layout(chartFrom(request)) : undefined;
}

describe('for any axis', () => {
  it('limits cut off all that is outside of the plot', () => {
    fc.assert(
      fc.property(
        fc.record({ kind: kinds, columns: columnsOf(value), y_min: limit, y_max: limit, ...size }),
        ({ kind, columns, y_min, y_max, width, height }) => {
          const limits = { ...(y_min !== undefined && { y_min }), ...(y_max !== undefined && { y_max }) };
          const scene = sceneOf(kind, columns, { ...limits, width, height });
          fc.pre(scene !== undefined);

          expect(marksOutside(scene)).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a logarithmic scale has between two and eight ticks, in order, and all marks between them', () => {
    fc.assert(
      fc.property(
        fc.record({ kind: kinds, columns: columnsOf(positive), ...size }),
        ({ kind, columns, width, height }) => {
          const scene = sceneOf(kind, columns, { width, height, y_scale: 'log' });
          fc.pre(scene !== undefined);
          const lines = gridOf(scene);

          expect(lines).toBeGreaterThanOrEqual(2);
          expect(lines).toBeLessThanOrEqual(8);
          expect(marksOutside(scene)).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

/** The number of grid lines, which are the first rules. */
function gridOf({ shapes }: Scene): number {
  const grid = shapes.find((shape) => shape.kind === 'rules');
  return grid?.lines.length ?? 0;
}

/** Coordinates of marks that reach the names of the categories or the edge of the picture. */
function marksOutside({ shapes, width, height }: Scene): number[] {
  const texts = shapes.filter((shape) => shape.kind === 'texts');
  const isHorizontal = shapes.some(
    (shape) => shape.kind === 'rules' && shape.lines.some(([x1, , x2]) => x1 === x2),
  );
  const names = texts.filter(({ anchor }) => anchor === (isHorizontal ? 'end' : 'middle'));
  const [from, to] = isHorizontal
    ? [Math.max(...names.flatMap((each) => each.texts.map(({ x }) => x))), width]
    : [0, Math.min(...names.flatMap(({ size, texts: some }) => some.map(({ y }) => y - size * 0.7)))];
  // Swatches of the legend are above the plot.
  return shapes
    .filter((shape) => shape.kind !== 'bars' || shape.bars.some(({ y }) => y > height * 0.25))
    .flatMap((shape) => valueCoordinates(shape, isHorizontal))
    .filter((at) => !(at >= from - 1 && at <= to + 1));
}

function valueCoordinates(shape: Shape, isHorizontal: boolean): number[] {
  switch (shape.kind) {
    case 'bars':
      return shape.bars.flatMap(({ x, y, width, height }) =>
        isHorizontal ? [x, x + width] : [y, y + height],
      );
    case 'path':
    case 'area':
      return [...shape.points].filter((_, i) => i % 2 === 1);
    case 'dots':
      return shape.centers.filter((_, i) => i % 2 === 1);
    default:
      return [];
  }
}
