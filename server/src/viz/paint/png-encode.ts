import { constants, crc32, deflateSync } from 'node:zlib';
import { paletteWith, placeOf, type Palette } from './png-palette.ts';

/** A picture on its way to PNG: one byte a pixel, which is a place in the palette. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** The places of the last row that was added, and how often they change along it. */
  readonly row: Uint8Array;
  edges: number;
  /** Of each row its filter and what that leaves of the places: in a chart nearly all zero. */
  readonly filtered: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const filters = { none: 0, up: 2 } as const;
const keptMax = 4_000_000;
let kept: Uint8Array | undefined;

/** An empty picture with a palette of 256 colours, in which those of `exact` (0xRRGGBB) are kept as they are. */
export function indexedPicture(width: number, height: number, exact: readonly number[]): IndexedPicture {
  return {
    width,
    height,
    palette: paletteWith(exact),
    row: new Uint8Array(width),
    edges: 0,
    filtered: takeZeros((width + 1) * height),
  };
}

/**
 * Adds rows from `top` on. The pixels are those of a canvas, four bytes each: blue, green, red and one unused. Except
 * at the very top, they begin with the row above.
 */
export function addRows(picture: IndexedPicture, top: number, bytes: Buffer): void {
  const { width, filtered } = picture;
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const stride = width * 4;
  if (top === 0) addFirstRow(picture, pixels);
  const first = Math.max(1, top);
  for (let row = 1; row * stride < bytes.byteLength; row++) {
    const [start, target] = [row * stride, (first + row - 1) * (width + 1)];
    filtered[target] = filters.up;
    if (bytes.compare(bytes, start - stride, start, start, start + stride) !== 0)
      addRow(picture, pixels, row * width, target);
  }
}

function addFirstRow(picture: IndexedPicture, pixels: Int32Array): void {
  const { width, palette, row, filtered } = picture;
  for (let x = 0; x < width; x++) {
    row[x] = placeOf(palette, (pixels[x] ?? 0) & 0xffffff);
    if (x > 0 && row[x] !== row[x - 1]) picture.edges++;
  }
  filtered[0] = filters.none;
  filtered.set(row, 1);
}

/** Writes the differences from the row above, or the places themselves where those have fewer runs. */
function addRow(picture: IndexedPicture, pixels: Int32Array, start: number, target: number): void {
  const { width, palette, row, filtered } = picture;
  // How often the differences change along the row: into a run of them, within it and out of it.
  let changes = 0;
  let last = -2;
  let { edges } = picture;
  for (let x = 0; x < width; x++) {
    // Nearly all pixels are like those above, and a loop of its own is the fastest way past them.
    while (x < width && pixels[start + x] === pixels[start + x - width]) x++;
    if (x === width) break;
    const place = placeOf(palette, (pixels[start + x] ?? 0) & 0xffffff);
    const above = row[x] ?? 0;
    if (place === above) continue;
    filtered[target + 1 + x] = place - above;
    if (last !== x - 1) changes += 2;
    else if (filtered[target + 1 + x] !== filtered[target + x]) changes++;
    last = x;
    if (x > 0) edges += edge(row[x - 1], place) - edge(row[x - 1], above);
    if (x + 1 < width) edges += edge(place, row[x + 1]) - edge(above, row[x + 1]);
    row[x] = place;
  }
  picture.edges = edges;
  if (changes <= edges) return;
  filtered[target] = filters.none;
  filtered.set(row, target + 1);
}

function edge(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : 1;
}

/**
 * Writes the picture, which may not be used any more. Charts have few colours and many equal rows, so this is faster and
 * smaller than 24 bits a pixel.
 */
export function encodePng(picture: IndexedPicture): Buffer {
  const data = deflateSync(picture.filtered, { level: 1, strategy: constants.Z_RLE, chunkSize: 65_536 });
  keep(picture.filtered);
  const colors = picture.palette.colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header(picture)),
    ...chunk('PLTE', Buffer.from(colors)),
    ...chunk('IDAT', data),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

function header({ width, height }: IndexedPicture): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  // Eight bits a pixel, indexed colours; the only compression and filter method there is; not interlaced.
  bytes.set([8, 3, 0, 0, 0], 8);
  return bytes;
}

function chunk(type: string, data: Buffer): [head: Buffer, data: Buffer, tail: Buffer] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return [head, data, tail];
}

/** Bytes of an earlier picture of the same size, where there are any: to touch fresh memory takes as long as to paint. */
function takeZeros(length: number): Uint8Array {
  const found = kept?.length === length ? kept.fill(0) : new Uint8Array(length);
  kept = undefined;
  return found;
}

function keep(bytes: Uint8Array): void {
  if (bytes.length <= keptMax) kept = bytes;
}
