import { range, sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape, Text } from '../../scene.ts';
import type { Slice } from '../pie/slices.ts';
import { seriesColor } from './series-look.ts';
import { capHeight, lineHeight, type Box } from '../sizes.ts';
import { distinctTexts, onOneLine } from '../../text/text-fit.ts';
import { textWidth, widest } from '../../text/text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.2;
/** The distance between columns, in units of the text size. */
const columnGap = 1.4;
/** The side of a swatch, in units of the text size. */
const swatch = 0.8;
const nameStart = swatch + 0.5;
const shareGap = 1;
/** Widths of the longest name, in units of the text size: whole names first, and then ever shorter ones. */
export const nameWidths = [Infinity, 40, 30, 24, 20, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3] as const;
/** The share of the height that a legend above a plot may have. */
const heightShareMax = 1 / 3;

type Entry = Pick<Slice, 'label' | 'percent' | 'fill'>;
/** The place of an entry: its left end, its vertical middle, and its width. */
interface Cell extends Entry {
  readonly left: number;
  readonly middle: number;
  readonly width: number;
}

/** A legend that has not been placed yet. */
interface Legend {
  readonly width: number;
  readonly height: number;
  readonly placeAt: (left: number, top: number) => readonly Shape[];
}

/**
 * Rows of swatch, name and share, in as few columns as the height allows. Longer names than `nameMax` em are shortened.
 * Undefined if the names have no room.
 */
export function legendOf(
  entries: readonly Entry[],
  widthMax: number,
  heightMax: number,
  chart: Chart,
  nameMax: number,
): Legend | undefined {
  const { fontSize } = chart.sizes;
  const [gap, row] = [fontSize * columnGap, fontSize * legendRow];
  const rowsMax = Math.max(1, Math.floor(heightMax / row));
  const rowCount = Math.ceil(entries.length / Math.ceil(entries.length / rowsMax));
  const columns = range(0, entries.length, rowCount);
  const share = widest(
    entries.map(({ percent }) => percent),
    fontSize,
    'bold',
  );
  const beside = fontSize * nameStart + (share > 0 ? share + fontSize * shareGap : 0);
  const labels = entries.map(({ label }) => onOneLine(label));
  const names = distinctTexts(labels, nameMax * fontSize, { size: fontSize });
  const widths = columns.map((at) => beside + widest(names.slice(at, at + rowCount), fontSize));
  const [width, height] = [sum(widths) + gap * (columns.length - 1), rowCount * row];
  if (width > widthMax || height > heightMax) return undefined;
  const placeAt = (x0: number, y0: number): readonly Shape[] => {
    const cells = entries.map(({ percent, fill }, i): Cell => {
      const column = Math.floor(i / rowCount);
      const left = x0 + sum(widths.slice(0, column)) + gap * column;
      const middle = y0 + ((i % rowCount) + 0.5) * row;
      return { label: names[i] ?? '', percent, fill, left, middle, width: widths[column] ?? 0 };
    });
    return drawn(cells, chart);
  };
  return { width, height, placeAt };
}

function drawn(cells: readonly Cell[], { theme: { ink }, sizes: { fontSize } }: Chart): readonly Shape[] {
  const style = { kind: 'texts', size: fontSize, fill: ink.value } as const;
  const [texts, shares]: [Text[], Text[]] = [[], []];
  const swatches = cells.map(({ label, percent, fill, left, middle, width }): Shape => {
    const y = middle + (fontSize * capHeight) / 2;
    texts.push({ x: left + fontSize * nameStart, y, text: label });
    if (percent !== '') shares.push({ x: left + width, y, text: percent });
    const side = Math.round(fontSize * swatch);
    const place = { x: Math.round(left), y: Math.round(middle - side / 2), width: side, height: side };
    return { kind: 'bars', fill, radius: 0, bars: [{ ...place, rounded: 'none' }] };
  });
  return [...swatches, { ...style, texts }, { ...style, weight: 'bold', anchor: 'end', texts: shares }];
}

/**
 * Places the names of the series above the plot, in as few rows as possible, and returns the remaining space. A small
 * picture has no room for names.
 */
export function placeSeriesLegend(
  chart: Chart,
  bounds: Box,
): { readonly shapes: readonly Shape[]; readonly bounds: Box } {
  const { series, isRightToLeft, sizes } = chart;
  const { fontSize, showsText } = sizes;
  const row = fontSize * legendRow;
  const widthMax = bounds.right - bounds.left;
  const rowsMax = Math.floor(((bounds.bottom - bounds.top) * heightShareMax) / row);
  if (!showsText || series.every(({ name }) => name === '')) return { shapes: [], bounds };
  const names = series.map(({ name }) => onOneLine(name));
  const places = nameWidths
    .values()
    .map((nameMax) => Math.min(nameMax, widthMax / fontSize - nameStart) * fontSize)
    .map((nameMax) => inRows(distinctTexts(names, nameMax, { size: fontSize }), widthMax, fontSize))
    .find((some) => (some.at(-1)?.line ?? 0) < rowsMax);
  if (places === undefined) return { shapes: [], bounds };
  const width = Math.max(...places.map(({ x, width }) => x + width));
  const left = isRightToLeft ? bounds.right - width : bounds.left;
  const cells = places.map(({ x, line, ...rest }, i): Cell => {
    const middle = bounds.top + (line + 0.5) * row;
    return { ...rest, percent: '', fill: seriesColor(chart, i), left: left + x, middle };
  });
  const top = bounds.top + ((places.at(-1)?.line ?? 0) + 1) * row + fontSize * 0.8;
  return { shapes: drawn(cells, chart), bounds: { ...bounds, top } };
}

type InRow = Readonly<{ label: string; x: number; line: number; width: number }>;

/** Fills one row of names after the other. */
function inRows(names: readonly string[], widthMax: number, fontSize: number): readonly InRow[] {
  let [x, line] = [0, 0];
  return names.map((label) => {
    const width = textWidth(label, fontSize) + fontSize * nameStart;
    // Rounding must not move a name that has exactly this width.
    if (x > 0 && x + width > widthMax + 1e-6) [x, line] = [0, line + 1];
    const place = { label, x, line, width };
    x += width + fontSize * columnGap;
    return place;
  });
}
