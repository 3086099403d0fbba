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
  /** True if a subtitle and a source leave enough room for the plot. */
  readonly showsSubtitle: boolean;
  /** True if the picture is large enough for legible text. */
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

export function boxAt(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height };
}

/** The positions on the category axis: the middle of the first point, and the distance between points. */
export interface BandScale {
  readonly start: number;
  readonly step: number;
  /** The positions of points by time; undefined for points at equal distances. `step` is then the mean distance. */
  readonly places?: Readonly<Float64Array> | undefined;
}

/** The position of a point's middle on the category axis. */
export function placeOf({ start, step, places }: BandScale, index: number): number {
  return places?.[index] ?? start + index * step;
}

/** Returns true if two boxes are closer to each other than a gap. */
export function doOverlap(a: Box, b: Box, gap: number): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

/** Returns true if a box is inside another. */
export function isIn(box: Box, { left, top, right, bottom }: Box): boolean {
  return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
}

/** The height of capital letters and digits, for centring text. In Helvetica it is 0.716 em. */
export const capHeight = 0.716;
export const lineHeight = 1.22;

// For 800 by 600 pixels. Text grows more slowly than pictures, because people look at large pictures more closely.
const usualSide = Math.sqrt(800 * 600);
const usualText = 12.5;
// From this width on, text has at least `legible` pixels: more if the letters have many strokes, as in Chinese.
const wideFrom = 480;
const legible = { letters: 12, ideographs: 13 } as const;

/** The sizes of a picture. Below 120 by 80 pixels, text would be illegible, so shapes get all the space. */
export function sizesOf(width: number, height: number, locale = 'en', hasAxes = true): Sizes {
  const byArea = usualText * (Math.sqrt(width * height) / usualSide) ** 0.85;
  const byShape = Math.min(Math.max(byArea, 10), Math.max(8, height / 9), Math.max(8, width / 14));
  const smallMin = width >= wideFrom ? legible[hasIdeographs(locale) ? 'ideographs' : 'letters'] : 0;
  const fontSize = tenth(Math.max(byShape, smallMin * 1.08));
  const side = Math.min(width, height);
  const showsText = width >= 120 && height >= 80;
  return {
    width,
    height,
    fontSize,
    title: tenth(fontSize * 1.55),
    small: tenth(Math.max(fontSize * 0.92, smallMin, Math.min(fontSize, 10))),
    margin: Math.max(1, Math.round(showsText ? Math.min(fontSize * 1.7, side * 0.1) : side * 0.06)),
    hairline: Math.max(1, Math.round(fontSize / 13)),
    showsTitle: showsText && height >= 10 * fontSize,
    showsSubtitle: showsText && height >= 15 * fontSize,
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
