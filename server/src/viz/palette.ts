import { mix, type Color } from './color.ts';

export type Palette = readonly [Color, ...Color[]];

/**
 * The default colours on a light background. Each has a contrast of at least 3 to 1 with it. They are distinguishable with
 * any kind of colour blindness (a test measures this), and neighbours differ in lightness too.
 */
export const palette: Palette = [
  solid('#2f6fc4'),
  solid('#c67f26'),
  solid('#671665'),
  solid('#5c97de'),
  solid('#2f4f07'),
  solid('#984d6d'),
  solid('#0d189d'),
  solid('#7d14ea'),
];

/** The default colours on a dark background. Each has a contrast of at least 3 to 1 with it, and they are as distinguishable. */
export const darkPalette: Palette = [
  solid('#5b9df0'),
  solid('#f0a23a'),
  solid('#b5f5a0'),
  solid('#bf4a14'),
  solid('#fbcbfb'),
  solid('#3160f0'),
  solid('#a68d8b'),
  solid('#65649c'),
];

/** The colour that repeated colours are mixed with. */
interface Shades {
  readonly palette: Palette;
  readonly paper: Color;
  readonly ink: { readonly title: Color };
}

/** The colour of a slice. After one round the palette repeats closer to the background, then closer to the text. */
export function sliceColor(index: number, { palette, paper, ink }: Shades): Color {
  const color = palette[index % palette.length] ?? palette[0];
  const round = Math.floor(index / palette.length) % 3;
  if (round === 1) return mix(color, paper, 0.45);
  return round === 2 ? mix(color, ink.title, 0.45) : color;
}

export function solid(hex: string): Color {
  return { hex, alpha: 1 };
}
