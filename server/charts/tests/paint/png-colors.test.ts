import { createCanvas } from 'canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import { paintOnCanvas } from '../../src/paint/canvas.ts';
import { loadFonts } from '../../src/paint/font-files.ts';
import { cases } from '../../gallery/cases.ts';
import { numbered } from '../../gallery/series.ts';
import { drawn, points, sceneOf } from '../layout/shapes.ts';
import { painted, pixel, redAt, type Request } from './painted.ts';

beforeAll(loadFonts);

describe('the colours of a PNG', () => {
  it.each<[string, number, string[], string[]]>([
    ['any', 800, ['#123456', '#abcdef', 'rgb(9 99 199)'], ['#123456', '#abcdef', '#0963c7']],
    ['any, in an odd width', 801, ['#123456', '#abcdef'], ['#123456', '#abcdef']],
    ['hardly different ones', 800, ['#2f6fc4', '#2f6fc5'], ['#2f6fc4', '#2f6fc5']],
    ['translucent ones, which are blended with white', 800, ['rgb(0 0 0 / 50%)'], ['#7f7f7f']],
  ])('are those of the scene: %s', (_which, width, colors, expected) => {
    const request: Request = { width, data: points(...colors.map((_, i) => i + 1)), colors };
    const { png } = painted(request);
    const inBars = drawn('bars', request).map(({ bars: [bar] }) =>
      bar ? pixel(png, bar.x + bar.width / 2, bar.y + 5) : '',
    );

    expect(inBars).toEqual(expected);
    expect([pixel(png, 1, 1), pixel(png, width - 1, 599)]).toEqual(['#ffffff', '#ffffff']);
  });

  it.each<[string, Request]>([
    ['palette', cases['bar, months'] ?? {}],
    ['palette', { chart_type: 'line', data: points(1, 2, 3), colors: ['lavender'] }],
    [
      'full colour',
      {
        width: 2000,
        data: numbered(300, (i) => i + 1),
        colors: Array.from({ length: 300 }, (_, i) => `rgb(${i % 256} ${i >> 2} 99)`),
      },
    ],
  ])('are written as %s: %j', (type, request) => {
    expect({ 2: 'full colour', 3: 'palette', 6: 'full colour' }[painted(request).bytes[25] ?? 0]).toBe(type);
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
    const request: Request = { data: points(3, 3), colors: ['rgb(47 111 196 / 30%)'], values: 'never' };
    const [bar] = drawn('bars', request)[0]?.bars ?? [];
    const { png } = painted(request);

    const column = Array.from({ length: bar?.height ?? 0 }, (_, i) =>
      redAt(png, (bar?.x ?? 0) + 9, (bar?.y ?? 0) + i),
    );
    expect(Math.max(...column.slice(5, -5)) - Math.min(...column.slice(5, -5))).toBeGreaterThan(12);
  });
});
