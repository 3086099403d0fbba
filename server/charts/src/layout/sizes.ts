/** The basic sizes of a picture. All distances and font sizes are computed from them. */
export interface Sizes {
  readonly width: number;
  readonly height: number;
  /** The size of ordinary text and the unit of most distances. */
  readonly fontSize: number;
  readonly title: number;
  /** The size of numbers, names on axes and the source. */
  readonly small: number;
  readonly margin: number;
  /** The thinnest line. */
  readonly hairline: number;
  readonly showsTitle: boolean;
  readonly showsText: boolean;
  readonly showsAxes: boolean;
}

/** A part of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The positions on the category axis: the middle of the first point, and the distance between points. */
export interface BandScale {
  readonly start: number;
  readonly step: number;
  /** The positions of points by time; undefined for points at equal distances. `step` is then the mean distance. */
  readonly places?: Readonly<Float64Array> | undefined;
}

/** The middle of a point. */
export function placeOf({ start, step, places }: BandScale, index: number): number {
  return places?.[index] ?? start + index * step;
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
// Pictures of this width have no smaller text. Chinese, Japanese and Korean letters have more strokes.
const wideFrom = 480;
const legible = { letters: 11, ideographs: 12 } as const;

/** Below 120 by 80 pixels, text would be illegible, so shapes get all the space. */
export function sizesOf(width: number, height: number, locale = 'en', hasAxes = true): Sizes {
  const byArea = usualText * (Math.sqrt(width * height) / usualSide) ** 0.85;
  const byShape = Math.min(Math.max(byArea, 10), Math.max(8, height / 9), Math.max(8, width / 14));
  const smallMin = width >= wideFrom ? legible[hasIdeographs(locale) ? 'ideographs' : 'letters'] : 0;
  const fontSize = tenth(Math.max(byShape, smallMin * 1.08));
  const showsText = width >= 120 && height >= 80;
  return {
    width,
    height,
    fontSize,
    title: tenth(fontSize * 1.55),
    small: tenth(Math.max(fontSize * 0.92, smallMin)),
    margin: showsText ? Math.round(fontSize * 1.7) : Math.max(1, Math.round(Math.min(width, height) * 0.06)),
    hairline: Math.max(1, Math.round(fontSize / 13)),
    showsTitle: showsText && height >= 10 * fontSize,
    showsText,
    showsAxes: showsText && hasAxes,
  };
}

/** Returns true if a language is written in Chinese, Japanese or Korean letters. */
function hasIdeographs(locale: string): boolean {
  return locale !== 'en' && /^(?:Han|Jpan|Kore)/.test(new Intl.Locale(locale).maximize().script ?? '');
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
