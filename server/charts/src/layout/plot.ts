import type { Chart } from '../request/chart.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import { chartKinds } from '../request/chart-kinds.ts';
import type { Values } from '../request/series.ts';
import { placeCategories } from './axes/categories.ts';
import { placeCategoriesBeside } from './axes/categories-beside.ts';
import { limitedExtent } from './axes/extent.ts';
import type { PlacedLabels } from './axes/labels-below.ts';
import { logScale } from './axes/log-scale.ts';
import { lineHeight, type BandScale, type Box } from './sizes.ts';
import { placeTimes } from './axes/time-axis.ts';
import { shortened } from '../text/text-fit.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { withUnitOnce } from '../text/numbers.ts';
import { isValueAxisNeeded, pixelWithin, rules, tickTexts, type ValueAxis } from './axes/value-axis.ts';
import { isDrawnWhole, showsZero, tickCount, valueScale, withRoom } from './axes/value-scale.ts';

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
interface Demands {
  readonly extent: readonly [low: number, high: number];
  /** The positions of the categories between two ends of their axis. */
  readonly bandScaleIn: (from: number, to: number) => BandScale;
  readonly valueLabels: LabelNeeds | undefined;
  /** True if a card shows the last value in large digits, and names only its first and its last point. */
  readonly isCard?: boolean;
}

/** What written values need from the axes. */
export interface LabelNeeds {
  /** The unit that all values share, if there is one. The ticks of the axis have this unit too if possible. */
  readonly unit: number | undefined;
  /** The space that a label needs beyond its mark. */
  readonly room: number;
  /** True if every value is written at its mark. */
  readonly areAll: boolean;
}

export function placePlot(chart: Chart, outer: Box, demands: Demands): Plot {
  const { isHorizontal, theme, sizes } = chart;
  const { fontSize, hairline, showsAxes } = sizes;
  const titles = titlesOf(chart, outer);
  const [below, left] = titles.map((title) => (title === '' ? 0 : fontSize * (lineHeight + 0.4)));
  const bounds = { ...outer, left: outer.left + (left ?? 0), bottom: outer.bottom - (below ?? 0) };
  const [low, high] = limitedExtent(demands.extent, chart.valueAxis);
  const scaleOf = chart.valueAxis.isLog ? logScale : valueScale;
  const isHidden =
    !showsAxes ||
    demands.isCard === true ||
    (demands.valueLabels?.areAll === true && !isValueAxisNeeded(chart));
  const scale = scaleOf(low, high, isHidden ? 0 : tickCount(chart, bounds), chart.numbers, {
    ...chart.valueAxis,
    valuesUnit: demands.valueLabels?.unit,
    isWhole: isDrawnWhole(chart),
  });
  const numbers = showsAxes ? withUnitOnce(scale.ticks).map(({ text }) => text) : [];
  const frameOf = isHorizontal ? frameBeside : frameAbove;
  const roomBelow = roomBelowOf(chart, demands);
  const { frame, bandScale, categories } = frameOf(chart, bounds, { ...demands, roomBelow, numbers });
  const axis = { ...frame, isHorizontal, scale };
  const hasZero = showsZero(scale);
  const length = isHorizontal ? frame.right - frame.left : frame.bottom - frame.top;
  const room = isHorizontal ? widest(numbers, sizes.small) + fontSize * 0.4 : fontSize;
  const ticks = withUnitOnce(withRoom(scale, (room - 0.01) / length));
  const places = ticks.map(({ value }) => pixelWithin(axis, value));
  const grid = rules(places, axis, theme.ink.grid, hairline);
  const base = pixelWithin(axis, 0);
  const zero = rules(hasZero ? [base] : [], axis, theme.ink.zero, hairline);
  // Without bars and without zero at the foot, a line there carries the tick marks of times and names.
  const isAtFoot = chartKinds[chart.kind].hasBands || (hasZero && scale.low === 0);
  const foot = rules(isAtFoot ? [] : [frame.bottom + roomBelow], axis, theme.ink.leader, hairline);
  const texts = tickTexts(ticks, axis, sizes, theme.ink);
  return {
    ...axis,
    bandScale,
    base: Math.round(base),
    roomBelow,
    grid: showsAxes ? [grid] : [],
    axes: showsAxes ? [zero, foot, texts, ...categories, ...axisTitles(titles, outer, frame, chart)] : [],
  };
}

