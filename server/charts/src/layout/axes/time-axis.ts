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
import type { Rules, Texts } from '../../scene.ts';
import { type Times, type TimeUnit, timeUnits } from '../../request/times.ts';
import { placeOf, type BandScale } from './band-scale.ts';
import { lineHeight } from '../sizes.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';

interface Placed {
  readonly top: number;
  readonly shapes: readonly (Texts | Rules)[];
}

/** Bars may be labelled at these intervals: every second bar, every third, and so on. */
const thinnings = [1, 2, 3, 4, 6, 7, 12, 24] as const;

/** The smallest of these intervals, or multiple of 48, that is at least `least`. */
export function timeThinning(least: number): number {
  return thinnings.find((each) => each >= least) ?? 48 * Math.ceil(least / 48);
}

interface Label {
  readonly x: number;
  /** The time, on one line or with the larger unit that contains it on a second line. */
  readonly lines: readonly string[];
}

interface Axis {
  readonly locale: string;
  readonly size: number;
  readonly width: number;
  readonly isTwoLines: boolean;
}

/**
 * Writes times below the plot. If points are placed by time, ticks are at whole units of time. Bars are at equal
 * distances, so each has the label of its own time.
 */
export function placeTimes(chart: Chart, times: Times, bandScale: BandScale, bottom: number): Placed {
  const { sizes } = chart;
  if (!sizes.showsAxes) return { top: bottom, shapes: [] };
  const size = sizes.fontSize;
  const isTwoLines = sizes.height >= sizes.fontSize * 14;
  const axis = { locale: chart.locale, size, width: sizes.width, isTwoLines };
  const { labels, marks } = bandScale.places
    ? labelsOfTicks(times, bandScale.places, axis)
    : labelsOfPoints(times, bandScale, axis);
  const lines = Math.max(...labels.map((each) => each.lines.length));
  const top = bottom - size * (lines * lineHeight + 0.7);
  const texts = labels.flatMap(({ x, lines }) =>
    lines.map((text, line) => ({ x, y: top + size * (1.5 + line * lineHeight), text })),
  );
  const style = { size, fill: chart.theme.ink.label, anchor: 'middle' } as const;
  const { hairline } = sizes;
  const rules = marks.map((x) => {
    const middle = Math.round(x) + (hairline % 2) / 2;
    return [middle, Math.round(top), middle, Math.round(top) + Math.round(size * 0.35)];
  });
  const marked: readonly Rules[] =
    marks.length === 0
      ? []
      : [{ kind: 'rules', stroke: chart.theme.ink.zero, width: hairline, lines: rules }];
  return { top, shapes: [...marked, { kind: 'texts', ...style, texts }] };
}

interface Labels {
  readonly labels: readonly Label[];
  readonly marks: readonly number[];
}

/** The densest ticks whose texts do not touch. */
function labelsOfTicks({ at, wall, instantOf, unit }: Times, places: ArrayLike<number>, axis: Axis): Labels {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  const [from, to] = [places[0] ?? 0, places[places.length - 1] ?? 0];
  const xOf = (time: number): number =>
    last === first ? from : from + ((time - first) / (last - first)) * (to - from);
  const countMax = (to - from) / (axis.size * 3);
  for (const { unit: tickUnit, times } of timeTicks(wall[0] ?? 0, wall.at(-1) ?? 0, unit, countMax)) {
    const marks = times.map((time) => xOf(instantOf(time)));
    const labels = labelsAt(times, marks, tickUnit, axis);
    if (areApart(labels, axis.size)) return { labels, marks };
  }
  return { labels: labelsAt([wall[0] ?? 0], [from], unit, axis), marks: [from] };
}

/** The labels of as many points as fit. */
function labelsOfPoints({ wall: at, unit }: Times, bandScale: BandScale, axis: Axis): Labels {
  const shown = (every: number): readonly Label[] => {
    const indexes = range(0, at.length, every);
    const places = indexes.map((index) => placeOf(bandScale, index));
    return labelsAt(
      indexes.map((index) => at[index] ?? 0),
      places,
      unit,
      axis,
    );
  };
  let every = timeThinning(axis.size / bandScale.step);
  let labels = shown(every);
  while (!areApart(labels, axis.size)) {
    every = timeThinning(every + 1);
    labels = shown(every);
  }
  return { labels, marks: [] };
}

function labelsAt(
  times: readonly number[],
  places: readonly number[],
  unit: TimeUnit,
  axis: Axis,
): readonly Label[] {
  return timeTexts(times, unit, axis.locale).map(({ text, context, whole }, i) => {
    const oneLine = textWidth(whole, axis.size) <= axis.width / 2 ? whole : text;
    const lines = !axis.isTwoLines ? [oneLine] : context === '' ? [text] : [text, context];
    const half = widest(lines, axis.size) / 2;
    return { lines, x: Math.min(Math.max(places[i] ?? 0, half + 1), axis.width - half - 1) };
  });
}

/** Returns true if no two texts on the same line touch. */
function areApart(labels: readonly Label[], size: number): boolean {
  const ends = [-Infinity, -Infinity];
  return labels.every(({ x, lines }) =>
    lines.every((text, line) => {
      const half = textWidth(text, size) / 2;
      const isApart = x - half >= (ends[line] ?? 0) + size * 0.6;
      ends[line] = x + half;
      return isApart;
    }),
  );
}

/** Times along an axis, and the unit in which they are written. */
interface TimeTicks {
  readonly unit: TimeUnit;
  readonly times: readonly number[];
}

interface Step {
  readonly unit: TimeUnit;
  readonly ms: number;
  readonly interval: CountableTimeInterval;
  readonly multiple: number;
}

const day = 86_400_000;
const steps: readonly Step[] = [
  ...multiples('millisecond', 1, utcMillisecond, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...multiples('second', 1000, utcSecond, [1, 2, 5, 10, 15, 30]),
  ...multiples('minute', 60_000, utcMinute, [1, 2, 5, 10, 15, 30]),
  ...multiples('hour', 3_600_000, utcHour, [1, 2, 3, 6, 12]),
  ...multiples('day', day, utcDay, [1]),
  ...multiples('day', 7 * day, utcMonday, [1]),
  ...multiples('week', 7 * day, utcMonday, [1]),
  ...multiples('month', 30 * day, utcMonth, [1, 3, 6]),
  ...multiples('quarter', 30 * day, utcMonth, [3]),
  ...multiples('year', 365 * day, utcYear, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]),
];

function multiples(
  unit: TimeUnit,
  ms: number,
  interval: CountableTimeInterval,
  counts: readonly number[],
): readonly Step[] {
  return counts.map((multiple) => ({ unit, ms: ms * multiple, interval, multiple }));
}

/**
 * Ticks at whole units of time, densest first: at most `countMax` ticks, and none finer than the unit of the labels.
 */
function* timeTicks(first: number, last: number, unit: TimeUnit, countMax: number): Generator<TimeTicks> {
  const finest = timeUnits.indexOf(unit);
  for (const { unit, ms, interval, multiple } of steps) {
    const isOther = (unit === 'week' || unit === 'quarter') && unit !== timeUnits[finest];
    if (isOther || timeUnits.indexOf(unit) > finest || (last - first) / ms > countMax) continue;
    const each = multiple === 1 ? interval : interval.every(multiple);
    const times = each?.range(new Date(first), new Date(last + 1)).map(Number) ?? [];
    if (times.length > 0) yield { unit, times };
  }
}
