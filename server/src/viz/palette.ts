import { mix, white, type Color } from './color.ts';

/**
 * The default colours. They are distinguishable with any kind of colour blindness (a test measures this), and
 * neighbours differ in lightness too.
 */
export const palette: readonly [Color, ...Color[]] = [
  solid('#2f6fc4'),
  solid('#f2a13c'),
  solid('#124a7b'),
  solid('#a6dcbe'),
  solid('#bb4717'),
  solid('#5aa3ec'),
  solid('#880033'),
  solid('#b17e95'),
];

/** The colours of everything but data, from the most prominent, the title, to the grid. */
export const ink = {
  title: solid('#1b2330'),
  value: solid('#303a4a'),
  label: solid('#566072'),
  zero: solid('#8b95a5'),
  leader: solid('#b3bac6'),
  grid: solid('#e4e8ed'),
  rest: solid('#c3c9d2'),
} as const;

/** The colour of a slice. After one round the palette repeats lighter, then darker. */
export function sliceColor(index: number): Color {
  const color = palette[index % palette.length] ?? palette[0];
  const round = Math.floor(index / palette.length) % 3;
  if (round === 1) return mix(color, white, 0.45);
  return round === 2 ? mix(color, ink.title, 0.45) : color;
}

function solid(hex: string): Color {
  return { hex, alpha: 1 };
}
