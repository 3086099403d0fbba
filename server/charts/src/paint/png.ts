import { constants, crc32, deflateSync } from 'node:zlib';
import { Canvas, createCanvas, type CanvasRenderingContext2D } from 'canvas';
import { colorsOf, type Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';

// Large pictures are painted in bands of this size, to limit memory.
const bandPixels = 1_000_000;
const paletteMax = 256;
// The most colours of a scene in a palette. The rest is for the antialiased edges of shapes and letters.
const ownColorsMax = 160;
// The square of half the distance between adjacent shades of an edge. Edges in about ten shades look smooth.
const nearEnough = 28 ** 2;
/** There are 96 CSS pixels to the inch. */
const pixelsPerInch = 96;

/**
 * Paints the picture and returns a function that encodes it as PNG, which may be called once. Painting and encoding are
 * separate because they fail for different reasons. A picture with many or translucent colours has no palette, and
 * keeps the full colour of every pixel.
 */
export function paintPng(scene: Scene): () => Buffer {
  const { background, shapes, width, height, scale } = scene;
  const resolution = pixelsPerInch * scale;
  const colors = [background, ...shapes.flatMap(colorsOf)];
  const own = new Set(colors.map(({ hex }) => parseInt(hex.slice(1), 16)));
  if (own.size <= ownColorsMax && colors.every(({ alpha }) => alpha === 1)) {
    const palette = new Palette(own);
    const rows = indexRows(scene, palette);
    return () => {
      const size = [width * scale, height * scale];
      const png = encodePng(size, palette.colors, rows, Math.round(resolution / 0.0254));
      freeBytes(rows);
      return png;
    };
  }
  const { canvas } = paintPixels(scene, 0, height * scale);
  return () => {
    const options = { compressionLevel: 1, filters: Canvas.PNG_FILTER_NONE, resolution } as const;
    const png = canvas.toBuffer('image/png', options);
    canvas.width = 0;
    return png;
  };
}

/**
 * Paints the rows of a PNG with a palette, and adds the shades of edges to the palette. Each row is its filter type and
 * one byte for each pixel: the difference from the palette index above (filter type 2, Up). Nearly every pixel of a
 * chart equals the pixel above, so nearly all bytes are zero.
 */
function indexRows(scene: Scene, palette: Palette): Buffer {
  const width = scene.width * scene.scale;
  const rows = Buffer.alloc((width + 1) * scene.height * scene.scale);
  const indexes = new Uint8Array(width);
  // No pixel of the first row has this value.
  let above: Int32Array = new Int32Array(width).fill(1);
  let first = 0;
  for (const pixels of bandsOf(scene)) {
    for (let at = 0; at < pixels.length; at += width) {
      const row = pixels.subarray(at, at + width);
      rows[first] = 2;
      if (!isSame(row, above)) writeChanges(rows.subarray(first + 1), row, above, indexes, palette);
      above = row;
      first += width + 1;
    }
    above = above.slice();
  }
  return rows;
}

/** Writes the differences between the palette indexes of two rows. Changes `indexes` from those above to the row's. */
function writeChanges(
  bytes: Buffer,
  row: Int32Array,
  above: Int32Array,
  indexes: Uint8Array,
  palette: Palette,
): void {
  const width = row.length;
  for (let x = 0; x < width; x++) {
    while (x < width && row[x] === above[x]) x++;
    if (x === width) break;
    const index = palette.indexOf((row[x] ?? 0) & 0xffffff);
    bytes[x] = index - (indexes[x] ?? 0);
    indexes[x] = index;
  }
}

/** Compares by native code, which skips equal rows much faster than a loop. */
function isSame(a: Int32Array, b: Int32Array): boolean {
  const bytesOf = (row: Int32Array): Buffer => Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return bytesOf(a).equals(bytesOf(b));
}

/** The palette of a picture: the colours of the scene, and shades of antialiased edges. */
class Palette {
  /** 0xRRGGBB by index. */
  readonly colors: number[];
  readonly #own: ReadonlyMap<number, number>;
  /** The indexes of other colours, which they share with all that agree in five bits of each channel. */
  readonly #similar = new Map<number, number>();

  constructor(colors: Iterable<number>) {
    this.colors = [...colors];
    this.#own = new Map(this.colors.map((color, index) => [color, index]));
  }

  indexOf(color: number): number {
    const group = color & 0xf8f8f8;
    const known = this.#own.get(color) ?? this.#similar.get(group);
    if (known !== undefined) return known;
    const index = this.#nearest(color);
    this.#similar.set(group, index);
    return index;
  }

  /** The index of the nearest colour. If no colour is near and the palette has room, adds this colour. */
  #nearest(color: number): number {
    const { colors } = this;
    let [nearest, least] = [0, Infinity];
    for (let index = 0; index < colors.length; index++) {
      const distance = squaredDistance(colors[index] ?? 0, color);
      if (distance >= least) continue;
      nearest = index;
      least = distance;
    }
    return least <= nearEnough || colors.length === paletteMax ? nearest : colors.push(color) - 1;
  }
}

function squaredDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}

/** Paints the picture from top to bottom. Each band may be read until the next one. */
function* bandsOf(scene: Scene): Generator<Int32Array> {
  const height = scene.height * scene.scale;
  const bandRows = Math.ceil(bandPixels / (scene.width * scene.scale));
  for (let top = 0; top < height; top += bandRows) {
    const { canvas } = paintPixels(scene, top, Math.min(bandRows, height - top));
    const bytes = canvas.toBuffer('raw');
    canvas.width = 0;
    yield new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    freeBytes(bytes);
  }
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

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes with a palette: charts have few colours and many equal rows, so this is faster and smaller than 24 bits a
 * pixel.
 */
function encodePng(
  size: readonly number[],
  palette: readonly number[],
  rows: Buffer,
  pixelsPerMetre: number,
): Buffer {
  const colors = palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    // Eight bits a pixel with a palette; the only compression and filter methods that exist; not interlaced.
    chunk('IHDR', Buffer.concat([...size.map(bigEndian), Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from(colors)),
    // Pixels per metre, horizontally and vertically.
    chunk('pHYs', Buffer.concat([bigEndian(pixelsPerMetre), bigEndian(pixelsPerMetre), Buffer.from([1])])),
    // Filtered rows are mostly runs of zeros, for which run-length encoding is enough.
    chunk('IDAT', deflateSync(rows, { strategy: constants.Z_RLE })),
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
