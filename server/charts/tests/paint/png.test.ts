import { createCanvas, loadImage } from 'canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { cases, casesOfKinds, requestOf } from '../../gallery/cases.ts';
import type { Request } from '../../gallery/charts.ts';
import { points } from '../layout/shapes.ts';
import { everyCase, painted } from './painted.ts';

beforeAll(loadFonts);

describe('paintPng', () => {
  it.each(['white', 'transparent'])('declares 96 pixels per inch, times its scale: %s', (background) => {
    for (const scale of [1, 2, 3]) {
      const { bytes } = painted({ data: points(1), background, scale });
      expect(bytes.readUInt32BE(bytes.indexOf('pHYs') + 4)).toBe(Math.round((96 * scale) / 0.0254));
    }
  });

  it.each([...Object.keys(casesOfKinds), 'line, 1,000', 'bar, dark', 'pie, transparent'])(
    'shows at scale 2 what it shows at scale 1, with twice the pixels a side: %s',
    async (name) => {
      const request = cases[name] ?? {};
      const { png } = painted(request);
      const large = await loadImage(painted({ ...request, scale: 2 }).bytes);
      const context = createCanvas(png.width, png.height).getContext('2d');
      context.drawImage(large, 0, 0, png.width, png.height);

      const { data } = context.getImageData(0, 0, png.width, png.height);
      const different = png.data.filter((byte, i) => Math.abs(byte - (data[i] ?? 0)) > 100).length;
      expect([large.width, large.height]).toEqual([2 * png.width, 2 * png.height]);
      // Only pixels at edges differ much.
      expect(different / png.data.length).toBeLessThan(0.01);
    },
  );

  it.each<[string, Request]>([
    ['months', cases['bar, months'] ?? {}],
    ['a line of many points, 801 pixels wide', { ...cases['line, 1,000'], width: 801 }],
    ['noise, which takes several blocks and bands', { ...cases['line, 10,000'], width: 4093, height: 1501 }],
  ])('decodes to the same pixels with libpng: %s', async (_, request) => {
    const { bytes, png } = painted(request);
    const canvas = createCanvas(png.width, png.height).getContext('2d');
    canvas.drawImage(await loadImage(bytes), 0, 0);

    const { data } = canvas.getImageData(0, 0, png.width, png.height);
    expect(png.data.equals(new Uint8Array(data.buffer))).toBe(true);
  });

  // Leaves out the largest pictures, which take seconds to decode. Smaller ones are also painted in bands.
  it.each(Object.keys(everyCase).filter((name) => !name.startsWith('4096 × 4096')))(
    'is a valid PNG of the requested size: %s',
    (name) => {
      const request = requestOf(everyCase[name] ?? {});
      const { png } = painted(request);

      expect([png.width, png.height]).toEqual([
        request.width * request.scale,
        request.height * request.scale,
      ]);
    },
  );
});
