import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import { paintPng } from '../../../../server/src/viz/paint/png.ts';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf, shapesOf } from '../layout/shapes.ts';

type Request = Parameters<typeof sceneOf>[0];

/** So many points that their line has no dots. */
const wave: Request = {
  chart_type: 'line',
  data: points(...Array.from({ length: 300 }, (_, i) => 50 + 40 * Math.sin(i / 9) + (i % 3))),
};

beforeAll(registerFonts);

describe('paintPng', () => {
  it.each([
    [16, 16],
    [800, 600],
    [4096, 17],
  ])('has the size that was asked for: %d by %d', (width, height) => {
    const { png } = painted({ width, height, data: points(1, 2) });

    expect([png.width, png.height]).toEqual([width, height]);
  });

  it('has the colours of the scene exactly', () => {
    const request: Request = { data: points(1, 2, 3), colors: ['#123456', '#abcdef', 'rgb(9 99 199)'] };
    const { png } = painted(request);

    expect(middlesOfBars(request, png)).toEqual(['#123456', '#abcdef', '#0963c7']);
    expect(pixel(png, 1, 1)).toBe('#ffffff');
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

  it('draws a line of many points through every one of them', () => {
    const { png } = painted(wave);
    const [line] = shapesOf(sceneOf(wave), 'path');

    for (const [x, y] of pairs(line?.points ?? [])) expect(redAt(png, x, y)).toBeLessThan(128);
  });

  it('draws a translucent line of many points evenly', () => {
    const { png } = painted({ ...wave, colors: ['rgb(0 0 0 / 50%)'] });
    const [line] = shapesOf(sceneOf(wave), 'path');

    for (const [x, y] of pairs(line?.points ?? [])) expect(redAt(png, x, y)).toBeGreaterThan(0x5f);
  });

  it('uses a palette for charts and full colour for more colours than it holds', () => {
    const many = Array.from({ length: 300 }, (_, i) => `rgb(${i % 256} ${i >> 2} 99)`);
    const data = Array.from({ length: 300 }, (_, i) => ({ label: String(i), value: i + 1 }));

    expect(colorType(painted(cases['bar, months'] ?? {}).bytes)).toBe('palette');
    expect(colorType(painted({ width: 2000, data, colors: many }).bytes)).toBe('full colour');
  });

  it('paints large pictures in bands without a seam', () => {
    const request: Request = { width: 1000, height: 2600, data: points(1, 5, 3), title: 'Bands' };
    const { png } = painted(request);
    const [bar] = shapesOf(sceneOf(request), 'bars')[0]?.bars.slice(1) ?? [];

    const column = Array.from({ length: 900 }, (_, i) => pixel(png, (bar?.x ?? 0) + 40, 1550 + i));
    expect(new Set(column)).toEqual(new Set(['#2f6fc4']));
  });

  it('paints a line of many points in bands without a seam', () => {
    const slope = Array.from({ length: 300 }, (_, i) => 300 - i);
    const { png } = painted({ chart_type: 'line', width: 4000, height: 600, data: points(...slope) });

    const starts = Array.from({ length: 40 }, (_, i) => firstInk(png, 480 + i));
    const steps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(2);
  });

  it('draws letters, not boxes: I and W differ', () => {
    const narrow = painted({ data: [{ label: 'IIIII', value: 1 }] });
    const wide = painted({ data: [{ label: 'WWWWW', value: 1 }] });

    expect(ink(wide.png, 565, 600)).toBeGreaterThan(ink(narrow.png, 565, 600) * 2);
  });

  it('gives the same bytes for the same request, whatever was painted between', () => {
    const first = painted(cases['pie, sources'] ?? {}).bytes;
    painted(cases['line, negative'] ?? {});

    expect(painted(cases['pie, sources'] ?? {}).bytes.equals(first)).toBe(true);
  });

  it.each(['bar, months', 'line, months', 'pie, sources'])(
    'is at most half as large as the same picture in full colour: %s',
    (name) => {
      const { bytes, png } = painted(cases[name] ?? {});

      expect(bytes.length).toBeLessThanOrEqual(PNG.sync.write(png).length / 2);
    },
  );

  it('stays small with hundreds of bars of different heights', () => {
    const heights = Array.from({ length: 500 }, (_, i) => 1 + ((i * 7919) % 997));

    expect(painted({ data: points(...heights) }).bytes.length).toBeLessThan(12_000);
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

  it.each(Object.keys(cases))('is a valid PNG: %s', (name) => {
    expect(painted(cases[name] ?? {}).png.data.length).toBeGreaterThan(0);
  });
});

function painted(request: Request): { bytes: Buffer; png: PNG } {
  const bytes = paintPng(sceneOf(request))();
  return { bytes, png: PNG.sync.read(bytes) };
}

/** The colour in the middle of the first bar of each colour. */
function middlesOfBars(request: Request, png: PNG): string[] {
  return shapesOf(sceneOf(request), 'bars').map(({ bars: [bar] }) =>
    bar ? pixel(png, bar.x + bar.width / 2, bar.y + bar.height / 2) : '',
  );
}

function pixel({ data, width }: PNG, x: number, y: number): string {
  const start = (Math.round(y) * width + Math.round(x)) * 4;
  return `#${data.subarray(start, start + 3).toString('hex')}`;
}

/** The place of each point, in the pixel where it lies. */
function pairs(points: readonly number[]): [x: number, y: number][] {
  return points.flatMap((x, i) => (i % 2 === 0 ? [[Math.floor(x), Math.floor(points[i + 1] ?? 0)]] : []));
}

function redAt({ data, width }: PNG, x: number, y: number): number {
  return data[(y * width + x) * 4] ?? 0;
}

/** How many pixels of the rows are not white. */
function ink({ data, width }: PNG, top: number, bottom: number): number {
  let count = 0;
  for (let i = top * width * 4; i < bottom * width * 4; i += 4) if ((data[i] ?? 255) < 200) count++;
  return count;
}

/** Where the line begins in a row, right of the numbers of the axis. */
function firstInk(png: PNG, row: number): number {
  let x = 100;
  while (x < png.width && redAt(png, x, row) >= 200) x++;
  return x;
}

function colorType(bytes: Buffer): string | undefined {
  return { 2: 'full colour', 3: 'palette', 6: 'full colour' }[bytes[25] ?? 0];
}
