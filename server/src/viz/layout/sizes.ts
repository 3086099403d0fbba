/** The basic sizes of a picture. All distances and font sizes are computed from them. */
export interface Sizes {
  readonly width: number;
  readonly height: number;
  /** The size of ordinary text and the unit of most distances. */
  readonly fontSize: number;
  readonly title: number;
  readonly margin: number;
  /** The thinnest line. */
  readonly hairline: number;
  readonly showsTitle: boolean;
  readonly showsText: boolean;
}

/** A part of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns true if two boxes are closer to each other than a gap. */
export function doOverlap(a: Box, b: Box, gap: number): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

/** The height of capital letters and digits, for centring text. In Helvetica it is 0.716 em. */
export const capHeight = 0.716;
export const lineHeight = 1.22;

// 800 by 600 pixels. Text grows more slowly than the picture, because large pictures are viewed from closer.
const usualSide = Math.sqrt(800 * 600);
const usualText = 12.5;

/** Below 120 by 80 pixels, text would be illegible, so shapes get all the space. */
export function sizesOf(width: number, height: number): Sizes {
  const byArea = usualText * (Math.sqrt(width * height) / usualSide) ** 0.85;
  const fontSize = tenth(Math.min(Math.max(byArea, 10), Math.max(8, height / 9), Math.max(8, width / 14)));
  const showsText = width >= 120 && height >= 80;
  return {
    width,
    height,
    fontSize,
    title: tenth(fontSize * 1.55),
    margin: showsText ? Math.round(fontSize * 1.7) : Math.max(1, Math.round(Math.min(width, height) * 0.06)),
    hairline: Math.max(1, Math.round(fontSize / 13)),
    showsTitle: showsText && height >= 10 * fontSize,
    showsText,
  };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
