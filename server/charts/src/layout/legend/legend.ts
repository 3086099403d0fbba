import { sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Bars, Shape, Text } from '../../scene.ts';
import type { Slice } from '../pie/slices.ts';
import { capHeight, lineHeight } from '../sizes.ts';
import { distinctTexts, onOneLine, wrappedWhole } from '../../text/text-fit.ts';
import { widest } from '../../text/text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.25;
/** The distance between columns, in units of the text size. */
export const legendGap = 2;
/** The side of a swatch, in units of the text size. */
export const swatch = 0.8;
const swatchGap = 0.6;
const shareGap = 1;

/** A legend that has not been placed yet. */
interface Legend {
  readonly width: number;
  readonly height: number;
  readonly placeAt: (left: number, top: number) => readonly Shape[];
}

/**
 * The legend of a pie, with rows of swatch, name and share, in as few columns of equal width as the height allows. Names in
 * a single column have up to two lines. Undefined if the names do not fit.
 */
export function legendOf(
  slices: readonly Slice[],
  widthMax: number,
  heightMax: number,
  { theme: { ink }, sizes: { fontSize } }: Chart,
): Legend | undefined {
  const gap = fontSize * legendGap;
  const rowsMax = Math.max(1, Math.floor(heightMax / (fontSize * legendRow)));
  const rowCount = Math.ceil(slices.length / Math.ceil(slices.length / rowsMax));
  const columns = Math.ceil(slices.length / rowCount);
  const beside = widthBesideName(slices, fontSize);
  const labels = slices.map(({ label }) => label);
  // Rounding must not break a name that needs exactly this width.
  const full = widest(labels, fontSize) + beside + 1e-6;
  const width = Math.min(full, (widthMax + gap) / columns - gap);
  const linesMax = columns === 1 && full - beside > fontSize * 12 ? 2 : 1;
  const names = labels.map(
    (label) => wrappedWhole(label, width - beside, linesMax, { size: fontSize }) ?? [],
  );
  const heights = names.map(({ length }) => (legendRow + (length - 1) * lineHeight) * fontSize);
  const height = sum(heights.slice(0, rowCount));
  if (names.some(({ length }) => length === 0) || height > heightMax) return undefined;
  const placeAt = (x0: number, y0: number): readonly Shape[] => {
    const swatches: Bars[] = [];
    const texts: Text[] = [];
    const shares: Text[] = [];
    let top = y0;
    slices.forEach(({ percent, fill }, i) => {
      if (i % rowCount === 0) top = y0;
      const left = x0 + Math.floor(i / rowCount) * (width + gap);
      const middle = top + (fontSize * legendRow) / 2;
      const y = middle + (fontSize * capHeight) / 2;
      swatches.push(legendSwatch(left, middle, fill, fontSize));
      if (percent !== '') shares.push({ x: left + width, y, text: percent });
      const x = left + fontSize * (swatch + swatchGap);
      names[i]?.forEach((text, line) => texts.push({ x, y: y + line * fontSize * lineHeight, text }));
      top += heights[i] ?? 0;
    });
    const style = { kind: 'texts', size: fontSize, fill: ink.value } as const;
    return [...swatches, { ...style, texts }, { ...style, weight: 'bold', anchor: 'end', texts: shares }];
  };
  return { width: (width + gap) * columns - gap, height, placeAt };
}

/** The slices with names that fit into a legend of this width, on one line each. */
export function withShortNames(slices: readonly Slice[], width: number, size: number): readonly Slice[] {
  const widthMax = width - widthBesideName(slices, size);
  const names = distinctTexts(
    slices.map(({ label }) => onOneLine(label)),
    widthMax,
    { size },
  );
  return slices.map((slice, i) => ({ ...slice, label: names[i] ?? '' }));
}

function widthBesideName(slices: readonly Slice[], fontSize: number): number {
  const shares = slices.map(({ percent }) => percent);
  return widest(shares, fontSize, 'bold') + fontSize * (swatch + swatchGap + shareGap);
}

/** The square before a name. */
export function legendSwatch(left: number, middle: number, fill: Bars['fill'], fontSize: number): Bars {
  const side = Math.round(fontSize * swatch);
  const place = { x: Math.round(left), y: Math.round(middle - side / 2), width: side, height: side };
  return { kind: 'bars', fill, radius: 0, bars: [{ ...place, rounded: 'none' }] };
}
