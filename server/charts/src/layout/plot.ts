import { chartKinds } from '../request/chart-kinds.ts';
import type { Chart } from '../request/chart.ts';
import type { Values } from '../request/series.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import { denoised } from '../text/decimals.ts';
import { withUnitOnce } from '../text/numbers.ts';
import { shortened } from '../text/text-fit.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { placeCategories, placeCategoriesBeside } from './axes/categories.ts';
import { extentOf, pixelWithin, rules, type Extremes, type ValueAxis } from './axes/value-axis.ts';
import { logScale, showsZero, valueScale, withRoom } from './axes/value-scale.ts';
import { capHeight, lineHeight, type BandScale, type Box } from './sizes.ts';

/** The area between the axes: its scales, and the shapes around and behind the data. */
export interface Plot extends ValueAxis {
  readonly bandScale: BandScale;
  /** Where bars and areas start: at zero, or at the edge nearest to zero. */
  readonly base: number;
  /** The space below the plot that value labels may use. */
  readonly roomBelow: number;
  readonly grid: readonly Rules[];
  readonly axes: readonly Shape[];
}

/** What a kind of chart needs from the axes. */
interface AxisOptions {
  readonly extremes: Extremes;
  /** The positions of the categories between two ends of their axis. */
  readonly bandScaleIn: (from: number, to: number) => BandScale;
  readonly valueLabels: ValueLabels | undefined;
  /** True if a card shows the last value in large digits, and names only its first and its last point. */
  readonly isCard?: boolean;
}

/** How the values of a chart are labelled. The positions of the labels are not known yet. */
export interface ValueLabels {
  /** The unit that all values share, if there is one. */
  readonly unit: number | undefined;
  readonly write: (value: number) => string;
  readonly isTurned: boolean;
  /** True if every value is written at its mark. */
  readonly areAll: boolean;
  /** The space between a mark and its label. */
  readonly gap: number;
  /** The space that a label needs beyond its mark. */
  readonly room: number;
}

/** Places the axes of a chart along the edges of `outer`. The space between them is the plot. */
export function placePlot(chart: Chart, outer: Box, options: AxisOptions): Plot {
  const { kind, isHorizontal, theme, valueAxis, sizes } = chart;
  const { fontSize, hairline, showsAxes, small: size } = sizes;
  const { extremes, valueLabels, isCard = false } = options;
  const { bounds, titlesOf } = axisTitles(chart, outer);
  const isHidden = !showsAxes || isCard || valueLabels?.areAll === true;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const steps = Math.round((isHorizontal ? width / 9 : height / 7) / fontSize);
  const [low, high] = extentOf(chart, extremes);
  const scaleOf = valueAxis.isLog ? logScale : valueScale;
  const scale = scaleOf(low, high, isHidden ? 0 : Math.max(2, Math.min(7, steps)), chart.numbers, {
    ...valueAxis,
    valuesUnit: valueLabels?.unit,
    // Values are whole if they are written without decimals, such as 0.5 as 50%.
    isWhole: chart.series.every(({ values }) =>
      values.every((value) => Number.isInteger(denoised((value ?? 0) * chart.numbers.factor))),
    ),
  });
  const numbers = showsAxes ? withUnitOnce(scale.ticks).map(({ text }) => text) : [];
  const { hasBands } = chartKinds[kind];
  // If the axis begins at zero, hardly any label is below its mark.
  const roomBelow = (hasBands ? extremes.lowest.value >= 0 : low === 0) ? 0 : (valueLabels?.room ?? 0);
  const frameOf = isHorizontal ? frameBeside : frameAbove;
  const { bandScale, categories, ...frame } = frameOf(chart, bounds, { ...options, roomBelow, numbers });
  const axis = { ...frame, isHorizontal, scale };
  const base = pixelWithin(axis, 0);
  const plot = { ...axis, bandScale, base: Math.round(base), roomBelow };
  if (!showsAxes) return { ...plot, grid: [], axes: [] };
  const length = isHorizontal ? frame.right - frame.left : frame.bottom - frame.top;
  const room = isHorizontal ? widest(numbers, size) + fontSize * 0.4 : fontSize;
  const ticks = withUnitOnce(withRoom(scale, (room - 0.01) / length));
  const places = ticks.map(({ value }) => pixelWithin(axis, value));
  const texts = ticks.map(({ text }, i) => {
    const at = places[i] ?? 0;
    if (isHorizontal) return { x: at, y: frame.bottom + fontSize * 1.3, text };
    return { x: frame.left - fontSize * 0.8, y: at + (size * capHeight) / 2, text };
  });
  const hasZero = showsZero(scale);
  // Tick marks of points are below a line: the zero line if that is at the foot of the plot, or else another line.
  const isAtFoot = hasBands || (hasZero && scale.low === 0);
  const axes = [
    rules(hasZero ? [base] : [], axis, theme.ink.zero, hairline),
    rules(isAtFoot ? [] : [frame.bottom + roomBelow], axis, theme.ink.leader, hairline),
    { kind: 'texts', size, fill: theme.ink.label, anchor: isHorizontal ? 'middle' : 'end', texts } as const,
    ...categories,
    ...titlesOf(frame),
  ];
  return { ...plot, grid: [rules(places, axis, theme.ink.grid, hairline)], axes };
}

