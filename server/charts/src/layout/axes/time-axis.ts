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
import type { Rules, Text, Texts } from '../../scene.ts';
import { dayMs, isAtLeast, type Times, type TimeUnit } from '../../request/times.ts';
import { lineHeight, placeOf, type BandScale } from '../sizes.ts';
import { textWidth } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';

/** The intervals at which bars may be labelled: every bar, every second, every third and so on. */
const thinnings = [1, 2, 3, 4, 6, 7, 12, 24] as const;

/** The smallest of `thinnings` and the multiples of 48 that is at least `least`. */
export function timeThinning(least: number): number {
  return thinnings.find((each) => each >= least) ?? 48 * Math.ceil(least / 48);
}

/** The time, on one line or with the larger unit that contains it on a second line. */
type Label = readonly Pick<Text, 'x' | 'text'>[];

/**
 * Writes times below the plot. If points are placed by time, ticks are at whole units of time. Bars are at equal
 * distances, so the labels are the times of bars. A card has only its first and its last time, without ticks.
 */
export function placeTimes(
  chart: Chart,
  times: Times,
  bandScale: BandScale,
  bottom: number,
  isCard = false,
): { readonly top: number; readonly shapes: readonly (Texts | Rules)[] } {
  const { small: size, showsAxes } = chart.sizes;
  if (!showsAxes) return { top: bottom, shapes: [] };
  const { labels, marks } =
    bandScale.places && !isCard
      ? labelsOfTicks(times, bandScale.places, chart)
      : { labels: (isCard ? labelsOfEnds : labelsOfPoints)(times, bandScale, chart), marks: [] };
  const lineCount = Math.max(...labels.map(({ length }) => length));
  const top = bottom - size * (lineCount * lineHeight + 0.7);
  const texts = labels.flatMap((lines) =>
    lines.map((each, line) => ({ ...each, y: top + size * (1.5 + line * lineHeight) })),
  );
  const names = { kind: 'texts', size, fill: chart.theme.ink.label, anchor: 'middle', texts } as const;
  return { top, shapes: [ticksBelow(marks, top, chart), names] };
}

/** Tick marks below the plot, at these x coordinates. */
export function ticksBelow(
  places: readonly number[],
  top: number,
  { sizes, theme }: Pick<Chart, 'sizes' | 'theme'>,
): Rules {
  const { fontSize, hairline } = sizes;
  const lines = places.map((x) => {
    const middle = Math.round(x) + (hairline % 2) / 2;
    return [middle, Math.round(top), middle, Math.round(top) + Math.round(fontSize * 0.35)];
  });
  return { kind: 'rules', stroke: theme.ink.zero, width: hairline, lines };
}

/** The densest ticks whose texts do not touch. */
function labelsOfTicks(
  { at, wall, instantOf, wallOf, unit }: Times,
  places: ArrayLike<number>,
  chart: Chart,
): { readonly labels: readonly Label[]; readonly marks: readonly number[] } {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  const [from, to] = [places[0] ?? 0, places[places.length - 1] ?? 0];
  const xOf = (time: number): number =>
    last === first ? from : from + ((time - first) / (last - first)) * (to - from);
  const size = chart.sizes.small;
  const countMax = (to - from) / (size * 3);
  for (const { unit: tickUnit, times } of timeTicks(wall[0] ?? 0, wall.at(-1) ?? 0, unit, countMax)) {
    // Leaves out the hours that clocks skip, but no day whose midnight they skip.
    const shown = times.filter((time) => isAtLeast(tickUnit, 'day') || wallOf(instantOf(time)) === time);
    const marks = shown.map((time) => xOf(instantOf(time)));
    const labels = labelsAt(shown, marks, tickUnit, chart);
    if (shown.length > 0 && areApart(labels, size)) return { labels, marks };
  }
  return { labels: labelsAt([wall[0] ?? 0], [from], unit, chart), marks: [from] };
}

