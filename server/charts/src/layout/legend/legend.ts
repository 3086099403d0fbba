import { max, range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import type { Slice } from '../pie/slices.ts';
import type { Color } from '../../color.ts';
import { capHeight, lineHeight, type Box } from '../sizes.ts';
import { distinctTexts, onOneLine } from '../../text/text-fit.ts';
import { widest } from '../../text/text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.2;
/** The distance between columns, in units of the text size. */
const columnGap = 1.4;
/** The side of a swatch, in units of the text size. */
const swatch = 0.8;
const nameStart = swatch + 0.5;
/** The distance between a name and its share, in units of the text size. */
const shareGap = 1;
/** Widths of the longest name, in units of the text size: whole names first, and then ever shorter ones. */
export const nameWidths = [Infinity, 40, 30, 24, 20, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3] as const;
/** The share of the height that a legend above a plot may have. */
const heightShareMax = 1 / 3;

type Entry = Pick<Slice, 'label' | 'percent' | 'fill'>;

/** A legend that has not been placed yet. */
interface Legend {
  readonly width: number;
  readonly height: number;
  readonly placeAt: (left: number, top: number) => readonly Shape[];
}

/**
 * Swatches with names and shares: in as few columns as the height allows or, if `isFlowing`, one after the other in
 * rows. Longer names than `nameMax` em are shortened. Undefined if the names have no room.
 */
export function legendOf(
  entries: readonly Entry[],
  widthMax: number,
  heightMax: number,
  chart: Chart,
  nameMax: number,
  isFlowing = false,
): Legend | undefined {
  const { fontSize: size } = chart.sizes;
  const [gap, rowHeight] = [size * columnGap, size * legendRow];
  const shares = entries.map(({ percent }) => percent);
  const share = widest(shares, size, 'bold');
  const beside = size * nameStart + (share > 0 ? share + size * shareGap : 0);
  const labels = entries.map(({ label }) => onOneLine(label));
  const names = distinctTexts(labels, nameMax * size, { size });
  const rowsMax = Math.max(1, Math.floor(heightMax / rowHeight));
  const rowCount = isFlowing ? 1 : Math.ceil(entries.length / Math.ceil(entries.length / rowsMax));
  let [x, top] = [0, 0];
  const cells = range(0, entries.length, rowCount).flatMap((first) => {
    const width = beside + widest(names.slice(first, first + rowCount), size);
    if (isFlowing && x > 0 && x + width > widthMax + roundingError) [x, top] = [0, top + rowHeight];
    const left = x;
    x += width + gap;
    return entries.slice(first, first + rowCount).map(({ percent, fill }, i) => {
      const middle = top + (i + 0.5) * rowHeight;
      return { label: names[first + i] ?? '', percent, fill, x: left, end: left + width, middle };
    });
  });
  const [width = 0, lowest = 0] = [max(cells, ({ end }) => end), max(cells, ({ middle }) => middle)];
  const height = lowest + rowHeight / 2;
  if (width > widthMax + roundingError || height > heightMax) return undefined;
  return { width, height, placeAt: (left, top) => drawn(cells, left, top, chart) };
}

/** Rounding must not move a name that is exactly as wide as its space. */
const roundingError = 1e-6;

/** An entry with its left and its right end, and its middle, relative to the top left corner of the legend. */
type Cell = Entry & Readonly<Record<'x' | 'end' | 'middle', number>>;

function drawn(cells: readonly Cell[], left: number, top: number, { theme, sizes }: Chart): readonly Shape[] {
  const size = sizes.fontSize;
  const side = Math.round(size * swatch);
  const swatches = cells.map(({ x, middle, fill }): Shape => {
    const corner = { x: Math.round(left + x), y: Math.round(top + middle - side / 2) };
    const square = { ...corner, width: side, height: side, rounded: 'none' } as const;
    return { kind: 'bars', fill, radius: 0, bars: [square] };
  });
  const baseline = top + (size * capHeight) / 2;
  const nameX = left + size * nameStart;
  const texts = cells.map(({ x, middle, label }) => ({ x: nameX + x, y: baseline + middle, text: label }));
  const shares = cells
    .filter(({ percent }) => percent !== '')
    .map(({ end, middle, percent }) => ({ x: left + end, y: baseline + middle, text: percent }));
  const style = { kind: 'texts', size, fill: theme.ink.value } as const;
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
  const [width, height] = [bounds.right - bounds.left, (bounds.bottom - bounds.top) * heightShareMax];
  if (!sizes.showsText || series.every(({ name }) => name === '')) return { shapes: [], bounds };
  const entries = series.map(({ name }, i) => ({ label: name, percent: '', fill: seriesColor(chart, i) }));
  const longest = width / sizes.fontSize - nameStart;
  const legend = nameWidths
    .values()
    .map((nameMax) => legendOf(entries, width, height, chart, Math.min(nameMax, longest), true))
    .find((each) => each !== undefined);
  if (legend === undefined) return { shapes: [], bounds };
  const left = isRightToLeft ? bounds.right - legend.width : bounds.left;
  const top = bounds.top + legend.height + sizes.fontSize * 0.8;
  return { shapes: legend.placeAt(left, bounds.top), bounds: { ...bounds, top } };
}

/**
 * The colour of a series, from the request or else from the theme. Muted series are grey, and use up no colour of the
 * theme. Colours repeat if there are more series.
 */
export function seriesColor({ series, colors, theme: { palette, ink } }: Chart, index: number): Color {
  if (series[index]?.isMuted === true) return ink.zero;
  const rank = series.slice(0, index).filter(({ isMuted }) => isMuted !== true).length;
  return colors[index % colors.length] ?? palette[rank % palette.length] ?? ink.title;
}

/**
 * Groups the bars or points of a series by colour, so that each group is one shape. If there is only one series and it
 * has no name, its bars or points take the colours of the request in turn.
 */
export function byColor<Mark>(
  marks: readonly Mark[],
  chart: Chart,
  index: number,
): readonly (readonly [Color, readonly Mark[]])[] {
  if (marks.length === 0) return [];
  const { colors, series } = chart;
  const isUnnamed = series.length === 1 && series[0]?.name === '';
  if (!isUnnamed || colors.length < 2) return [[seriesColor(chart, index), marks]];
  const groups = colors.slice(0, marks.length).map((color): [Color, Mark[]] => [color, []]);
  marks.forEach((mark, i) => groups[i % groups.length]?.[1].push(mark));
  return groups;
}
