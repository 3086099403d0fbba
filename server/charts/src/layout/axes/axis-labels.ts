import { max } from 'd3-array';
import {
  utcDay,
  utcHour,
  utcMillisecond,
  utcMinute,
  utcMonday,
  utcMonth,
  utcSecond,
  utcYear,
  type CountableTimeInterval,
} from 'd3-time';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import { dayMs, isAtLeast, type Times, type TimeUnit } from '../../request/times.ts';
import type { Rules, Text, Texts } from '../../scene.ts';
import { textWidth } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';
import { lineHeight } from '../sizes.ts';
import { rules } from './value-axis.ts';

/** Labels below the plot, and where the plot may end. */
export interface PlacedLabels {
  readonly top: number;
  readonly shapes: readonly (Texts | Rules)[];
  /** The space at the left of the plot that turned labels need beyond what there is. They are not placed then. */
  readonly inset?: number;
}

/** The size and the colour of labels. The names of bars are more prominent than the labels of points and times. */
export function labelStyle({ kind, times, sizes, theme }: Chart): Pick<Texts, 'size' | 'fill'> {
  return chartKinds[kind].hasBands && times === undefined
    ? { size: sizes.fontSize, fill: theme.ink.value }
    : { size: sizes.small, fill: theme.ink.label };
}

/**
 * Labels that are centred at these places, but inside the picture. Undefined if two of them are closer to each other
 * than a gap, which is in units of the text size. Labels of points have tick marks, except on a card.
 */
export function labelsBelow(
  places: readonly number[],
  labels: readonly (readonly string[])[],
  chart: Chart,
  bottom: number,
  isCard = false,
  gap = chart.times === undefined ? 0.6 : 1,
): PlacedLabels | undefined {
  const { kind, theme, sizes } = chart;
  const style = labelStyle(chart);
  const { size } = style;
  const lineCount = max(labels, (lines) => lines.length) ?? 0;
  const top = bottom - size * (lineCount * lineHeight + 0.35);
  const ends: number[] = [];
  const texts: Text[] = [];
  for (const [i, lines] of labels.entries()) {
    for (const [line, text] of lines.entries()) {
      const half = textWidth(text, size) / 2;
      // No line begins to the left of the title.
      const rightmost = sizes.width - sizes.margin / 3 - half;
      const x = Math.min(Math.max(places[i] ?? 0, sizes.margin + half), rightmost);
      if (x - half < (ends[line] ?? -Infinity) + gap * size) return undefined;
      ends[line] = x + half;
      texts.push({ x, y: top + size * (1.35 + line * lineHeight), text });
    }
  }
  const [start, length] = [Math.round(top), Math.round(sizes.fontSize * 0.35)];
  const row = { isHorizontal: true, left: 0, right: 0, top: start, bottom: start + length };
  const hasTicks = !chartKinds[kind].hasBands && !isCard;
  const ticks = rules(hasTicks ? places : [], row, theme.ink.zero, sizes.hairline);
  return { top, shapes: [ticks, { kind: 'texts', ...style, anchor: 'middle', texts }] };
}

/**
 * The k of "every k-th label is shown": the smallest number of 1, 2, 5, 10, 20, 50 … that is at least `least`. Times
 * have usual numbers instead, such as 7 days, 12 months or 24 hours.
 */
export function thinning({ times }: Chart, least: number): number {
  if (times !== undefined)
    return [1, 2, 3, 4, 6, 7, 12, 24].find((each) => each >= least) ?? 48 * Math.ceil(least / 48);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return ([1, 2, 5].find((digit) => digit * power >= least) ?? 10) * power;
}

/** Every second day, also across months. `utcDay.every(2)` begins again with each month. */
const everySecondDay = utcDay.filter((day) => (Number(day) / dayMs) % 2 === 0);

/** Units of time, the finest first, and the multiples at which ticks may be. */
const steps: readonly (readonly [TimeUnit, CountableTimeInterval, readonly number[]])[] = [
  ['millisecond', utcMillisecond, [1, 2, 5, 10, 20, 50, 100, 200, 500]],
  ['second', utcSecond, [1, 2, 5, 10, 15, 30]],
  ['minute', utcMinute, [1, 2, 5, 10, 15, 30]],
  ['hour', utcHour, [1, 2, 3, 6, 12]],
  ['day', utcDay, [1, 2]],
  ['day', utcMonday, [1]],
  ['week', utcMonday, [1]],
  ['month', utcMonth, [1, 3, 6]],
  ['quarter', utcMonth, [3]],
  ['year', utcYear, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]],
];

/**
 * Writes times below points that are placed by time. Ticks are at whole units of time, none finer than the unit of the
 * labels, as dense as fits, or else only at the first point.
 */
export function placeTimes(
  chart: Chart,
  { at, wall, instantOf, wallOf, unit: finest }: Times,
  places: ArrayLike<number>,
  bottom: number,
): PlacedLabels {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  const [from, to] = [places[0] ?? 0, places[places.length - 1] ?? 0];
  const placeOfTime = (time: number): number =>
    last === first ? from : from + ((instantOf(time) - first) / (last - first)) * (to - from);
  const placed = (unit: TimeUnit, times: readonly number[]): PlacedLabels | undefined =>
    labelsBelow(times.map(placeOfTime), linesOfTimes(chart, unit, times), chart, bottom);
  const [start, end] = [new Date(wall[0] ?? 0), new Date((wall.at(-1) ?? 0) + 1)];
  for (const [unit, interval, multiples] of steps) {
    const isOther = (unit === 'week' || unit === 'quarter') && unit !== finest;
    if (isOther || !isAtLeast(unit, finest)) continue;
    for (const multiple of multiples) {
      if (interval.count(start, end) / multiple > (to - from) / (chart.sizes.small * 3)) continue;
      const each = interval === utcDay && multiple === 2 ? everySecondDay : interval.every(multiple);
      const times = each?.range(start, end).map(Number) ?? [];
      // Leaves out the hours that clocks skip, but no day whose midnight they skip.
      const shown = times.filter((time) => isAtLeast(unit, 'day') || wallOf(instantOf(time)) === time);
      const labels = shown.length > 0 ? placed(unit, shown) : undefined;
      if (labels !== undefined) return labels;
    }
  }
  return placed(finest, [wall[0] ?? 0]) ?? { top: bottom, shapes: [] };
}

/** Each time on one line, or with the larger unit that contains it on a second line. */
export function linesOfTimes(
  { locale, sizes: { small: size, fontSize, width, height } }: Chart,
  unit: TimeUnit,
  times: readonly number[],
): readonly (readonly string[])[] {
  return timeTexts(times, unit, locale).map(({ text, context, whole }) => {
    if (height >= fontSize * 14) return context === '' ? [text] : [text, context];
    return [textWidth(whole, size) <= width / 2 ? whole : text];
  });
}
