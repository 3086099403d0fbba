const colorsMax = 256;
const unknown = -1;
const shared = -2;
// Half the distance of two neighbouring shades of an edge, squared: edges in about ten shades look smooth.
const nearEnough = 28 ** 2;

/** The palette of a picture: its flat colours exactly, and shades for the antialiased edges of shapes and letters. */
export class ColorTable {
  /** 0xRRGGBB by palette index. */
  readonly colors: number[] = [];
  readonly #exact = new Map<number, number>();
  /** An index for each group of colours with the same first five bits in all channels, unless the group has an exact colour. */
  readonly #coarse = new Int16Array(1 << 15).fill(unknown);

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
    this.#coarse[slotOf(color)] = shared;
    return this.colors.push(color) - 1;
  }

  /** The index of a colour, or of a similar one. */
  indexOf(color: number): number {
    const slot = slotOf(color);
    const index = this.#coarse[slot] ?? unknown;
    if (index >= 0) return index;
    if (index === shared) return this.#exact.get(color) ?? this.#nearest(color);
    return (this.#coarse[slot] = this.#nearest(color));
  }

  /** The index of the nearest colour, or of this colour if none is near and the table has room. */
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

/** The first five bits of each channel. */
function slotOf(color: number): number {
  return ((color >> 9) & 0x7c00) | ((color >> 6) & 0x3e0) | ((color >> 3) & 0x1f);
}

function squaredDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}
