import type { Chart } from '../chart.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import type { Values } from '../series.ts';
import type { Ink } from '../theme.ts';
import { axisTitles, withoutAxisTitles } from './axis-titles.ts';
import type { BandScale } from './band-scale.ts';
import { placeCategories } from './categories.ts';
import { placeCategoriesBeside } from './categories-beside.ts';
import { limitedExtent } from './extent.ts';
import { logScale } from './log-scale.ts';
import { capHeight, type Box } from './sizes.ts';
import { widest } from './text-width.ts';
import { placeTimes } from './time-axis.ts';
import {
  tickCount,
  withRoom,
  scaled,
  shareAt,
  valueScale,
  type Tick,
  type ValueScale,
} from './value-scale.ts';

/** The area between the axes: its scales, and the shapes around and behind the data. */
export interface Plot extends Box {
  readonly bandScale: BandScale;
  readonly scale: ValueScale;
  /** The values run from left to right, and the categories from top to bottom. */
  readonly isHorizontal: boolean;
  /** Where bars and areas start: at zero, or at the edge nearest to zero. */
  readonly base: number;
  readonly grid: readonly Shape[];
  readonly axes: readonly Shape[];
}

/** What a kind of chart needs from the axes. */
interface Demands {
  readonly extent: readonly [low: number, high: number];
  /** The positions of the categories between two ends of their axis. */
  readonly bandScaleIn: (from: number, to: number) => BandScale;
  readonly valueLabels: ValueLabelDemands | undefined;
  /** True if value labels also take space beyond the lowest value. */
  readonly hasValueLabelsBelow?: boolean;
}

interface ValueLabelDemands {
  /** The unit of the values, if they have one in common. The ticks of the axis may have it too. */
  readonly unit: number | undefined;
  /** The space that a label needs beyond the highest value. */
  readonly room: number;
}

export function placePlot(chart: Chart, outer: Box, demands: Demands): Plot {
  const bounds = withoutAxisTitles(chart, outer);
  const {
    isHorizontal,
    theme: { ink },
    sizes: { fontSize, hairline, showsText },
  } = chart;
  const [low, high] = limitedExtent(demands.extent, chart.valueAxis);
  const count = tickCount(chart, [low, high], bounds);
  const limits = { ...chart.valueAxis, valuesUnit: demands.valueLabels?.unit };
  const scale = (limits.isLog ? logScale : valueScale)(low, high, count, chart.numbers, limits);
  const { frame, bandScale, categories } = (isHorizontal ? frameBeside : frameAbove)(
    chart,
    bounds,
    demands,
    scale.ticks,
  );
  const axis = { ...frame, isHorizontal, scale };
  const [start, end] = isHorizontal ? [frame.left, frame.right] : [frame.bottom, frame.top];
  const zeroAt = pixelAt(axis, 0);
  const base = scale.showsZero ? zeroAt : low > 0 ? start : end;
  const textSpace = isHorizontal ? widestOf(scale.ticks, fontSize) + fontSize * 0.4 : fontSize;
  const ticks = withRoom(scale, Math.abs(end - start), textSpace);
  const grid = rules(
    ticks.map(({ at }) => start + at * (end - start)),
    axis,
    ink.grid,
    hairline,
  );
  const zero = rules([scale.showsZero ? zeroAt : start], axis, ink.zero, hairline);
  const axes = [zero, tickTexts(ticks, axis, fontSize, ink), ...categories];
  return {
    ...axis,
    bandScale,
    base: Math.round(base),
    grid: showsText ? [grid] : [],
    axes: showsText ? [...axes, ...axisTitles(chart, outer, frame)] : [],
  };
}

interface Framed {
  readonly frame: Box;
  readonly bandScale: BandScale;
  readonly categories: readonly Shape[];
}

/** The frame of a plot with the categories below it and the values at its left. */
function frameAbove(chart: Chart, bounds: Box, demands: Demands, ticks: readonly Tick[]): Framed {
  const { fontSize, showsText } = chart.sizes;
  const texts = showsText ? widestOf(ticks, fontSize) + fontSize * 0.8 : 0;
  const left = Math.round(bounds.left + texts);
  const right = Math.round(bounds.right);
  const top = Math.round(
    bounds.top + (showsText ? Math.max(demands.valueLabels?.room ?? 0, fontSize * 0.6) : 0),
  );
  const bandScale = demands.bandScaleIn(left, right);
  const categories =
    chart.times === undefined
      ? placeCategories(chart, bandScale, bounds.bottom)
      : placeTimes(chart, chart.times, bandScale, bounds.bottom);
  const bottom = Math.round(categories.top - roomBelow(demands));
  return { frame: { left, top, right, bottom }, bandScale, categories: categories.shapes };
}

