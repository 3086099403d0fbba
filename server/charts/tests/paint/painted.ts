import { PNG } from 'pngjs';
import { paintPng } from '../../src/paint/png.ts';
import { sceneOf } from '../layout/shapes.ts';

export type Request = Parameters<typeof sceneOf>[0];

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

/** The red part of a pixel, from 0 to 255. */
export function redAt({ data, width }: PNG, x: number, y: number): number {
  return data[(y * width + x) * 4] ?? 0;
}
