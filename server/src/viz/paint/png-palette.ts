/** The 256 colours of a picture, filled as colours are met. Colours are 0xRRGGBB. */
export interface Palette {
  readonly colors: number[];
  /** The places of the colours that are kept as they are, and one slot for each coarse colour that is met. */
  readonly exact: ReadonlyMap<number, number>;
  readonly coarse: Int16Array;
}

const placesMax = 256;
const unmet = -1;

export function paletteWith(exact: readonly number[]): Palette {
  return {
    colors: [...exact],
    exact: new Map(exact.map((color, place) => [color, place])),
    coarse: new Int16Array(1 << 15).fill(unmet),
  };
}

/**
 * The place of a colour. Colours other than the exact ones are found on the edges of shapes and letters only; those
 * that agree in the first five bits of each channel share a place.
 */
export function placeOf(palette: Palette, color: number): number {
  const slot = ((color >> 9) & 0x7c00) | ((color >> 6) & 0x3e0) | ((color >> 3) & 0x1f);
  const met = palette.coarse[slot] ?? unmet;
  const exact = palette.exact.get(color);
  if (exact !== undefined) return exact;
  if (met !== unmet) return met;
  const place =
    palette.colors.length < placesMax ? palette.colors.push(color) - 1 : nearest(palette.colors, color);
  palette.coarse[slot] = place;
  return place;
}

function nearest(colors: readonly number[], color: number): number {
  let best = 0;
  let least = Infinity;
  colors.forEach((other, place) => {
    const distance = squaredDistance(other, color);
    if (distance < least) [best, least] = [place, distance];
  });
  return best;
}

function squaredDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}
