import { constants, crc32, deflateSync } from 'node:zlib';

/** A picture with one byte for each pixel: an index into its palette, whose colours are 0xRRGGBB. */
interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly number[];
  /** The filter type of each row, followed by the filtered bytes. */
  readonly bytes: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Charts have few colours and many equal rows, so a palette is faster and smaller than 24 bits a pixel. */
export function encodePng({ width, height, palette, bytes }: IndexedPicture, pixelsPerMetre: number): Buffer {
  const colors = palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    // Eight bits a pixel, indexed colours; the only compression and filter method there is; not interlaced.
    chunk('IHDR', Buffer.concat([...[width, height].map(bigEndian), Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from(colors)),
    // Across and down, in metres.
    chunk('pHYs', Buffer.concat([bigEndian(pixelsPerMetre), bigEndian(pixelsPerMetre), Buffer.from([1])])),
    // Filtered rows are mostly runs of zeros.
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
