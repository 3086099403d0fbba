import { createCanvas } from 'canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { forAny } from '../for-any.ts';
import { paintOnCanvas } from '../../src/paint/canvas.ts';
import { loadFonts } from '../../src/paint/font-files.ts';
import { cases } from '../../gallery/cases.ts';
import type { Request } from '../../gallery/charts.ts';
import { numbered } from '../../gallery/series.ts';
import { drawn, points, sceneOf } from '../layout/shapes.ts';
import { painted, pixel } from './painted.ts';
import { paintPng } from '../../src/paint/png.ts';
import type { Scene, Shape } from '../../src/scene.ts';

beforeAll(loadFonts);

describe('the colours of a PNG', () => {
  it.each<[string, number, string[], string[]]>([
    ['any', 800, ['#123456', '#abcdef', 'rgb(9 99 199)'], ['#123456', '#abcdef', '#0963c7']],
    ['any, in an odd width', 801, ['#123456', '#abcdef'], ['#123456', '#abcdef']],
    ['hardly different ones', 800, ['#2f6fc4', '#2f6fc5'], ['#2f6fc4', '#2f6fc5']],
    ['translucent ones, which are blended with white', 800, ['rgb(0 0 0 / 50%)'], ['#808080']],
  ])('are those of the scene: %s', (_which, width, colors, expected) => {
    const request: Request = { width, data: points(...colors.map((_, i) => i + 1)), colors };
    const { png } = painted(request);
    const inBars = drawn('bars', request).map(({ bars: [bar] }) =>
      bar ? pixel(png, bar.x + bar.width / 2, bar.y + 5) : '',
    );

    expect(inBars).toEqual(expected);
    expect([pixel(png, 1, 1), pixel(png, width - 1, 599)]).toEqual(['#ffffff', '#ffffff']);
  });

  it.each<[string, string, Request]>([
    ['palette', 'bars', cases['bar, months'] ?? {}],
    ['palette', 'a pale line', { chart_type: 'line', data: points(1, 2, 3), colors: ['lavender'] }],
    [
      'full colour',
      '300 colours',
      {
        width: 2000,
        data: numbered(300, (i) => i + 1),
        colors: Array.from({ length: 300 }, (_, i) => `rgb(${i % 256} ${i >> 2} 99)`),
      },
    ],
  ])('are written as %s: %s', (type, _what, request) => {
    expect({ 2: 'full colour', 3: 'palette', 6: 'full colour' }[painted(request).bytes[25] ?? 0]).toBe(type);
  });

  const falling = numbered(300, (i) => 300 - i);
  const colored = (count: number): Request => {
    const colors = Array.from({ length: count }, (_, i) => `rgb(${(i * 37) % 256} ${(i * 91) % 256} ${i})`);
    return { data: points(...colors.map((_, i) => 1 + (i % 9))), colors, title: 'Smooth' };
  };

  it.each<[string, Request]>([
    ['with 8 colours', colored(8)],
    ['with 90 colours', colored(90)],
    ['with 135 colours', colored(135)],
    ['in several bands', { width: 1000, height: 2600, data: points(1, 5, 3), title: 'Bands' }],
    ['in several bands, with a long line', { chart_type: 'line', width: 4000, data: falling, y_min: -40 }],
  ])('are close to those of cairo, which draws the picture as a whole: %s', (_how, request) => {
    const scene = sceneOf(request);
    const { data } = painted(request).png;
    const expected = pixelsByCairo(scene);
    const most = data.reduce((max, byte, i) => Math.max(max, Math.abs(byte - (expected[i] ?? 0))), 0);

    expect(most).toBeLessThan(40);
  });
});

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

it('areas of a PNG have the colours that cairo blends, even where translucent shapes overlap', () => {
  forAny(30, [fc.array(triangle, { minLength: 2, maxLength: 5 })], (triangles) => {
    const scene = sceneWith(triangles);
    const expected = pixelsByCairo(scene);
    const { data } = PNG.sync.read(paintPng(scene)());

    const wrong = inner.filter(([x, y]) => isFlat(expected, x, y) && at(data, x, y) !== at(expected, x, y));
    expect(wrong.map(([x, y]) => [x, y, at(data, x, y), at(expected, x, y)])).toEqual([]);
  });
});

function pixelsByCairo(scene: Scene): Uint8ClampedArray {
  const canvas = createCanvas(scene.width, scene.height).getContext('2d', { alpha: false });
  paintOnCanvas(canvas, scene);
  return canvas.getImageData(0, 0, scene.width, scene.height).data;
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
