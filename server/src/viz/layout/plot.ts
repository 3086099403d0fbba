import type { Chart, Point } from '../chart.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import type { Ink } from '../theme.ts';
import { axisTitles, withoutAxisTitles } from './axis-titles.ts';
import { placeCategories, type BandScale } from './categories.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';
import { scaled, shareAt, valueScale, type Tick, type ValueScale } from './value-scale.ts';

/** The area between the axes: the scales, and the shapes behind and around the data. */
export interface Plot extends Box {
  readonly bandScale: BandScale;
  readonly scale: ValueScale;
  /** The baseline of bars and areas: at zero, or at the edge nearest to it. */
  readonly base: number;
  readonly grid: readonly Shape[];
  readonly axes: readonly Shape[];
}

/** What the chart kind requires of the axes. */
interface Demands {
  readonly extent: readonly [low: number, high: number];
  readonly bandScaleIn: (left: number, right: number) => BandScale;
  /** Whether text stands above the highest and below the lowest value. */
  readonly above: boolean;
  readonly below: boolean;
}

export function placePlot(chart: Chart, outer: Box, sizes: Sizes, demands: Demands): Plot {
  const bounds = withoutAxisTitles(chart, outer, sizes);
  const { fontSize, hairline } = sizes;
  const { ink } = chart.theme;
  const [low, high] = demands.extent;
  const scale = valueScale(low, high, tickCount(chart, demands, bounds, sizes), chart.numbers);
  const left = sizes.showsText
    ? bounds.left + widest(scale.ticks, fontSize * 0.92) + fontSize * 0.8
    : bounds.left;
  const top = Math.round(bounds.top + (sizes.showsText ? fontSize * (demands.above ? 1.5 : 0.6) : 0));
  const bandScale = demands.bandScaleIn(Math.round(left), Math.round(bounds.right));
  const categories = placeCategories(chart, bandScale, bounds.bottom, sizes);
  const bottom = Math.round(categories.top - (demands.below ? fontSize * 1.5 : 0));
  const zeroY = yAt({ scale, top, bottom }, 0);
  const base = scale.showsZero ? zeroY : low > 0 ? bottom : top;
  const frame = { left: Math.round(left), top, right: Math.round(bounds.right), bottom };
  const ticks = withRoom(scale, bottom - top, fontSize);
  const grid = rules(
    ticks.map((tick) => bottom - tick.at * (bottom - top)),
    frame,
    ink.grid,
    hairline,
  );
  const zero = rules([scale.showsZero ? zeroY : bottom], frame, ink.zero, hairline);
  return {
    ...frame,
    bandScale,
    scale,
    base: Math.round(base),
    grid: sizes.showsText ? [grid] : [],
    axes: sizes.showsText
      ? [
          zero,
          tickTexts(ticks, frame, fontSize, ink),
          ...categories.shapes,
          ...axisTitles(chart, outer, frame, sizes),
        ]
      : [],
  };
}

/** The points of a line, at the heights of `yAt`, in a loop of its own that is three times as fast as calling it. */
export function placePoints(points: readonly Point[], plot: Plot): Coordinates {
  const { start, step } = plot.bandScale;
  const { decade, low, high } = plot.scale;
  const height = (plot.bottom - plot.top) / (high - low);
  const { bottom } = plot;
  const placed = new Float64Array(points.length * 2);
  for (let i = 0; i < points.length; i++) {
    placed[2 * i] = start + i * step;
    placed[2 * i + 1] = bottom - (scaled(points[i]?.value ?? 0, decade) - low) * height;
  }
  return placed;
}

/** The y coordinate of a value. */
export function yAt({ scale, top, bottom }: Pick<Plot, 'scale' | 'top' | 'bottom'>, value: number): number {
  return bottom - shareAt(scale, value) * (bottom - top);
}

/** As many ticks as the height allows; values that are all whole get no ticks between whole numbers. */
function tickCount(chart: Chart, { extent: [low, high] }: Demands, bounds: Box, sizes: Sizes): number {
  if (!sizes.showsText) return 6;
  const byHeight = Math.max(2, Math.min(7, Math.round((bounds.bottom - bounds.top) / (sizes.fontSize * 5))));
  const isWhole = high - low >= 1 && high - low < byHeight && isDrawnWhole(chart);
  return isWhole ? high - low : byHeight;
}

function isDrawnWhole({ points, series, isStacked }: Chart): boolean {
  if (series.length === 0 || isStacked) return points.every(({ value }) => Number.isInteger(value));
  return series.every(({ values }) =>
    values.every((value) => value === undefined || Number.isInteger(value)),
  );
}

/** Every tick, or every second or third, counted from zero or the lowest, so that their numbers do not touch. */
function withRoom(scale: ValueScale, height: number, fontSize: number): readonly Tick[] {
  const { ticks } = scale;
  const zeroAt = shareAt(scale, 0);
  const gap = ((ticks[1]?.at ?? 1) - (ticks[0]?.at ?? 0)) * height;
  const every = Math.max(1, Math.ceil(fontSize / Math.max(gap, 1)));
  const first = Math.max(
    0,
    ticks.findIndex((tick) => tick.at === zeroAt),
  );
  return ticks.filter((_, i) => (i - first) % every === 0);
}

function widest(ticks: readonly { readonly text: string }[], size: number): number {
  return ticks.reduce((most, tick) => Math.max(most, textWidth(tick.text, size)), 0);
}

/** Horizontal lines in the middle of pixel rows, where they are sharp. */
function rules(
  heights: readonly number[],
  { left, right }: Box,
  stroke: Rules['stroke'],
  width: number,
): Rules {
  const lines = heights.map((height) => {
    const y = Math.round(height) + (width % 2) / 2;
    return [left, y, right, y];
  });
  return { kind: 'rules', stroke, width, lines };
}

function tickTexts(ticks: readonly Tick[], { left, top, bottom }: Box, fontSize: number, ink: Ink): Texts {
  const size = fontSize * 0.92;
  const texts = ticks.map((tick) => ({
    x: left - fontSize * 0.8,
    y: bottom - tick.at * (bottom - top) + (size * capHeight) / 2,
    text: tick.text,
  }));
  return { kind: 'texts', size, weight: 'regular', fill: ink.label, anchor: 'end', angle: 0, texts };
}
