import { Canvas } from 'canvas';
import { channelsOf, over, white, type Color } from '../color.ts';
import { ink } from '../palette.ts';
import { colorsOf, type Path, type Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { foldEqualRows, type Folded } from './equal-rows.ts';
import * as raster from './generated/png.js';
import { encodePng } from './png-encode.ts';
import { giveBack, takeSurface } from './canvas-pool.ts';

// Of the 256 colours of a palette, the others are for the edges of shapes and letters.
const exactMax = 160;

// Pictures of nearly the same height share a surface.
const surfaceStep = 32;

/**
 * Paints the picture; the result makes a PNG of it, once. Painting and encoding fail for different reasons; with a palette,
 * rows are compressed as they are painted.
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
  const folded = foldEqualRows(scene);
  const rows = Math.floor(raster.bandPixels.value / width);
  for (let top = 0; top < folded.scene.height; top += rows) paintBand(folded, top, rows);
  const length = raster.endRows();
  const data = Buffer.from(raster.memory.buffer.slice(raster.output(), raster.output() + length));
  const palette = Array.from({ length: raster.colorCount() }, (_, place) => raster.colorAt(place));
  return () => encodePng({ width, height, palette, data });
}

/** Large pictures are painted in bands, so that memory stays small. Each begins with the last row of the one above. */
function paintBand({ scene, repeats }: Folded, from: number, rowsMax: number): void {
  const { width, height, shapes } = scene;
  const top = Math.max(0, from - 1);
  const rows = Math.min(from + rowsMax, height) - top;
  // A line without dots is the last shape of its layout.
  const last = shapes.at(-1);
  const line = last?.kind === 'path' ? last : undefined;
  const surface = takeSurface(width, Math.ceil(rows / surfaceStep) * surfaceStep);
  surface.save();
  surface.translate(0, -top);
  paintOnCanvas(surface, line ? { ...scene, shapes: shapes.slice(0, -1) } : scene);
  surface.restore();
  const bytes = surface.canvas.toBuffer('raw');
  giveBack(surface);
  new Uint8Array(raster.memory.buffer, raster.pixels.value).set(bytes.subarray(0, 4 * width * rows));
  // Frees the pixels at once; the garbage collector would let them pile up.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  if (line) drawLine(line, width, rows, top);
  addRows(repeats, from, top, top + rows);
}

/** Adds the rows of a band that begins at `top`, each as often as the picture has it. */
function addRows(repeats: Folded['repeats'], from: number, top: number, end: number): void {
  let next = from;
  for (const { row, times } of repeats) {
    if (row < from || row >= end) continue;
    raster.addRows(next - top, row + 1 - next);
    raster.repeatRow(times);
    next = row + 1;
  }
  raster.addRows(next - top, end - next);
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
  const surface = takeSurface(scene.width, scene.height);
  paintOnCanvas(surface, scene);
  return () => {
    const png = surface.canvas.toBuffer('image/png', {
      compressionLevel: 1,
      filters: Canvas.PNG_FILTER_NONE,
    });
    giveBack(surface);
    return png;
  };
}

/** White, the colours of the scene as they look on it, and translucent ones as they look on the grid as well. */
function exactColors({ shapes }: Scene): number[] {
  const colors = shapes.flatMap(colorsOf).flatMap((color) => {
    // Cairo has 255 steps of transparency.
    const seen = { ...color, alpha: Math.round(color.alpha * 255) / 255 };
    return [white, ink.grid].map((background) => over(seen, background));
  });
  return [...new Set([0xffffff, ...colors.map(bitsOf)])];
}

function bitsOf(color: Color): number {
  const [red, green, blue] = channelsOf(color);
  return (red << 16) | (green << 8) | blue;
}
