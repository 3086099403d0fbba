import { range } from 'd3-array';
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
import type { Chart } from '../../request/chart.ts';
import { dayMs, isAtLeast, type Times, type TimeUnit } from '../../request/times.ts';
import { labelsBelow, type AxisLabel, type PlacedLabels } from './labels-below.ts';
import { placeOf, type BandScale } from '../sizes.ts';
import { textWidth } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';

/** The smallest number of times between labels that is at least `least`, such as 12 months, 7 days or 24 hours. */
export function timeThinning(least: number): number {
  return [1, 2, 3, 4, 6, 7, 12, 24].find((each) => each >= least) ?? 48 * Math.ceil(least / 48);
}

/**
 * Writes times below the plot. If points are placed by time, ticks are at whole units of time. Bars are at equal
 * distances, so the labels are the times of bars.
 */
export function placeTimes(chart: Chart, times: Times, bandScale: BandScale, bottom: number): PlacedLabels {
  const { small: size } = chart.sizes;
  const { places } = bandScale;
  const choices = places === undefined ? barTimes(times, bandScale, size) : wholeTimes(times, places, size);
  const style = { size, fill: chart.theme.ink.label, gap: size, hasTicks: places !== undefined };
  const placed = choices.map((choice) => labelsBelow(labelsOf(choice, chart), style, chart, bottom));
  return placed.find((each) => each !== undefined) ?? { top: bottom, shapes: [] };
}

/** Times that may be labelled together, and their x coordinates. */
interface Choice {
  readonly unit: TimeUnit;
  readonly times: readonly number[];
  readonly marks: readonly number[];
}

/** All bars, then every second bar, and so on. */
function* barTimes({ wall, unit }: Times, bandScale: BandScale, size: number): Generator<Choice> {
  for (let every = timeThinning(size / bandScale.step); ; every = timeThinning(every + 1)) {
    const indexes = range(0, wall.length, every);
    const times = indexes.map((index) => wall[index] ?? 0);
    yield { unit, times, marks: indexes.map((index) => placeOf(bandScale, index)) };
  }
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
 * Whole units of time, none finer than the unit of the labels, the densest first; at last only the time of the first
 * point.
 */
function* wholeTimes(
  { at, wall, instantOf, wallOf, unit: finest }: Times,
  places: ArrayLike<number>,
  size: number,
): Generator<Choice> {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  const [from, to] = [places[0] ?? 0, places[places.length - 1] ?? 0];
  const markOf = (time: number): number =>
    last === first ? from : from + ((instantOf(time) - first) / (last - first)) * (to - from);
  const [start, end] = [new Date(wall[0] ?? 0), new Date((wall.at(-1) ?? 0) + 1)];
  for (const [unit, interval, multiples] of steps) {
    const isOther = (unit === 'week' || unit === 'quarter') && unit !== finest;
    if (isOther || !isAtLeast(unit, finest)) continue;
    for (const multiple of multiples) {
      if (interval.count(start, end) / multiple > (to - from) / (size * 3)) continue;
      const each = interval === utcDay && multiple === 2 ? everySecondDay : interval.every(multiple);
      const times = each?.range(start, end).map(Number) ?? [];
      // Leaves out the hours that clocks skip, but no day whose midnight they skip.
      const shown = times.filter((time) => isAtLeast(unit, 'day') || wallOf(instantOf(time)) === time);
      if (shown.length > 0) yield { unit, times: shown, marks: shown.map(markOf) };
    }
  }
  yield { unit: finest, times: [wall[0] ?? 0], marks: [from] };
}

/** Each time on one line, or with the larger unit that contains it on a second line. */
function labelsOf(
  { unit, times, marks }: Choice,
  { locale, sizes: { small: size, fontSize, width, height } }: Chart,
): readonly AxisLabel[] {
  return timeTexts(times, unit, locale).map(({ text, context, whole }, i) => {
    const oneLine = textWidth(whole, size) <= width / 2 ? whole : text;
    const lines = height < fontSize * 14 ? [oneLine] : context === '' ? [text] : [text, context];
    return { at: marks[i] ?? 0, lines };
  });
}
