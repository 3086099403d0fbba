import { Canvas } from 'canvas';
import { channelsOf, over, white, type Color } from '../color.ts';
import { ink } from '../palette.ts';
import { colorsOf, type Path, type Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import * as raster from './generated/png.js';
import { encodePng } from './png-encode.ts';
import { releaseCanvas, acquireCanvas } from './canvas-pool.ts';

// The rest of the 256 palette entries is for the antialiased edges of shapes and letters.
const exactMax = 160;

/**
 * Paints the picture; the returned function encodes it as PNG, once. Painting and encoding fail for different reasons.
 * With a palette, rows are compressed while the picture is painted.
 */
export function paintPng(scene: Scene): () => Buffer {
  const colors = exactColors(scene);
  return colors.length <= exactMax ? paintByPalette(scene, colors) : paintInFull(scene);
}

function paintByPalette(scene: Scene, colors: readonly number[]): () => Buffer {
  const { width, height } = scene;
  raster.startPalette();
  for (const color of colors) raster.addColor(color);
  raster.addSteps();
  raster.startRows(width);
  const rows = Math.floor(raster.bandPixels.value / width);
  for (let top = 0; top < height; top += rows) paintBand(scene, top, Math.min(rows, height - top));
  const length = raster.endRows();
  const data = Buffer.from(raster.memory.buffer.slice(raster.output(), raster.output() + length));
  const palette = Array.from({ length: raster.colorCount() }, (_, place) => raster.colorAt(place));
  return () => encodePng({ width, height, palette, data });
}

/** Large pictures are painted in bands to limit memory. Each band repeats the last row of the one above. */
function paintBand(scene: Scene, from: number, count: number): void {
  const { width, shapes } = scene;
  const top = Math.max(0, from - 1);
  const rows = from + count - top;
  // A line without dots is the last shape of its layout.
  const last = shapes.at(-1);
  const line = last?.kind === 'path' ? last : undefined;
  const context = acquireCanvas(width, rows);
  context.save();
  context.translate(0, -top);
  paintOnCanvas(context, line ? { ...scene, shapes: shapes.slice(0, -1) } : scene);
  context.restore();
  const bytes = context.canvas.toBuffer('raw');
  releaseCanvas(context);
  new Uint8Array(raster.memory.buffer, raster.pixels.value).set(bytes);
  // Frees the pixels at once, without waiting for garbage collection.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  if (line) drawLine(line, width, rows, top);
  raster.addRows(from - top, count);
}

function drawLine(
  { stroke, width: lineWidth, points }: Path,
  width: number,
  rows: number,
  top: number,
): void {
  raster.startLine(width, rows, lineWidth, points[0] ?? 0, (points[1] ?? 0) - top);
  for (let i = 2; i < points.length; i += 2) raster.lineTo(points[i] ?? 0, (points[i + 1] ?? 0) - top);
  raster.endLine(bitsOf(stroke), stroke.alpha);
}

function paintInFull(scene: Scene): () => Buffer {
  const context = acquireCanvas(scene.width, scene.height);
  paintOnCanvas(context, scene);
  return () => {
    const png = context.canvas.toBuffer('image/png', {
      compressionLevel: 1,
      filters: Canvas.PNG_FILTER_NONE,
    });
    releaseCanvas(context);
    return png;
  };
}

/** White and the colours of the scene, translucent colours blended with white and with the grid. */
function exactColors({ shapes }: Scene): number[] {
  const colors = shapes.flatMap(colorsOf).flatMap((color) => {
    // Cairo rounds opacity to 255 steps.
    const seen = { ...color, alpha: Math.round(color.alpha * 255) / 255 };
    return [white, ink.grid].map((background) => over(seen, background));
  });
  return [...new Set([0xffffff, ...colors.map(bitsOf)])];
}

function bitsOf(color: Color): number {
  const [red, green, blue] = channelsOf(color);
  return (red << 16) | (green << 8) | blue;
}
