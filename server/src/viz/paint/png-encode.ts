import { crc32 } from 'node:zlib';

/** A picture with one byte for each pixel: an index into its palette, whose colours are 0xRRGGBB. */
interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly number[];
  /** Its rows, compressed. */
  readonly data: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Charts have few colours and many equal rows, so a palette is faster and smaller than 24 bits a pixel. */
export function encodePng(picture: IndexedPicture): Buffer {
  const colors = picture.palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header(picture)),
    ...chunk('PLTE', Buffer.from(colors)),
    ...chunk('IDAT', picture.data),
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
