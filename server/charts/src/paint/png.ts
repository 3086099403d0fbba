import { constants, crc32, deflateSync } from 'node:zlib';
import { Canvas, createCanvas, type CanvasRenderingContext2D } from 'canvas';
import { over } from '../color.ts';
import { colorsOf, type Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { IndexedRows } from './indexed-rows.ts';

// Large pictures are painted in bands of this size, to limit memory.
const bandPixels = 1_000_000;
// The most colours of a scene in a palette. The rest is for the antialiased edges of shapes and letters.
const ownColorsMax = 160;
/** There are 96 CSS pixels to the inch. */
const pixelsPerInch = 96;

/**
 * Paints the picture and returns a function that encodes it as PNG, which may be called once. Painting and encoding are
 * separate because they fail for different reasons. A picture with many colours or a translucent background has no
 * palette, and keeps the full colour of every pixel.
 */
export function paintPng(scene: Scene): () => Buffer {
  const rows = scene.background.alpha === 1 ? paintRows(scene) : undefined;
  const resolution = pixelsPerInch * scene.scale;
  if (rows !== undefined)
    return () => {
      const png = encodePng(rows, Math.round(resolution / 0.0254));
      freeBytes(rows.bytes);
      return png;
    };
  const { canvas } = paintPixels(scene, 0, scene.height * scene.scale);
  return () => {
    const options = { compressionLevel: 1, filters: Canvas.PNG_FILTER_NONE, resolution } as const;
    const png = canvas.toBuffer('image/png', options);
    canvas.width = 0;
    return png;
  };
}

function paintRows(scene: Scene): IndexedRows | undefined {
  const [width, height] = [scene.width * scene.scale, scene.height * scene.scale];
  const colors = visibleColors(scene);
  if (colors.length > ownColorsMax) return undefined;
  const rows = new IndexedRows(width, height, colors);
  const bandRows = Math.ceil(bandPixels / width);
  for (let top = 0; top < height; top += bandRows) {
    const { canvas } = paintPixels(scene, top, Math.min(bandRows, height - top));
    const bytes = canvas.toBuffer('raw');
    canvas.width = 0;
    const hasRoom = rows.add(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
    freeBytes(bytes);
    if (!hasRoom) return undefined;
  }
  return rows;
}

/** Paints a number of rows, from `top` on. */
function paintPixels(scene: Scene, top: number, rows: number): CanvasRenderingContext2D {
  const { width, scale, background } = scene;
  const context = createCanvas(width * scale, rows).getContext('2d', { alpha: background.alpha < 1 });
  context.translate(0, -top);
  context.scale(scale, scale);
  paintOnCanvas(context, scene);
  return context;
}

// Like a canvas without a width, this frees large memory now, because garbage collection would notice it late.
function freeBytes({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * The colours of the scene on its background. The background comes first. The picture has other colours at edges and
 * where shapes overlap.
 */
function visibleColors({ background, shapes }: Scene): readonly number[] {
  const colors = shapes.flatMap(colorsOf).map((color) => over(color, background));
  return [...new Set([background, ...colors].map(({ hex }) => parseInt(hex.slice(1), 16)))];
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes with a palette: charts have few colours and many equal rows, so this is faster and smaller than 24 bits a
 * pixel.
 */
function encodePng({ width, height, palette, bytes }: IndexedRows, pixelsPerMetre: number): Buffer {
  const colors = palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    // Eight bits a pixel with a palette; the only compression and filter methods that exist; not interlaced.
    chunk('IHDR', Buffer.concat([...[width, height].map(bigEndian), Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from(colors)),
    // Pixels per metre, horizontally and vertically.
    chunk('pHYs', Buffer.concat([bigEndian(pixelsPerMetre), bigEndian(pixelsPerMetre), Buffer.from([1])])),
    // Filtered rows are mostly runs of zeros, for which run-length encoding is enough.
    chunk('IDAT', deflateSync(bytes, { strategy: constants.Z_RLE })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([bigEndian(data.length), content, bigEndian(crc32(content))]);
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
