import { Canvas, createCanvas, type CanvasRenderingContext2D } from 'canvas';
import { channelsOf, over, type Color } from '../color.ts';
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
  if (scene.background.alpha < 1) return paintTranslucent(scene);
  const colors = exactColors(scene);
  return colors.length <= exactMax ? paintByPalette(scene, colors) : paintInFull(scene);
}

function paintByPalette(scene: Scene, colors: readonly number[]): () => Buffer {
  const [width, height] = [scene.width * scene.scale, scene.height * scene.scale];
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
  const { scale, shapes } = scene;
  const width = scene.width * scale;
  const top = Math.max(0, from - 1);
  const rows = from + count - top;
  // Lines without dots are the last shapes of their layout.
  const lineCount = shapes.length - 1 - shapes.findLastIndex(({ kind }) => kind !== 'path');
  const others = shapes.slice(0, shapes.length - lineCount);
  const context = acquireCanvas(width, rows);
  context.save();
  context.translate(0, -top);
  context.scale(scale, scale);
  paintOnCanvas(context, lineCount > 0 ? { ...scene, shapes: others } : scene);
  context.restore();
  const bytes = context.canvas.toBuffer('raw');
  releaseCanvas(context);
  new Uint8Array(raster.memory.buffer, raster.pixels.value).set(bytes);
  // Frees the pixels at once, without waiting for garbage collection.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  for (const line of shapes.slice(others.length))
    if (line.kind === 'path') drawLine(line, { width, rows, top, scale });
  raster.addRows(from - top, count);
}

/** Rows of the picture in pixels of the PNG, from `top` on. */
interface Band {
  readonly width: number;
  readonly rows: number;
  readonly top: number;
  readonly scale: number;
}

function drawLine({ stroke, width: lineWidth, points }: Path, { width, rows, top, scale }: Band): void {
  const x = (i: number): number => (points[i] ?? 0) * scale;
  const y = (i: number): number => (points[i + 1] ?? 0) * scale - top;
  raster.startLine(width, rows, lineWidth * scale, x(0), y(0));
  for (let i = 2; i < points.length; i += 2) raster.lineTo(x(i), y(i));
  raster.endLine(bitsOf(stroke), stroke.alpha);
}

/** Keeps the transparency of every pixel, which neither the palette nor an opaque canvas has. */
function paintTranslucent(scene: Scene): () => Buffer {
  const context = createCanvas(scene.width * scene.scale, scene.height * scene.scale).getContext('2d');
  context.scale(scene.scale, scene.scale);
  paintOnCanvas(context, scene);
  return () => {
    const png = encodeInFull(context);
    // Frees the pixels at once, without waiting for garbage collection.
    context.canvas.width = 0;
    return png;
  };
}

function paintInFull(scene: Scene): () => Buffer {
  const context = acquireCanvas(scene.width * scene.scale, scene.height * scene.scale);
  context.save();
  context.scale(scene.scale, scene.scale);
  paintOnCanvas(context, scene);
  context.restore();
  return () => {
    const png = encodeInFull(context);
    releaseCanvas(context);
    return png;
  };
}

function encodeInFull({ canvas }: CanvasRenderingContext2D): Buffer {
  return canvas.toBuffer('image/png', { compressionLevel: 1, filters: Canvas.PNG_FILTER_NONE });
}

/** The background and the colours of the scene, translucent colours blended with the background and with the grid. */
function exactColors({ background, grid, shapes }: Scene): number[] {
  const colors = shapes.flatMap(colorsOf).flatMap((color) => {
    // Cairo rounds opacity to 255 steps.
    const seen = { ...color, alpha: Math.round(color.alpha * 255) / 255 };
    return [background, grid].map((below) => over(seen, below));
  });
  return [...new Set([bitsOf(background), ...colors.map(bitsOf)])];
}

function bitsOf(color: Color): number {
  const [red, green, blue] = channelsOf(color);
  return (red << 16) | (green << 8) | blue;
}
