import { createCanvas } from 'canvas';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { paintOnCanvas } from '../../src/paint/canvas.ts';
import { loadFonts } from '../../src/paint/font-files.ts';
import { paintPng } from '../../src/paint/png.ts';
import type { Scene, Shape } from '../../src/scene.ts';
import { points, sceneOf } from '../layout/shapes.ts';

const [width, height] = [120, 90];
const inner = Array.from({ length: (width - 4) * (height - 4) }, (_, i) => {
  return [2 + (i % (width - 4)), 2 + Math.floor(i / (width - 4))] as const;
});
const sceneWith = (shapes: readonly Shape[]): Scene => ({
  ...sceneOf({ width, height, data: points(1) }),
  shapes,
});

const color = fc
  .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 20, max: 100 }))
  .map(([bits, percent]) => ({ hex: `#${bits.toString(16).padStart(6, '0')}`, alpha: percent / 100 }));
const corner = fc.tuple(fc.integer({ min: 0, max: width }), fc.integer({ min: 0, max: height }));
const triangle = fc
  .tuple(color, corner, corner, corner)
  .map(([fill, ...corners]): Shape => ({ kind: 'area', fill, points: Float64Array.from(corners.flat()) }));

beforeAll(loadFonts);

describe('areas of a PNG', () => {
  it('have the colour that cairo blends, where translucent shapes overlap too', () => {
    fc.assert(
      fc.property(fc.array(triangle, { minLength: 2, maxLength: 5 }), (triangles) => {
        const scene = sceneWith(triangles);
        const expected = pixelsByCairo(scene);
        const { data } = PNG.sync.read(paintPng(scene)());

        const wrong = inner.filter(
          ([x, y]) => isFlat(expected, x, y) && at(data, x, y) !== at(expected, x, y),
        );
        expect(wrong.map(([x, y]) => [x, y, at(data, x, y), at(expected, x, y)])).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

function pixelsByCairo(scene: Scene): Uint8ClampedArray {
  const canvas = createCanvas(width, height).getContext('2d', { alpha: false });
  paintOnCanvas(canvas, scene);
  return canvas.getImageData(0, 0, width, height).data;
}

/** The colour of a pixel. */
function at(data: Uint8Array | Uint8ClampedArray, x: number, y: number): number {
  const place = 4 * (y * width + x);
  return ((data[place] ?? 0) << 16) | ((data[place + 1] ?? 0) << 8) | (data[place + 2] ?? 0);
}

/** Returns true if the neighbours of a pixel have its colour. */
function isFlat(data: Uint8ClampedArray, x: number, y: number): boolean {
  return [-2, -1, 0, 1, 2].every((dy) =>
    [-2, -1, 0, 1, 2].every((dx) => at(data, x + dx, y + dy) === at(data, x, y)),
  );
}