/** The labels of as many points as fit. */
function labelsOfPoints({ wall: at, unit }: Times, bandScale: BandScale, chart: Chart): readonly Label[] {
  const size = chart.sizes.small;
  for (let every = timeThinning(size / bandScale.step); ; every = timeThinning(every + 1)) {
    const indexes = range(0, at.length, every);
    const times = indexes.map((index) => at[index] ?? 0);
    const places = indexes.map((index) => placeOf(bandScale, index));
    const labels = labelsAt(times, places, unit, chart);
    if (areApart(labels, size)) return labels;
  }
}

/** The labels of the first and the last point, or of the last if they would touch. */
function labelsOfEnds({ wall, unit }: Times, bandScale: BandScale, chart: Chart): readonly Label[] {
  const labelsOf = (indexes: readonly number[]): readonly Label[] =>
    labelsAt(
      indexes.map((index) => wall[index] ?? 0),
      indexes.map((index) => placeOf(bandScale, index)),
      unit,
      chart,
    );
  const last = wall.length - 1;
  const both = labelsOf([0, last]);
  return last > 0 && areApart(both, chart.sizes.small) ? both : labelsOf([last]);
}

function labelsAt(
  times: readonly number[],
  places: readonly number[],
  unit: TimeUnit,
  { locale, sizes: { small: size, fontSize, margin, width, height } }: Chart,
): readonly Label[] {
  return timeTexts(times, unit, locale).map(({ text, context, whole }, i) => {
    const oneLine = textWidth(whole, size) <= width / 2 ? whole : text;
    const lines = height < fontSize * 14 ? [oneLine] : context === '' ? [text] : [text, context];
    // No line begins to the left of the title.
    return lines.map((each) => {
      const half = textWidth(each, size) / 2;
      return { x: Math.min(Math.max(places[i] ?? 0, half + margin), width - half - 1), text: each };
    });
  });
}

/** Returns true if no two texts on the same line touch. */
function areApart(labels: readonly Label[], size: number): boolean {
  const ends = [-Infinity, -Infinity];
  return labels.every((lines) =>
    lines.every(({ x, text }, line) => {
      const half = textWidth(text, size) / 2;
      const isApart = x - half >= (ends[line] ?? 0) + size;
      ends[line] = x + half;
      return isApart;
    }),
  );
}

const everySecondDay = utcDay.filter((day) => (Number(day) / dayMs) % 2 === 0);

/** Units of time, the finest first: name, milliseconds, d3 interval, and the multiples at which ticks may be. */
const steps: readonly (readonly [TimeUnit, number, CountableTimeInterval, readonly number[]])[] = [
  ['millisecond', 1, utcMillisecond, [1, 2, 5, 10, 20, 50, 100, 200, 500]],
  ['second', 1000, utcSecond, [1, 2, 5, 10, 15, 30]],
  ['minute', 60_000, utcMinute, [1, 2, 5, 10, 15, 30]],
  ['hour', 3_600_000, utcHour, [1, 2, 3, 6, 12]],
  ['day', dayMs, utcDay, [1]],
  // Ticks on every second day, also across months, count as 1.3 days apart, so that several weeks prefer Mondays.
  ['day', 0.65 * dayMs, utcDay, [2]],
  ['day', 7 * dayMs, utcMonday, [1]],
  ['week', 7 * dayMs, utcMonday, [1]],
  ['month', 30 * dayMs, utcMonth, [1, 3, 6]],
  ['quarter', 30 * dayMs, utcMonth, [3]],
  ['year', 365 * dayMs, utcYear, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]],
];

/**
 * Ticks at whole units of time, densest first: at most `countMax` ticks, and none finer than the unit of the labels.
 */
function* timeTicks(
  first: number,
  last: number,
  finest: TimeUnit,
  countMax: number,
): Generator<{ readonly unit: TimeUnit; readonly times: readonly number[] }> {
  for (const [unit, ms, interval, multiples] of steps) {
    const isOther = (unit === 'week' || unit === 'quarter') && unit !== finest;
    if (isOther || !isAtLeast(unit, finest)) continue;
    for (const multiple of multiples) {
      if ((last - first) / (ms * multiple) > countMax) continue;
      const each = unit === 'day' && multiple === 2 ? everySecondDay : interval.every(multiple);
      const times = each?.range(new Date(first), new Date(last + 1)).map(Number) ?? [];
      if (times.length > 0) yield { unit, times };
    }
  }
}
