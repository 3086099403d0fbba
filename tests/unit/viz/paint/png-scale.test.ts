import { createCanvas, loadImage } from 'canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import { cases } from '../../../gallery/cases.ts';
import { painted } from './painted.ts';

beforeAll(registerFonts);

describe('a PNG at scale 2', () => {
  it.each(['bar, months', 'line, months', 'line, 1,000', 'pie, sources', 'bar, dark', 'pie, transparent'])(
    'is the picture at scale 1 with twice the pixels: %s',
    async (name) => {
      const request = cases[name] ?? {};
      const { png } = painted(request);
      const large = await loadImage(painted({ ...request, scale: 2 }).bytes);
      const context = createCanvas(png.width, png.height).getContext('2d');
      context.drawImage(large, 0, 0, png.width, png.height);

      const { data } = context.getImageData(0, 0, png.width, png.height);
      const differences = png.data.map((byte, i) => Math.abs(byte - (data[i] ?? 0)));
      const different = differences.filter((each) => each > 100).length;
      expect([large.width, large.height]).toEqual([2 * png.width, 2 * png.height]);
      // Only edges that fall between two pixels differ much.
      expect(different / differences.length).toBeLessThan(0.01);
    },
  );
});
