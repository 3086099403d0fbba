import { PNG } from 'pngjs';
import { paintPng } from '../../src/paint/png.ts';
import { area, bar, donut, horizontal, line, pie, size, stacked, transparent } from '../../gallery/charts.ts';
import type { Cases, Request } from '../../gallery/charts.ts';
import { paintedCases } from '../../gallery/cases.ts';
import { numbered, series, sources } from '../../gallery/series.ts';
import { points, sceneOf, seriesOf } from '../layout/shapes.ts';

/** The gallery, and combinations that it does not show. */
export const everyCase: Cases = {
  ...paintedCases,
  'pie, scale 3, transparent': pie(sources, { scale: 3, ...transparent }),
  'donut, Cyrillic, transparent': donut('Продажи', series(['Москва', 'Казань'], [12, 7]), transparent),
  'line, transparent auto': line(points(-2, 5, 3), { theme: 'auto', ...transparent }),
  'bar, Japanese': bar('人口', series(['東京', '大阪'], [14_100_000, 8_800_000]), { locale: 'ja' }),
  'no data, Russian': bar([], { locale: 'ru' }),
  'bar, long title': bar('A title that goes on and on, '.repeat(12), points(1, 2)),
  'bar, tiny values': bar(points(2e-7, 3.5e-7, 1e-7)),
  'line, ±1e300': line(points(-1e300, 5, 0, 1e300)),
  '16 × 16, line': line(points(1, 5, 3), size(16, 16)),
  '64 × 40, horizontal': horizontal(points(-3, 5), size(64, 40)),
  '4096 × 100, line': line('A ribbon', numbered(1000, Math.sin), size(4096, 100)),
  'area, stacked, one label': area(seriesOf([1], [2]), stacked),
  'area, gaps': area(seriesOf([1, null, 3, 4], [null, 2, null, 5])),
  'series, no points': bar([{ name: 'North', data: [] }]),
};

/** A picture as bytes, and decoded by a library. */
export function painted(request: Request): { bytes: Buffer; png: PNG } {
  const bytes = paintPng(sceneOf(request))();
  return { bytes, png: PNG.sync.read(bytes) };
}

/** The colour of a pixel, such as `#ffffff`. */
export function pixel({ data, width }: PNG, x: number, y: number): string {
  const start = (Math.round(y) * width + Math.round(x)) * 4;
  return `#${data.subarray(start, start + 3).toString('hex')}`;
}