/** What a frame depends on. An axis without numbers has none in `numbers`. */
type Framing = AxisOptions & Pick<Plot, 'roomBelow'> & Readonly<{ numbers: readonly string[] }>;
/** A plot's frame, and its categories. */
type Framed = Box & Pick<Plot, 'bandScale'> & Readonly<{ categories: readonly Shape[] }>;

/** The frame of a plot with the categories below it and the values at its left. */
function frameAbove(chart: Chart, bounds: Box, framing: Framing, inset = 0): Framed {
  const { bandScaleIn, valueLabels, isCard = false, numbers, roomBelow } = framing;
  const { fontSize, small, showsAxes } = chart.sizes;
  const space = numbers.length > 0 ? widest(numbers, small) + fontSize * 0.8 : 0;
  const left = Math.round(bounds.left + space + inset);
  const right = Math.round(bounds.right);
  const top = Math.round(bounds.top + Math.max(valueLabels?.room ?? 0, showsAxes ? fontSize * 0.6 : 0));
  const bandScale = bandScaleIn(left, right);
  const labels = placeCategories(chart, bandScale, bounds, isCard);
  if (labels.inset !== undefined) return frameAbove(chart, bounds, framing, inset + labels.inset);
  const bottom = Math.round(labels.top - roomBelow);
  return { left, top, right, bottom, bandScale, categories: labels.shapes };
}

/** The frame of a plot with the categories at its left and the values below it. */
function frameBeside(chart: Chart, bounds: Box, framing: Framing): Framed {
  const { bandScaleIn, valueLabels, numbers, roomBelow } = framing;
  const { fontSize, small } = chart.sizes;
  const halfOf = (number = ''): number => textWidth(number, small) / 2;
  const top = Math.round(bounds.top);
  const bottom = Math.round(bounds.bottom - (numbers.length > 0 ? fontSize * 1.5 : 0));
  // The labels of reference lines are above the first bar.
  const roomAbove = chart.lines.some(({ label }) => label !== '') ? fontSize * 0.8 : 0;
  const bandScale = bandScaleIn(top + roomAbove, bottom);
  const labels = placeCategoriesBeside(chart, bandScale, bounds);
  const left = Math.round(Math.max(labels.right + roomBelow, bounds.left + halfOf(numbers[0])));
  const right = Math.round(bounds.right - Math.max(valueLabels?.room ?? 0, halfOf(numbers.at(-1))));
  return { left, top, right, bottom, bandScale, categories: labels.shapes };
}

/**
 * The coordinates of a line's points, NaN where a value is missing. The loop repeats the calculation of `pixelAt`; this
 * is three times as fast as calling it.
 */
export function placePoints(values: Values, plot: Plot): Coordinates {
  const { start, step, places } = plot.bandScale;
  const { isLog, low, high } = plot.scale;
  const height = (plot.bottom - plot.top) / (high - low);
  const { bottom } = plot;
  const placed = new Float64Array(values.length * 2);
  for (let i = 0; i < values.length; i++) {
    placed[2 * i] = places?.[i] ?? start + i * step;
    const value = values[i] ?? NaN;
    const y = bottom - ((isLog ? Math.log10(value) : value) - low) * height;
    placed[2 * i + 1] = Math.min(Math.max(y, -farOutside), farOutside);
  }
  return placed;
}

// Outside every picture, but small enough for exact calculations.
const farOutside = 1e6;

/** Estimates the pixels between categories before the plot is placed. */
export function categoryStep({ labels, isHorizontal, sizes: { fontSize } }: Chart, bounds: Box): number {
  const length = isHorizontal
    ? bounds.bottom - bounds.top - fontSize * 3
    : bounds.right - bounds.left - fontSize * 4;
  return length / labels.length;
}

/**
 * The titles of the axes at the edges of `outer`, unless the picture is too small, and the space that they leave. The
 * title of the x axis is upright if bars are horizontal.
 */
function axisTitles(
  { isHorizontal, xTitle, yTitle, theme, sizes: { fontSize: size, showsAxes } }: Chart,
  outer: Box,
): { readonly bounds: Box; readonly titlesOf: (frame: Box) => readonly Texts[] } {
  const [width, height] = [outer.right - outer.left, outer.bottom - outer.top];
  const ifFits = (title: string, length: number, hasRoom: boolean): string =>
    showsAxes && hasRoom && length >= Math.min(textWidth(title, size) * 0.6, size * 12) ? title : '';
  const level = ifFits(isHorizontal ? yTitle : xTitle, width - size * 4, height >= size * 9);
  const upright = ifFits(isHorizontal ? xTitle : yTitle, height - size * 3, width >= size * 16);
  const spaceOf = (title: string): number => (title === '' ? 0 : size * (lineHeight + 0.4));
  const bounds = { ...outer, left: outer.left + spaceOf(upright), bottom: outer.bottom - spaceOf(level) };
  const titlesOf = ({ left, top, right, bottom }: Box): readonly Texts[] => {
    const below = shortened(level, right - left, { size });
    const beside = shortened(upright, bottom - top, { size });
    const style = { kind: 'texts', size, fill: theme.ink.value, anchor: 'middle' } as const;
    return [
      { ...style, texts: [{ x: (left + right) / 2, y: outer.bottom - size * 0.1, text: below }] },
      { ...style, angle: 90, texts: [{ x: outer.left + size * 0.8, y: (top + bottom) / 2, text: beside }] },
    ].filter(({ texts }) => texts.some(({ text }) => text !== ''));
  };
  return { bounds, titlesOf };
}
