import type { Chart } from '../request/chart.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import { chartKinds } from '../request/chart-kinds.ts';
import type { Values } from '../request/series.ts';
import { placeCategories, type PlacedCategories } from './axes/categories.ts';
import { placeCategoriesBeside } from './axes/categories-beside.ts';
import { limitedExtent } from './axes/extent.ts';
import { logScale } from './axes/log-scale.ts';
import { lineHeight, type BandScale, type Box } from './sizes.ts';
import { placeTimes } from './axes/time-axis.ts';
import { shortened } from '../text/text-fit.ts';
import { textWidth } from '../text/text-width.ts';
import { withUnitOnce } from '../text/numbers.ts';
import { isValueAxisNeeded, pixelAt, rules, tickTexts, widestOf, type ValueAxis } from './axes/value-axis.ts';
import { isDrawnWhole, tickCount, valueScale, withRoom, type Tick } from './axes/value-scale.ts';

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
  const bounds = withoutAxisTitles(chart, outer);
  const { isHorizontal, theme, sizes } = chart;
  const { fontSize, hairline, showsAxes } = sizes;
  const [low, high] = limitedExtent(demands.extent, chart.valueAxis);
  const scaleOf = chart.valueAxis.isLog ? logScale : valueScale;
  const scale = scaleOf(low, high, tickCount(chart, bounds), chart.numbers, {
    ...chart.valueAxis,
    valuesUnit: demands.valueLabels?.unit,
    isWhole: isDrawnWhole(chart),
    isHidden: demands.isCard === true || (demands.valueLabels?.areAll === true && !isValueAxisNeeded(chart)),
  });
  const numbers = withUnitOnce(scale.ticks);
  const frameOf = isHorizontal ? frameBeside : frameAbove;
  const roomBelow = roomBelowOf(chart, demands);
  const { frame, bandScale, categories } = frameOf(chart, bounds, { ...demands, roomBelow }, numbers);
  const axis = { ...frame, isHorizontal, scale };
  const [start, end] = isHorizontal ? [frame.left, frame.right] : [frame.bottom, frame.top];
  const zeroAt = pixelAt(axis, 0);
  const base = scale.showsZero ? zeroAt : low > 0 ? start : end;
  const room = isHorizontal ? widestOf(numbers, chart.sizes) + fontSize * 0.4 : fontSize;
  const ticks = withUnitOnce(withRoom(scale, Math.abs(end - start), room));
  const places = ticks.map(({ at }) => start + at * (end - start));
  const grid = rules(places, axis, theme.ink.grid, hairline);
  const zero = rules(scale.showsZero ? [zeroAt] : [], axis, theme.ink.zero, hairline);
  // Without bars and without zero at the foot, a line there carries the tick marks of times and names.
  const isAtFoot = chartKinds[chart.kind].hasBands || (scale.showsZero && scale.low === 0);
  const foot = rules(isAtFoot ? [] : [frame.bottom + roomBelow], axis, theme.ink.leader, hairline);
  const texts = tickTexts(ticks, axis, sizes, theme.ink);
  return {
    ...axis,
    bandScale,
    base: Math.round(base),
    roomBelow,
    grid: showsAxes ? [grid] : [],
    axes: showsAxes ? [zero, foot, texts, ...categories, ...axisTitles(chart, outer, frame)] : [],
  };
}

type Framing = Demands & Pick<Plot, 'roomBelow'>;
type Framed = Pick<Plot, 'bandScale'> & Readonly<{ frame: Box; categories: readonly Shape[] }>;

