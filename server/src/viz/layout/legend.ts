import type { Bars, Shape, Text } from '../scene.ts';
import type { Ink } from '../theme.ts';
import { distinctTexts } from './distinct-texts.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { wrappedWhole } from './text-fit.ts';
import { textWidth } from './text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.25;
/** The space between columns, in units of the text size. */
export const legendGap = 2;
/** The side of a swatch, in units of the text size. */
export const swatch = 0.8;
const swatchGap = 0.6;
const shareGap = 1;

/** The width of a legend without shortened names; 0 without slices. */
export function legendWidth(slices: readonly Slice[], sizes: Sizes): number {
  const { fontSize } = sizes;
  if (slices.length === 0) return 0;
  const labels = Math.max(...slices.map(({ label }) => textWidth(label, fontSize)));
  // The name must fit in what remains of this width.
  return labels + widthBesideName(slices, sizes) + 1e-6;
}

/** A name in one line, or in more where it would be shortened otherwise and the height has room. */
export type LegendName = readonly string[];

export function legendNames(
  slices: readonly Slice[],
  width: number,
  heightMax: number,
  sizes: Sizes,
): readonly LegendName[] {
  const style = { size: sizes.fontSize };
  const labels = slices.map(({ label }) => label);
  const widthMax = width - widthBesideName(slices, sizes);
  const line = sizes.fontSize * lineHeight;
  let free = heightMax - slices.length * sizes.fontSize * legendRow;
  return distinctTexts(labels, widthMax, style).map((text, i) => {
    const label = labels[i] ?? '';
    if (text === label) return [text];
    const lines = wrappedWhole(label, widthMax, 1 + Math.floor(free / line), style) ?? [text];
    free -= (lines.length - 1) * line;
    return lines;
  });
}

export function legendHeight(names: readonly LegendName[], { fontSize }: Sizes): number {
  return names.reduce((height, lines) => height + heightOf(lines) * fontSize, 0);
}

/** Rows of swatch, name and share, in columns of equal width. */
export function placeLegend(
  slices: readonly Slice[],
  names: readonly LegendName[],
  columns: number,
  bounds: Box,
  ink: Ink,
  { fontSize }: Sizes,
): readonly Shape[] {
  if (slices.length === 0) return [];
  const gap = fontSize * legendGap;
  const width = (bounds.right - bounds.left - gap * (columns - 1)) / columns;
  const rowCount = Math.ceil(slices.length / columns);
  const swatches: Bars[] = [];
  const texts: Text[] = [];
  const shares: Text[] = [];
  let top = bounds.top;
  slices.forEach(({ percent, fill }, i) => {
    if (i % rowCount === 0) ({ top } = bounds);
    const left = bounds.left + Math.floor(i / rowCount) * (width + gap);
    const middle = top + (fontSize * legendRow) / 2;
    const y = middle + (fontSize * capHeight) / 2;
    swatches.push(legendSwatch(left, middle, fill, fontSize));
    shares.push({ x: left + width, y, text: percent });
    const x = left + fontSize * (swatch + swatchGap);
    names[i]?.forEach((text, line) => texts.push({ x, y: y + line * fontSize * lineHeight, text }));
    top += heightOf(names[i] ?? []) * fontSize;
  });
  const style = { kind: 'texts', size: fontSize } as const;
  return [
    ...swatches,
    { ...style, fill: ink.value, texts },
    { ...style, fill: ink.label, anchor: 'end', texts: shares.filter(({ text }) => text !== '') },
  ];
}

function heightOf(lines: LegendName): number {
  return legendRow + Math.max(0, lines.length - 1) * lineHeight;
}

function widthBesideName(slices: readonly Slice[], { fontSize }: Sizes): number {
  return percentWidth(slices, fontSize) + fontSize * (swatch + swatchGap + shareGap);
}

function percentWidth(slices: readonly Slice[], fontSize: number): number {
  return Math.max(...slices.map(({ percent }) => textWidth(percent, fontSize)));
}

/** The square before a name. */
export function legendSwatch(left: number, middle: number, fill: Bars['fill'], fontSize: number): Bars {
  const side = Math.round(fontSize * swatch);
  const bar = {
    x: Math.round(left),
    y: Math.round(middle - side / 2),
    width: side,
    height: side,
    rounded: 'none',
  } as const;
  return { kind: 'bars', fill, radius: 0, bars: [bar] };
}
