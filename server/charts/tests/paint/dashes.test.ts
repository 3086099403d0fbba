import { beforeAll, describe, expect, it } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { paintPdf } from '../../src/paint/pdf.ts';
import { paintSvg } from '../../src/paint/svg.ts';
import { sceneOf, shapesOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';
import { painted, redAt, type Request } from './painted.ts';

/** Horizontal lines of 400 points, one above the other. */
function levels(count: number): Request {
  const series = Array.from({ length: count }, (_, i) => ({
    name: `Line ${i}`,
    data: Array.from({ length: 400 }, (_, at) => ({ label: `${at}`, value: i })),
  }));
  return { chart_type: 'line', series };
}

beforeAll(loadFonts);

describe('the lines of eight series', () => {
  it('are dashed in an SVG from the fifth on', () => {
    const paths = elementsOf(paintSvg(sceneOf(levels(8)))).filter(
      ({ attributes }) => attributes['stroke-linejoin'] === 'round',
    );

    expect(paths.map(({ attributes }) => 'stroke-dasharray' in attributes)).toEqual([
      ...Array<boolean>(4).fill(false),
      ...Array<boolean>(4).fill(true),
    ]);
    expect(new Set(paths.map(({ attributes }) => attributes['stroke-dasharray'])).size).toBe(5);
  });

  it('are dashed in a PNG without a seam between the parts of a long line', () => {
    const scene = sceneOf(levels(8));
    const { png } = painted(levels(8));
    const [first, , , , fifth] = shapesOf(scene, 'path');
    const runsOf = (line: typeof first): number[] => {
      const [y = 0, left = 0, right = 0] = [line?.points[1], line?.points[0], line?.points.at(-2)];
      const drawn = Array.from({ length: Math.floor(right - left) - 12 }, (_, i) =>
        redAt(png, Math.round(left) + 4 + i, Math.floor(y)) < 160 ? '1' : '0',
      ).join('');
      return drawn
        .split(/0+/)
        .map((run) => run.length)
        .slice(1, -1);
    };

    expect(runsOf(first)).toEqual([]);
    expect(runsOf(fifth).length).toBeGreaterThan(20);
    expect(Math.max(...runsOf(fifth)) - Math.min(...runsOf(fifth))).toBeLessThanOrEqual(2);
  });

  it('are dashed in a PDF, and the lines after them solid', () => {
    const dashes = paintPdf(sceneOf(levels(5)))()
      .toString('latin1')
      .match(/\[[\d. ]*\] 0\.? d/g);

    expect(dashes).toHaveLength(2);
    expect(dashes?.[1]).toMatch(/^\[\s*\]/);
  });
});