/** The frame of a plot with the categories at its left and the values below it. */
function frameBeside(chart: Chart, bounds: Box, demands: Demands, ticks: readonly Tick[]): Framed {
  const { fontSize, showsText } = chart.sizes;
  const [first, last] = [ticks.slice(0, 1), ticks.slice(-1)].map((tick) => widestOf(tick, fontSize) / 2);
  const top = Math.round(bounds.top);
  const bottom = Math.round(bounds.bottom - (showsText ? fontSize * 1.5 : 0));
  const bandScale = demands.bandScaleIn(top, bottom);
  const categories = placeCategoriesBeside(chart, bandScale, bounds);
  const left = showsText
    ? Math.max(categories.right + roomBelow(demands), bounds.left + (first ?? 0))
    : bounds.left;
  const right = showsText ? bounds.right - Math.max(demands.valueLabels?.room ?? 0, last ?? 0) : bounds.right;
  const frame = { left: Math.round(left), top, right: Math.round(right), bottom };
  return { frame, bandScale, categories: categories.shapes };
}

function roomBelow({ valueLabels, hasValueLabelsBelow = false }: Demands): number {
  return hasValueLabelsBelow ? (valueLabels?.room ?? 0) : 0;
}

/**
 * The coordinates of a line's points, NaN where a value is missing. The loop computes what `pixelAt` does, three times
 * as fast as calling it.
 */
export function placePoints(values: Values, plot: Plot): Coordinates {
  const { start, step, places } = plot.bandScale;
  const { isLog, decade, low, high } = plot.scale;
  const height = (plot.bottom - plot.top) / (high - low);
  const { bottom } = plot;
  const placed = new Float64Array(values.length * 2);
  for (let i = 0; i < values.length; i++) {
    placed[2 * i] = places?.[i] ?? start + i * step;
    const value = values[i] ?? NaN;
    const y = bottom - ((isLog ? Math.log10(value) : scaled(value, decade)) - low) * height;
    placed[2 * i + 1] = Math.min(Math.max(y, -farOutside), farOutside);
  }
  return placed;
}

// Outside every picture, but small enough for exact calculations.
const farOutside = 1e6;

type ValueAxis = Box & Pick<Plot, 'scale' | 'isHorizontal'>;

/** The coordinate of a value: x on a horizontal value axis, y on a vertical one. */
export function pixelAt({ scale, isHorizontal, left, top, right, bottom }: ValueAxis, value: number): number {
  const share = shareAt(scale, value);
  return isHorizontal ? left + share * (right - left) : bottom - share * (bottom - top);
}

/** The coordinate of a value, limited to the ends of the axis. */
export function pixelWithin(axis: ValueAxis, value: number): number {
  const [low, high] = axis.isHorizontal ? [axis.left, axis.right] : [axis.top, axis.bottom];
  return Math.min(Math.max(pixelAt(axis, value), low), high);
}

/** Returns true if a value is beyond the limits of the axis. */
export function isOutside(axis: ValueAxis, value: number): boolean {
  return Math.abs(pixelWithin(axis, value) - pixelAt(axis, value)) > 0.5;
}

function widestOf(ticks: readonly Tick[], fontSize: number): number {
  return widest(
    ticks.map(({ text }) => text),
    fontSize * 0.92,
  );
}

/** Lines across the value axis. They are in the middle of pixel rows or columns, where they are sharp. */
function rules(
  places: readonly number[],
  { isHorizontal, left, top, right, bottom }: ValueAxis,
  stroke: Rules['stroke'],
  width: number,
): Rules {
  const lines = places.map((place) => {
    const at = Math.round(place) + (width % 2) / 2;
    return isHorizontal ? [at, top, at, bottom] : [left, at, right, at];
  });
  return { kind: 'rules', stroke, width, lines };
}

function tickTexts(ticks: readonly Tick[], axis: ValueAxis, fontSize: number, ink: Ink): Texts {
  const { isHorizontal, left, top, right, bottom } = axis;
  const size = fontSize * 0.92;
  const texts = ticks.map(({ at, text }) =>
    isHorizontal
      ? { x: left + at * (right - left), y: bottom + fontSize * 1.3, text }
      : { x: left - fontSize * 0.8, y: bottom - at * (bottom - top) + (size * capHeight) / 2, text },
  );
  const anchor = isHorizontal ? 'middle' : 'end';
  return { kind: 'texts', size, fill: ink.label, anchor, texts };
}
