import { constants, crc32, deflateSync } from 'node:zlib';
import { paletteWith, placeOf, type Palette } from './png-palette.ts';

/** Pixels as a canvas hands them out: four bytes each, blue, green, red and one unused. */
export interface Pixels {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const filterUp = 2;

/**
 * Encodes a picture as PNG with a palette of 256 colours, in which those of `exact` (0xRRGGBB) are kept as they
 * are. Charts have few colours and many equal rows, so this is faster and smaller than 24 bits a pixel.
 */
export function encodePng(pixels: Pixels, exact: readonly number[]): Buffer {
  const palette = paletteWith(exact);
  const rows = filteredRows(pixels, palette);
  const data = deflateSync(rows, { level: 1, memLevel: 9, strategy: constants.Z_RLE });
  const colors = palette.colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header(pixels)),
    ...chunk('PLTE', Buffer.from(colors)),
    ...chunk('IDAT', data),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One byte a pixel, as its difference from the pixel above: nearly everything in a chart is then zero. */
function filteredRows({ bytes, width, height }: Pixels, palette: Palette): Uint8Array {
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const stride = width * 4;
  const output = new Uint8Array((width + 1) * height);
  for (let x = 0; x < width; x++) output[x + 1] = placeOf(palette, (pixels[x] ?? 0) & 0xffffff);
  for (let row = 1; row < height; row++) {
    const start = row * stride;
    output[row * (width + 1)] = filterUp;
    if (bytes.compare(bytes, start - stride, start, start, start + stride) === 0) continue;
    writeDifferences(pixels, row * width, width, output, row * (width + 1) + 1, palette);
  }
  return output;
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

function header({ width, height }: Pixels): Buffer {
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
