import { ColorTable } from './color-table.ts';

/**
 * The rows of a PNG: palette indexes, each as the difference from the index above (filter type 2, Up). Nearly every pixel
 * of a chart equals the pixel above, so nearly all bytes are zero.
 */
export class IndexedRows {
  readonly width: number;
  readonly height: number;
  /** The filter type of each row, followed by one byte for each pixel. */
  readonly bytes: Buffer;
  readonly #table: ColorTable;
  /** The last row and its indexes. */
  #above: Int32Array;
  readonly #indexes: Uint8Array;
  #first = 0;

  /** Starts without rows, and with the colours that certainly occur, as 0xRRGGBB. */
  constructor(width: number, height: number, colors: readonly number[]) {
    this.width = width;
    this.height = height;
    this.bytes = Buffer.alloc((width + 1) * height);
    this.#table = new ColorTable(colors);
    this.#above = new Int32Array(width).fill(1);
    this.#indexes = new Uint8Array(width);
  }

  get palette(): readonly number[] {
    return this.#table.colors;
  }

  /** Adds rows of pixels. Returns false if they have more colours than a palette holds. */
  add(pixels: Int32Array): boolean {
    const { width } = this;
    for (let at = 0; at < pixels.length; at += width) {
      this.bytes[this.#first] = 2;
      this.#first += 1;
      const row = pixels.subarray(at, at + width);
      if (!isSame(row, this.#above) && !this.#addChanges(row)) return false;
      this.#first += width;
      this.#above = row;
    }
    this.#above = this.#above.slice();
    return true;
  }

  #addChanges(row: Int32Array): boolean {
    const [above, table, width] = [this.#above, this.#table, this.width];
    for (let x = 0; x < width; x++) {
      while (x < width && row[x] === above[x]) x++;
      if (x === width) break;
      const pixel = row[x] ?? 0;
      const color = pixel & 0xffffff;
      if (!isFlat(row, x) || table.has(color)) {
        this.#set(x, table.indexOf(color));
        continue;
      }
      const index = table.add(color);
      if (index === undefined) return false;
      // The row above may have a similar colour at these places.
      for (let i = 0; i < width; i++) if (row[i] === pixel) this.#set(i, index);
    }
    return true;
  }

  #set(x: number, index: number): void {
    const place = this.#first + x;
    this.bytes[place] = (this.bytes[place] ?? 0) + index - (this.#indexes[x] ?? 0);
    this.#indexes[x] = index;
  }
}

/** Returns true if three pixels side by side have one colour. On an edge nearly every pixel has another one. */
function isFlat(row: Int32Array, x: number): boolean {
  if (x < 2 || x + 2 >= row.length) return false;
  const color = row[x];
  if (row[x + 1] === color) return row[x + 2] === color || row[x - 1] === color;
  return row[x - 1] === color && row[x - 2] === color;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(
    Buffer.from(b.buffer, b.byteOffset, b.byteLength),
  );
}
