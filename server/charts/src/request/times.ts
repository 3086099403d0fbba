import { min, pairs } from 'd3-array';
import { utcMonth, utcYear } from 'd3-time';

/** The times in labels. */
export interface Times {
  /** Milliseconds since 1970, UTC. */
  readonly at: Readonly<Float64Array>;
  /** What clocks and calendars show at these times, in milliseconds as if that were UTC. */
  readonly wall: Readonly<Float64Array>;
  /** Returns the time, as in `at`, at which clocks show `wall`. */
  readonly instantOf: (wall: number) => number;
  /** Returns what clocks show at a time. */
  readonly wallOf: (at: number) => number;
  /** The finest unit in the labels. */
  readonly unit: TimeUnit;
}

/** Units of time from the coarsest to the finest. */
const timeUnits = [
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
 * as years only if the request says that labels are times. Clocks show the time zone, the offset that all labels have,
 * or UTC. Labels without an offset keep their own time, also if clocks skip it.
 */
export function timesOf(labels: readonly string[], isTime: boolean, timeZone?: string): Times | undefined {
  const times: Time[] = [];
  for (const label of labels) {
    const time = parseTime(label);
    if (time === undefined) return undefined;
    times.push(time);
  }
  const unit = timeUnits.findLast((each) => times.some((time) => time.unit === each));
  if (unit === undefined || (unit === 'year' && !isTime)) return undefined;
  const common = times[0]?.offset ?? 0;
  const isCommon = times.every(({ offset }) => offset === common);
  const offsetAt = timeZone === undefined ? () => (isCommon ? common : 0) : offsetsIn(timeZone);
  const wallOf = (at: number): number => at + offsetAt(at);
  const instantOf = (wall: number): number => wall - offsetAt(wall - offsetAt(wall));
  const at = Float64Array.from(times, ({ wall, offset }) =>
    offset === undefined ? instantOf(wall) : wall - offset,
  );
  const wall = at.map((time, i) => (times[i]?.offset === undefined ? (times[i]?.wall ?? 0) : wallOf(time)));
  return { at, wall, instantOf, wallOf, unit: coarsest(unit, wall) };
}

/** The unit of times: days if all are midnights, and months or years if all are their first days. */
function coarsest(unit: TimeUnit, wall: Times['wall']): TimeUnit {
  if (isAtLeast(unit, 'week') || (unit !== 'day' && wall.some((time) => time % dayMs !== 0))) return unit;
  const areFirst = (interval: typeof utcYear): boolean =>
    wall.length > 1 && wall.every((time) => interval.floor(new Date(time)).getTime() === time);
  return areFirst(utcYear) ? 'year' : areFirst(utcMonth) ? 'month' : 'day';
}

/** Returns true if a unit is as long as another one, or longer. */
export function isAtLeast(unit: TimeUnit, other: TimeUnit): boolean {
  return timeUnits.indexOf(unit) <= timeUnits.indexOf(other);
}

const minuteMs = 60_000;
export const dayMs = 86_400_000;

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
    // Asking Intl takes longer than drawing an SVG.
    return timeZone === 'UTC' || new Intl.DateTimeFormat('en', { timeZone }).format() !== '';
  } catch {
    return false;
  }
}

const iso =
  /^\d{4}(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?:(Z)|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?)?)?$/i;
const quarterOrWeek = /^(\d{4})-?(?:Q([1-4])|W(\d\d)(?:-([1-7]))?)$/i;

interface Time {
  readonly wall: number;
  /** The offset from UTC; undefined if the label has none. */
  readonly offset?: number | undefined;
  readonly unit: TimeUnit;
}

