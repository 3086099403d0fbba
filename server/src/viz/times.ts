/** The times that labels name, in milliseconds since 1970 in UTC. */
export interface Times {
  readonly at: Readonly<Float64Array>;
  /** The finest unit that the labels have. */
  readonly unit: TimeUnit;
}

/** Units of time from the coarsest to the finest. */
export const timeUnits = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * The times of labels if all of them are dates or date-times of ISO 8601, else undefined. Unless the request says that
 * they are times, numbers with four digits are not taken for years.
 */
export function timesOf(labels: readonly { readonly label: string }[], isTime: boolean): Times | undefined {
  // Most labels are not times, and the first shows it.
  if (parseTime(labels[0]?.label ?? '') === undefined) return undefined;
  const at = new Float64Array(labels.length);
  let finest = 0;
  for (let i = 0; i < labels.length; i++) {
    const time = parseTime(labels[i]?.label ?? '');
    if (time === undefined) return undefined;
    at[i] = time.at;
    finest = Math.max(finest, timeUnits.indexOf(time.unit));
  }
  const unit = timeUnits[finest] ?? 'millisecond';
  if (unit === 'year' && !isTime) return undefined;
  return { at, unit: finest > dayRank && isMidnight(at) ? 'day' : unit };
}

const dayRank = timeUnits.indexOf('day');
const dayMs = 86_400_000;

function isMidnight(at: Readonly<Float64Array>): boolean {
  return at.every((time) => time % dayMs === 0);
}

const isoDate = /^\d{4}(?:-\d\d){0,2}$/;
const isoTime = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-]\d\d):?(\d\d))?$/i;

interface Time {
  readonly at: number;
  readonly unit: TimeUnit;
}

/** Reads 2026, 2026-01, 2026-01-31, 2026-01-31T18:30 and so on. A time without an offset is in UTC. */
export function parseTime(label: string): Time | undefined {
  const date = label.length > 10 ? label.slice(0, 10) : label;
  if (!isoDate.test(date)) return undefined;
  const [year, month, day] = [digits(date, 0, 4), digits(date, 5, 2), digits(date, 8, 2)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const midnight = midnightOf(year, month, day);
  if (label.length <= 10) {
    return { at: midnight, unit: date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day' };
  }
  if (!'Tt '.includes(label.charAt(10))) return undefined;
  return parseTimeOfDay(label.slice(11), midnight);
}

/** The number that some digits are; 1 where the text has ended. */
function digits(text: string, from: number, count: number): number {
  if (text.length <= from) return 1;
  let number = 0;
  for (let i = from; i < from + count; i++) number = number * 10 + text.charCodeAt(i) - 48;
  return number;
}

function midnightOf(year: number, month: number, day: number): number {
  // Date.UTC reads years below 100 as years of the last century.
  return year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
}

function parseTimeOfDay(text: string, midnight: number): Time | undefined {
  const match = isoTime.exec(text);
  if (match === null) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const millisecond = match[4] === undefined ? 0 : Math.trunc(Number(`0.${match[4]}`) * 1000);
  const sign = match[5]?.startsWith('-') === true ? -1 : 1;
  const offset = Number(match[5] ?? 0) * 60 + sign * Number(match[6] ?? 0);
  const at = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond;
  return { at, unit: unitOf(minute, second, millisecond) };
}

function unitOf(minute: number, second: number, millisecond: number): TimeUnit {
  if (millisecond > 0) return 'millisecond';
  if (second > 0) return 'second';
  return minute > 0 ? 'minute' : 'hour';
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The indexes of the times in their order; undefined if they are in order already. */
export function timeOrder({ at }: Times): readonly number[] | undefined {
  let isSorted = true;
  for (let i = 1; i < at.length; i++) if ((at[i - 1] ?? 0) > (at[i] ?? 0)) isSorted = false;
  return isSorted ? undefined : Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b);
}
