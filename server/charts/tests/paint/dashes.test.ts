import { beforeAll, expect, it } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { paintPdf } from '../../src/paint/pdf.ts';
import { paintSvg } from '../../src/paint/svg.ts';
import { points, sceneOf, shapesOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';
import { painted, pixel } from './painted.ts';

beforeAll(loadFonts);

it('a reference line is dashed in an SVG, a PNG and a PDF, and the lines after it are solid', () => {
  const request = { data: points(10), lines: [{ value: 20 }] };
  const scene = sceneOf(request);
  const { png } = painted(request);
  const [left = 0, y = 0, right = 0] = shapesOf(scene, 'path')[0]?.points ?? [];
  const pixels = Array.from({ length: right - left }, (_, i) =>
    parseInt(pixel(png, left + i, Math.floor(y)).slice(1, 3), 16) < 160 ? '1' : '0',
  );
  const pdf = paintPdf(scene)().toString('latin1');
  const dashed = elementsOf(paintSvg(scene)).filter(({ attributes }) => 'stroke-dasharray' in attributes);

  expect(dashed).toHaveLength(1);
  expect(pixels.join('').split(/0+/).length).toBeGreaterThan(20);
  expect(pdf.match(/\[[\d. ]*\] 0\.? d/g)).toEqual([
    expect.stringMatching(/^\[\s*[\d.]/),
    expect.stringMatching(/^\[\s*\]/),
  ]);
});
