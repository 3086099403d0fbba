import { constants, crc32, deflateSync } from 'node:zlib';
import { paletteWith, placeOf, type Palette } from './png-palette.ts';

/** A picture on its way to PNG: one byte a pixel, and the palette that the bytes stand for. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** Before each row its filter, then each pixel's difference from the one above: in a chart nearly all zero. */
  readonly filtered: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const filterUp = 2;

/** An empty picture with a palette of 256 colours, in which those of `exact` (0xRRGGBB) are kept as they are. */
export function indexedPicture(width: number, height: number, exact: readonly number[]): IndexedPicture {
  return { width, height, palette: paletteWith(exact), filtered: new Uint8Array((width + 1) * height) };
}

/**
 * Adds rows from `top` on. The pixels are those of a canvas, four bytes each: blue, green, red and one unused. Except
 * at the very top, they begin with the row above.
 */
export function addRows({ width, palette, filtered }: IndexedPicture, top: number, bytes: Buffer): void {
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const stride = width * 4;
  if (top === 0) {
    filtered[0] = filterUp;
    for (let x = 0; x < width; x++) filtered[x + 1] = placeOf(palette, (pixels[x] ?? 0) & 0xffffff);
  }
  const first = Math.max(1, top);
  for (let row = 1; row * stride < bytes.byteLength; row++) {
    const [start, target] = [row * stride, (first + row - 1) * (width + 1)];
    filtered[target] = filterUp;
    if (bytes.compare(bytes, start - stride, start, start, start + stride) === 0) continue;
    writeDifferences(pixels, row * width, width, filtered, target + 1, palette);
  }
}

/** Charts have few colours and many equal rows, so this is faster and smaller than 24 bits a pixel. */
export function encodePng(picture: IndexedPicture): Buffer {
  const data = deflateSync(picture.filtered, { level: 1, memLevel: 9, strategy: constants.Z_RLE });
  const colors = picture.palette.colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header(picture)),
    ...chunk('PLTE', Buffer.from(colors)),
    ...chunk('IDAT', data),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeDifferences(
  pixels: Uint32Array,
  start: number,
  width: number,
  output: Uint8Array,
  target: number,
  palette: Palette,
): void {
  for (let x = 0; x < width; x++) {
    const pixel = pixels[start + x] ?? 0;
    const above = pixels[start + x - width] ?? 0;
    if (pixel === above) continue;
    output[target + x] = placeOf(palette, pixel & 0xffffff) - placeOf(palette, above & 0xffffff);
  }
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