/** The frame of a plot with the categories below it and the values at its left. */
function frameAbove(chart: Chart, bounds: Box, demands: Framing, ticks: readonly Tick[], inset = 0): Framed {
  const { fontSize, showsAxes } = chart.sizes;
  const texts = showsAxes && ticks.length > 0 ? widestOf(ticks, chart.sizes) + fontSize * 0.8 : 0;
  const left = Math.round(bounds.left + texts + inset);
  const right = Math.round(bounds.right);
  const roomAbove = Math.max(demands.valueLabels?.room ?? 0, showsAxes ? fontSize * 0.6 : 0);
  const top = Math.round(bounds.top + roomAbove);
  const bandScale = demands.bandScaleIn(left, right);
  const categories: PlacedCategories =
    chart.times === undefined
      ? placeCategories(chart, bandScale, bounds, demands.isCard)
      : placeTimes(chart, chart.times, bandScale, bounds.bottom, demands.isCard);
  if (categories.inset !== undefined)
    return frameAbove(chart, bounds, demands, ticks, inset + categories.inset);
  const bottom = Math.round(categories.top - demands.roomBelow);
  return { frame: { left, top, right, bottom }, bandScale, categories: categories.shapes };
}

/** The frame of a plot with the categories at its left and the values below it. */
function frameBeside(chart: Chart, bounds: Box, demands: Framing, ticks: readonly Tick[]): Framed {
  const { fontSize, showsAxes } = chart.sizes;
  const ends = showsAxes ? [ticks.slice(0, 1), ticks.slice(-1)] : [];
  const [first = 0, last = 0] = ends.map((tick) => widestOf(tick, chart.sizes) / 2);
  const top = Math.round(bounds.top);
  const bottom = Math.round(bounds.bottom - (showsAxes && ticks.length > 0 ? fontSize * 1.5 : 0));
  // The labels of reference lines are above the first bar.
  const roomAbove = chart.lines.some(({ label }) => label !== '') ? fontSize * 0.8 : 0;
  const bandScale = demands.bandScaleIn(top + roomAbove, bottom);
  const categories = placeCategoriesBeside(chart, bandScale, bounds);
  const left = Math.max(categories.right + demands.roomBelow, bounds.left + first);
  const right = bounds.right - Math.max(demands.valueLabels?.room ?? 0, last);
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

/** The bounds without the space for the titles of the axes. */
function withoutAxisTitles(chart: Chart, bounds: Box): Box {
  const { left, bottom } = titlesOf(chart, bounds);
  const space = chart.sizes.fontSize * (lineHeight + 0.4);
  return {
    ...bounds,
    left: bounds.left + (left === '' ? 0 : space),
    bottom: bounds.bottom - (bottom === '' ? 0 : space),
  };
}

/** The titles of the axes, at the edges of `bounds` and in the middle of their axes. */
function axisTitles(chart: Chart, bounds: Box, frame: Box): readonly Texts[] {
  const { left, bottom } = titlesOf(chart, bounds);
  const size = chart.sizes.fontSize;
  const [x, y] = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
  const style = { kind: 'texts', size, fill: chart.theme.ink.value, anchor: 'middle' } as const;
  const level = shortened(bottom, frame.right - frame.left, { size });
  const upright = shortened(left, frame.bottom - frame.top, { size });
  return [
    { ...style, texts: [{ x, y: bounds.bottom - size * 0.1, text: level }] },
    { ...style, angle: 90, texts: [{ x: bounds.left + size * 0.8, y, text: upright }] },
  ].filter(({ texts }) => texts.some(({ text }) => text !== ''));
}

/**
 * The titles at the left and at the bottom; empty if the picture is too small. The title of the x axis is vertical if
 * bars are horizontal.
 */
function titlesOf(
  { isHorizontal, xTitle, yTitle, sizes: { fontSize, showsAxes } }: Chart,
  { left, top, right, bottom }: Box,
): { readonly left: string; readonly bottom: string } {
  const [level, upright] = isHorizontal ? [yTitle, xTitle] : [xTitle, yTitle];
  const [width, height] = [right - left, bottom - top];
  const hasRoom = (title: string, length: number): boolean =>
    showsAxes && length >= Math.min(textWidth(title, fontSize) * 0.6, fontSize * 12);
  return {
    left: width >= fontSize * 16 && hasRoom(upright, height - fontSize * 3) ? upright : '',
    bottom: height >= fontSize * 9 && hasRoom(level, width - fontSize * 4) ? level : '',
  };
}