/** What a frame also depends on: the numbers on the axis, which may be none. */
type Framing = Demands & Pick<Plot, 'roomBelow'> & Readonly<{ numbers: readonly string[] }>;
type Framed = Pick<Plot, 'bandScale'> & Readonly<{ frame: Box; categories: readonly Shape[] }>;

/** The frame of a plot with the categories below it and the values at its left. */
function frameAbove(chart: Chart, bounds: Box, framing: Framing, inset = 0): Framed {
  const { bandScaleIn, valueLabels, isCard = false, numbers, roomBelow } = framing;
  const { fontSize, small, showsAxes } = chart.sizes;
  const space = numbers.length > 0 ? widest(numbers, small) + fontSize * 0.8 : 0;
  const left = Math.round(bounds.left + space + inset);
  const right = Math.round(bounds.right);
  const roomAbove = Math.max(valueLabels?.room ?? 0, showsAxes ? fontSize * 0.6 : 0);
  const top = Math.round(bounds.top + roomAbove);
  const bandScale = bandScaleIn(left, right);
  const place = (): PlacedLabels =>
    chart.times === undefined || isCard
      ? placeCategories(chart, bandScale, bounds, isCard)
      : placeTimes(chart, chart.times, bandScale, bounds.bottom);
  const categories = showsAxes ? place() : { top: bounds.bottom, shapes: [] };
  if (categories.inset !== undefined) return frameAbove(chart, bounds, framing, inset + categories.inset);
  const bottom = Math.round(categories.top - roomBelow);
  return { frame: { left, top, right, bottom }, bandScale, categories: categories.shapes };
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
  const categories = placeCategoriesBeside(chart, bandScale, bounds);
  const left = Math.max(categories.right + roomBelow, bounds.left + halfOf(numbers[0]));
  const right = bounds.right - Math.max(valueLabels?.room ?? 0, halfOf(numbers.at(-1)));
  const frame = { left: Math.round(left), top, right: Math.round(right), bottom };
  return { frame, bandScale, categories: categories.shapes };
}

/** The space for value labels beyond the lowest value. Where an axis begins at zero, few labels would be below it. */
function roomBelowOf(chart: Chart, { extent: [low], valueLabels }: Demands): number {
  const { kind, series, valueAxis } = chart;
  if (valueLabels === undefined) return 0;
  const isBelowZero = series.some(({ values }) => values.some((value) => (value ?? 0) < 0));
  const startsThere = chartKinds[kind].hasBands ? !isBelowZero : low === 0 || valueAxis.min === 0;
  return startsThere ? 0 : valueLabels.room;
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
 * The titles of the horizontal and the vertical axis; empty if the picture is too small. The title of the x axis is
 * vertical if bars are horizontal.
 */
function titlesOf(
  { isHorizontal, xTitle, yTitle, sizes: { fontSize, showsAxes } }: Chart,
  { left, top, right, bottom }: Box,
): readonly [level: string, upright: string] {
  const [level, upright] = isHorizontal ? [yTitle, xTitle] : [xTitle, yTitle];
  const [width, height] = [right - left, bottom - top];
  const hasRoom = (title: string, length: number): boolean =>
    showsAxes && length >= Math.min(textWidth(title, fontSize) * 0.6, fontSize * 12);
  return [
    height >= fontSize * 9 && hasRoom(level, width - fontSize * 4) ? level : '',
    width >= fontSize * 16 && hasRoom(upright, height - fontSize * 3) ? upright : '',
  ];
}

/** The titles of the axes, at the edges of `outer` and in the middle of their axes. */
function axisTitles(
  [level, upright]: readonly [level: string, upright: string],
  outer: Box,
  { left, top, right, bottom }: Box,
  { theme, sizes: { fontSize: size } }: Chart,
): readonly Texts[] {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const style = { kind: 'texts', size, fill: theme.ink.value, anchor: 'middle' } as const;
  const below = { x, y: outer.bottom - size * 0.1, text: shortened(level, right - left, { size }) };
  const beside = { x: outer.left + size * 0.8, y, text: shortened(upright, bottom - top, { size }) };
  return [
    { ...style, texts: [below] },
    { ...style, angle: 90, texts: [beside] },
  ].filter(({ texts }) => texts.some(({ text }) => text !== ''));
}