/** Parses 2026, 2026-Q1, 2026-01, 2026-W05-1, 2026-01-31, 2026-01-31T18:30 and so on. 24:00 is the end of a day. */
export function parseTime(label: string): Time | undefined {
  const match = iso.exec(label);
  if (match === null) return parseQuarterOrWeek(label);
  const [, month, day, clock, zulu, sign, hours, minutes = 0] = match;
  const midnight = Date.parse(label.slice(0, 10));
  // JavaScript converts 31 April to 1 May.
  const isOtherDay = day !== undefined && new Date(midnight).getUTCDate() !== Number(day);
  if (Number.isNaN(midnight) || isOtherDay) return undefined;
  if (clock === undefined)
    return { wall: midnight, unit: month === undefined ? 'year' : day === undefined ? 'month' : 'day' };
  const clockMs = Date.parse(`1970-01-01T${clock.replace(',', '.')}Z`);
  if (Number.isNaN(clockMs)) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  const offset = zulu !== undefined ? 0 : sign === undefined ? undefined : Number(`${sign}1`) * size;
  const [second, minute, hour] = [1000, minuteMs, 60 * minuteMs].map((ms) => clockMs % ms === 0);
  const unit = !second ? 'millisecond' : !minute ? 'second' : !hour ? 'minute' : 'hour';
  return { wall: midnight + clockMs, offset, unit };
}

function parseQuarterOrWeek(label: string): Time | undefined {
  const [, year, quarter, week, weekday] = quarterOrWeek.exec(label) ?? [];
  if (quarter !== undefined)
    return { wall: Date.UTC(Number(year), Number(quarter) * 3 - 3), unit: 'quarter' };
  // 4 January is always in the first week, which begins on a Monday.
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (Number(week) - 1) * 7 * dayMs;
  const isWeek = new Date(monday + 3 * dayMs).getUTCFullYear() === Number(year);
  const wall = monday + (Number(weekday ?? 1) - 1) * dayMs;
  return isWeek ? { wall, unit: weekday === undefined ? 'week' : 'day' } : undefined;
}

/** The indexes of times in their order; undefined if the times are sorted. */
export function orderOf({ at }: Times): readonly number[] | undefined {
  const isSorted = at.every((time, i) => i === 0 || (at[i - 1] ?? 0) <= time);
  return isSorted ? undefined : Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
}

/** Missing times are added only if there are then at most this many places for each bar. */
const placesMax = 4;
const epoch = new Date(0);

/**
 * Adds missing times to sorted times. Times that are all the last days of months or years count as months or years.
 * Days and longer units must be regular on clocks, and shorter units in elapsed time. `indexes` are the indexes before,
 * -1 for an added time; undefined if none or too many times are missing, or if distances are irregular.
 */
export function withMissingTimes(times: Times): {
  readonly times: Times;
  readonly indexes?: readonly number[];
} {
  const { at, wall, instantOf, wallOf } = times;
  const nextDay = (time: number): number => time + dayMs;
  const unit = coarsest(times.unit, wall.map(nextDay));
  const isMonthly = isAtLeast(unit, 'month');
  const onDays = isAtLeast(unit, 'day') ? wall : at;
  const steps = isMonthly ? wall.map((time) => utcMonth.count(epoch, new Date(time))) : onDays;
  const [first, step] = [steps[0] ?? 0, min(pairs(steps, (a, b) => b - a)) ?? Infinity];
  const places = steps.map((time) => (time - first) / step);
  const count = (places.at(-1) ?? 0) + 1;
  const isRegular = places.every(Number.isInteger);
  if (!isRegular || count === wall.length || count > placesMax * wall.length)
    return { times: { ...times, unit } };
  const filled = Float64Array.from({ length: count }, (_, place) => first + place * step);
  const months = isMonthly ? filled.map((month) => utcMonth.offset(epoch, month).getTime()) : filled;
  const [onClocks, inTime] = onDays === at ? [filled.map(wallOf), filled] : [months, months.map(instantOf)];
  const indexes = Array<number>(count).fill(-1);
  places.forEach((place, i) => (indexes[place] = i));
  return { times: { at: inTime, wall: onClocks, instantOf, wallOf, unit }, indexes };
}
