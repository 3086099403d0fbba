import { createCanvas } from 'canvas';
import type { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { paintOnCanvas } from '../../../../server/src/viz/paint/canvas.ts';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf, shapesOf } from '../layout/shapes.ts';
import { painted, pixel, redAt, type Request } from './painted.ts';

beforeAll(registerFonts);

describe('the colours of a PNG', () => {
  it.each([800, 801])('has the colours of the scene exactly, %d pixels wide', (width) => {
    const request: Request = {
      width,
      data: points(1, 2, 3),
      colors: ['#123456', '#abcdef', 'rgb(9 99 199)'],
    };
    const { png } = painted(request);

    expect(middlesOfBars(request, png)).toEqual(['#123456', '#abcdef', '#0963c7']);
    expect([pixel(png, 1, 1), pixel(png, width - 1, 599)]).toEqual(['#ffffff', '#ffffff']);
  });

  it('blends translucent colours with white', () => {
    const request: Request = { data: points(3), colors: ['rgb(0 0 0 / 50%)'] };
    const [bar] = shapesOf(sceneOf(request), 'bars')[0]?.bars ?? [];

    expect(pixel(painted(request).png, (bar?.x ?? 0) + 5, (bar?.y ?? 0) + 10)).toBe('#7f7f7f');
  });

  it('keeps colours apart that hardly differ', () => {
    const request: Request = { data: points(1, 2), colors: ['#2f6fc4', '#2f6fc5'] };
    const { png } = painted(request);

    expect(middlesOfBars(request, png)).toEqual(['#2f6fc4', '#2f6fc5']);
  });

  it('uses a palette for charts and full colour for more colours than it holds', () => {
    const many = Array.from({ length: 300 }, (_, i) => `rgb(${i % 256} ${i >> 2} 99)`);
    const data = Array.from({ length: 300 }, (_, i) => ({ label: String(i), value: i + 1 }));

    expect(colorType(painted(cases['bar, months'] ?? {}).bytes)).toBe('palette');
    expect(colorType(painted({ width: 2000, data, colors: many }).bytes)).toBe('full colour');
  });

  it.each([8, 90, 135])('draws letters and edges as smooth as cairo does, with %d colours', (count) => {
    const colors = Array.from({ length: count }, (_, i) => `rgb(${(i * 37) % 256} ${(i * 91) % 256} ${i})`);
    const request: Request = { data: points(...colors.map((_, i) => 1 + (i % 9))), colors, title: 'Smooth' };
    const canvas = createCanvas(800, 600).getContext('2d', { alpha: false });
    paintOnCanvas(canvas, sceneOf(request));

    const { data } = canvas.getImageData(0, 0, 800, 600);
    const differences = painted(request).png.data.map((byte, i) => Math.abs(byte - (data[i] ?? 0)));
    expect(differences.reduce((most, each) => Math.max(most, each), 0)).toBeLessThan(40);
  });

  it('shows the grid through translucent bars', () => {
    const request: Request = { data: points(3, 3), colors: ['rgb(47 111 196 / 30%)'] };
    const [bar] = shapesOf(sceneOf(request), 'bars')[0]?.bars ?? [];
    const { png } = painted(request);

    const column = Array.from({ length: bar?.height ?? 0 }, (_, i) =>
      redAt(png, (bar?.x ?? 0) + 9, (bar?.y ?? 0) + i),
    );
    expect(Math.max(...column.slice(5, -5)) - Math.min(...column.slice(5, -5))).toBeGreaterThan(12);
  });

  it('paints a light line with its area by a palette', () => {
    expect(
      colorType(painted({ chart_type: 'line', data: points(1, 2, 3), colors: ['lavender'] }).bytes),
    ).toBe('palette');
  });
});

/** The colour in the middle of the first bar of each colour. */
function middlesOfBars(request: Request, png: PNG): string[] {
  return shapesOf(sceneOf(request), 'bars').map(({ bars: [bar] }) =>
    bar ? pixel(png, bar.x + bar.width / 2, bar.y + bar.height / 2) : '',
  );
}

function colorType(bytes: Buffer): string | undefined {
  return { 2: 'full colour', 3: 'palette', 6: 'full colour' }[bytes[25] ?? 0];
}
