import { min, pairs } from 'd3-array';

/** The times in labels. */
export interface Times {
  /** Milliseconds since 1970, UTC. */
  readonly at: Readonly<Float64Array>;
  /** What clocks and calendars show at these times, as if it were UTC. */
  readonly wall: Readonly<Float64Array>;
  /** The time at which clocks show this. */
  readonly instantOf: (wall: number) => number;
  /** The finest unit in the labels. */
  readonly unit: TimeUnit;
}

/** Units of time from the coarsest to the finest. */
export const timeUnits = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * The times of labels if all of them are dates or date-times of ISO 8601, otherwise undefined. Four-digit numbers count
 * as years only if the request says that labels are times. Clocks are those of the time zone, or of the offset that all
 * labels have, or of UTC.
 */
export function timesOf(labels: readonly string[], isTime: boolean, timeZone?: string): Times | undefined {
  const times: Time[] = [];
  for (const label of labels) {
    const time = parseTime(label);
    if (time === undefined) return undefined;
    times.push(time);
  }
  const finest = times.reduce((most, { unit }) => Math.max(most, timeUnits.indexOf(unit)), -1);
  const unit = timeUnits[finest];
  if (unit === undefined || (unit === 'year' && !isTime)) return undefined;
  const common = times[0]?.offset ?? 0;
  const isCommon = times.every(({ offset }) => offset === common);
  const offsetAt = timeZone === undefined ? () => (isCommon ? common : 0) : offsetsIn(timeZone);
  const instantOf = (wall: number): number => wall - offsetAt(wall - offsetAt(wall));
  const at = Float64Array.from(times, ({ wall, offset }) =>
    offset === undefined ? instantOf(wall) : wall - offset,
  );
  const wall = at.map((each) => each + offsetAt(each));
  return { at, wall, instantOf, unit: finest > dayRank && isMidnight(wall) ? 'day' : unit };
}

const dayRank = timeUnits.indexOf('day');
const [minuteMs, dayMs] = [60_000, 86_400_000];

function isMidnight(wall: Times['wall']): boolean {
  return wall.every((time) => time % dayMs === 0);
}

/** The offset of a time zone from UTC by time, in milliseconds. */
function offsetsIn(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign = '', hours, minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(format.format(at)) ?? [];
    return hours === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
  };
}

/** Returns true if Intl knows the IANA name of a time zone. */
export function isKnownTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== '';
  } catch {
    return false;
  }
}

const iso =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-]\d\d):?(\d\d))?)?)?)?$/i;
const quarterOrWeek = /^(\d{4})-?(?:Q([1-4])|W(\d\d))$/i;

interface Time {
  readonly wall: number;
  /** Undefined if the label has none. */
  readonly offset: number | undefined;
  readonly unit: TimeUnit;
}

/** Parses 2026, 2026-Q1, 2026-01, 2026-W05, 2026-01-31, 2026-01-31T18:30 and so on. 24:00 is the end of a day. */
export function parseTime(label: string): Time | undefined {
  const match = iso.exec(label);
  if (match === null) return parseQuarterOrWeek(label);
  const part = (group: number, otherwise: number): number => Number(match[group] ?? otherwise);
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  const midnight = midnightOf(year, month, day);
  const millisecond = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const isEnd = hour === 24 && minute + second + millisecond === 0;
  if (midnight === undefined || (hour > 23 && !isEnd) || minute > 59 || second > 59) return undefined;
  const sign = match[9]?.startsWith('-') === true ? -1 : 1;
  const hasOffset = match[8] !== undefined || match[9] !== undefined;
  const offset = hasOffset ? (part(9, 0) * 60 + sign * part(10, 0)) * minuteMs : undefined;
  const wall = midnight + (hour * 60 + minute) * minuteMs + second * 1000 + millisecond;
  const coarse = match[2] === undefined ? 'year' : match[3] === undefined ? 'month' : 'day';
  const fine = millisecond > 0 ? 'millisecond' : second > 0 ? 'second' : minute > 0 ? 'minute' : 'hour';
  return { wall, offset, unit: match[4] === undefined ? coarse : fine };
}

/** Undefined for a day that does not exist: JavaScript would convert 31 April to 1 May. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  const midnight = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? midnight : undefined;
}

function parseQuarterOrWeek(label: string): Time | undefined {
  const [, year, quarter, week] = quarterOrWeek.exec(label) ?? [];
  if (quarter !== undefined)
    return { wall: Date.UTC(Number(year), Number(quarter) * 3 - 3), offset: undefined, unit: 'quarter' };
  // 4 January is always in the first week, which begins on a Monday.
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (Number(week) - 1) * 7 * dayMs;
  const isWeek = new Date(monday + 3 * dayMs).getUTCFullYear() === Number(year);
  return isWeek ? { wall: monday, offset: undefined, unit: 'week' } : undefined;
}

/**
 * The sorted times, and the index of each in the given order; no indexes if they are already sorted. With `isComplete`,
 * times that are missing between others are added, with the index -1.
 */
export function inTimeOrder(
  times: Times,
  isComplete: boolean,
): { readonly times: Times; readonly indexes: readonly number[] | undefined } {
  const { at, wall } = times;
  const isSorted = at.every((time, i) => i === 0 || (at[i - 1] ?? 0) <= time);
  const order = isSorted
    ? undefined
    : Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b);
  const inOrder = (list: Times['at']): Times['at'] =>
    order === undefined ? list : Float64Array.from(order, (i) => list[i] ?? 0);
  const sorted = { ...times, at: inOrder(at), wall: inOrder(wall) };
  const complete = isComplete ? withMissingTimes(sorted) : undefined;
  if (complete === undefined) return { times: sorted, indexes: order };
  return {
    times: complete.times,
    indexes: complete.indexes.map((index = -1) => order?.[index] ?? index),
  };
}

/** For bars at most this many times as many places as bars. */
const placesMax = 4;

/**
 * The sorted times, completed by the times that are missing between them, and for each the index of the given time.
 * Returns undefined if no time is missing, or if the times are not at equal distances.
 */
function withMissingTimes({
  wall,
  unit,
  instantOf,
}: Times): { readonly times: Times; readonly indexes: readonly (number | undefined)[] } | undefined {
  const isMonthly = timeUnits.indexOf(unit) <= timeUnits.indexOf('month');
  const steps = Array.from(wall, (time) => {
    const date = new Date(time);
    return isMonthly ? date.getUTCFullYear() * 12 + date.getUTCMonth() : time;
  });
  const least = min(pairs(steps, (a, b) => b - a)) ?? Infinity;
  const places = steps.map((step) => (step - (steps[0] ?? 0)) / least);
  const count = (places.at(-1) ?? 0) + 1;
  if (!(count > places.length && count <= placesMax * places.length && places.every(Number.isInteger)))
    return undefined;
  const indexes = Array.from<undefined, number | undefined>({ length: count }, () => undefined);
  places.forEach((place, i) => (indexes[place] = i));
  const filled = Float64Array.from(indexes, (index, place) => {
    const step = (steps[0] ?? 0) + place * least;
    return wall[index ?? -1] ?? (isMonthly ? Date.UTC(Math.floor(step / 12), step % 12) : step);
  });
  return { times: { at: filled.map(instantOf), wall: filled, instantOf, unit }, indexes };
}
