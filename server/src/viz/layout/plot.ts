import type { Chart, Point } from '../chart.ts';
import { ink } from '../palette.ts';
import type { Coordinates, Rules, Shape, Texts } from '../scene.ts';
import { placeCategories, type Steps } from './categories.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';
import { scaled, shareAt, valueScale, type Tick, type ValueScale } from './value-scale.ts';

/** The area between the axes: where each point stands, and what is drawn behind and around the data. */
export interface Plot extends Box {
  readonly steps: Steps;
  readonly scale: ValueScale;
  /** Where bars and areas begin: at zero, or at the edge that is nearest to it. */
  readonly base: number;
  readonly grid: readonly Shape[];
  readonly axes: readonly Shape[];
}

/** What the data asks of the axes. */
export interface Demands {
  readonly extent: readonly [low: number, high: number];
  readonly stepsIn: (left: number, right: number) => Steps;
  /** Whether there is writing above the highest and below the lowest value. */
  readonly above: boolean;
  readonly below: boolean;
}

export function placePlot(chart: Chart, room: Box, sizes: Sizes, demands: Demands): Plot {
  const { text, hair } = sizes;
  const [low, high] = demands.extent;
  const scale = valueScale(low, high, tickCount(chart, demands, room, sizes));
  const left = sizes.showsText ? room.left + widest(scale.ticks, text * 0.92) + text * 0.8 : room.left;
  const top = Math.round(room.top + (sizes.showsText ? text * (demands.above ? 1.5 : 0.6) : 0));
  const steps = demands.stepsIn(Math.round(left), Math.round(room.right));
  const categories = placeCategories(chart, steps, room.bottom, sizes);
  const bottom = Math.round(categories.top - (demands.below ? text * 1.5 : 0));
  const zeroY = yAt({ scale, top, bottom }, 0);
  const base = scale.showsZero ? zeroY : low > 0 ? bottom : top;
  const frame = { left: Math.round(left), top, right: Math.round(room.right), bottom };
  const ticks = withRoom(scale.ticks, bottom - top, text);
  const grid = rules(
    ticks.map((tick) => bottom - tick.at * (bottom - top)),
    frame,
    ink.grid,
    hair,
  );
  const zero = rules([scale.showsZero ? zeroY : bottom], frame, ink.zero, hair);
  return {
    ...frame,
    steps,
    scale,
    base: Math.round(base),
    grid: sizes.showsText ? [grid] : [],
    axes: sizes.showsText ? [zero, tickTexts(ticks, frame, text), ...categories.shapes] : [],
  };
}

/** Where the points of a line stand, at the heights of `yAt`; to read the plot anew for each would take three times as long. */
export function placePoints(points: readonly Point[], plot: Plot): Coordinates {
  const { first, step } = plot.steps;
  const { decade, low, high } = plot.scale;
  const height = (plot.bottom - plot.top) / (high - low);
  const { bottom } = plot;
  const placed = new Float64Array(points.length * 2);
  for (let i = 0; i < points.length; i++) {
    placed[2 * i] = first + i * step;
    placed[2 * i + 1] = bottom - (scaled(points[i]?.value ?? 0, decade) - low) * height;
  }
  return placed;
}

/** The height at which a value lies. */
export function yAt({ scale, top, bottom }: Pick<Plot, 'scale' | 'top' | 'bottom'>, value: number): number {
  return bottom - shareAt(scale, value) * (bottom - top);
}

/** As many ticks as there is height for; whole numbers have no ticks between them. */
function tickCount({ points }: Chart, { extent: [low, high] }: Demands, room: Box, sizes: Sizes): number {
  if (!sizes.showsText) return 6;
  const byHeight = Math.max(2, Math.min(7, Math.round((room.bottom - room.top) / (sizes.text * 5))));
  const isWhole =
    high - low >= 1 && high - low < byHeight && points.every(({ value }) => Number.isInteger(value));
  return isWhole ? high - low : byHeight;
}

/** Every tick, or every second or third from zero or the lowest, so that their numbers do not touch. */
function withRoom(ticks: readonly Tick[], height: number, text: number): readonly Tick[] {
  const gap = ((ticks[1]?.at ?? 1) - (ticks[0]?.at ?? 0)) * height;
  const every = Math.max(1, Math.ceil(text / Math.max(gap, 1)));
  const first = Math.max(
    0,
    ticks.findIndex((tick) => tick.text === '0'),
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

function tickTexts(ticks: readonly Tick[], { left, top, bottom }: Box, text: number): Texts {
  const size = text * 0.92;
  const texts = ticks.map((tick) => ({
    x: left - text * 0.8,
    y: bottom - tick.at * (bottom - top) + (size * capHeight) / 2,
    text: tick.text,
  }));
  return { kind: 'texts', size, weight: 'regular', fill: ink.label, anchor: 'end', angle: 0, texts };
}
