/**
 * The rows of a PNG with palette indexes. Each byte is the difference from the index above (filter type 2, Up). Nearly
 * every pixel of a chart equals the pixel above, so nearly all bytes are zero.
 */
export class IndexedRows {
  readonly width: number;
  readonly height: number;
  /** For each row, its filter type, followed by one byte for each pixel. */
  readonly bytes: Buffer;
  readonly #table: ColorTable;
  /** The pixels of the last row, and their indexes. */
  #above: Int32Array;
  readonly #indexes: Uint8Array;
  #first = 0;

  /** Starts without rows. `colors` are colours that will occur, as 0xRRGGBB. */
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

  /** Adds rows of pixels. Returns false if there are more colours than a palette can have. */
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
      // Sets all equal pixels of the row, because earlier ones may have the index of a similar colour.
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

/** Returns true if three adjacent pixels have the same colour. On an edge, nearly all pixels differ. */
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

const colorsMax = 256;
// The square of half the distance between adjacent shades of an edge. Edges in about ten shades look smooth.
const nearEnough = 28 ** 2;

/** The palette of a picture. Flat colours are exact; antialiased edges of shapes and letters get nearby shades. */
class ColorTable {
  /** 0xRRGGBB by palette index. */
  readonly colors: number[] = [];
  readonly #exact = new Map<number, number>();
  /** The indexes of other colours, which they share with all that agree in five bits of each channel. */
  readonly #similar = new Map<number, number>();

  constructor(colors: readonly number[]) {
    for (const color of colors) this.add(color);
  }

  has(color: number): boolean {
    return this.#exact.has(color);
  }

  /** Adds a new colour. Returns its index, or undefined if the table is full. */
  add(color: number): number | undefined {
    if (this.colors.length === colorsMax) return undefined;
    this.#exact.set(color, this.colors.length);
    return this.colors.push(color) - 1;
  }

  /** The index of a colour, or of a similar colour. */
  indexOf(color: number): number {
    const exact = this.#exact.get(color);
    if (exact !== undefined) return exact;
    const group = color & 0xf8f8f8;
    const index = this.#similar.get(group) ?? this.#nearest(color);
    this.#similar.set(group, index);
    return index;
  }

  /** The index of the nearest colour. If no colour is near and the table has room, adds this colour. */
  #nearest(color: number): number {
    const { colors } = this;
    let [nearest, least] = [0, Infinity];
    for (let index = 0; index < colors.length; index++) {
      const distance = squaredDistance(colors[index] ?? 0, color);
      if (distance >= least) continue;
      nearest = index;
      least = distance;
    }
    if (least <= nearEnough || colors.length === colorsMax) return nearest;
    return colors.push(color) - 1;
  }
}

function squaredDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}
