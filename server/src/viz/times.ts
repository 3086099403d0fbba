/** The times in labels, in milliseconds since 1970, UTC. */
export interface Times {
  readonly at: Readonly<Float64Array>;
  /** The finest unit in the labels. */
  readonly unit: TimeUnit;
}

/** Units of time from the coarsest to the finest. */
export const timeUnits = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * The times of labels if all of them are dates or date-times of ISO 8601, otherwise undefined. Four-digit numbers count
 * as years only if the request says that labels are times.
 */
export function timesOf(labels: readonly string[], isTime: boolean): Times | undefined {
  const times: Time[] = [];
  for (const label of labels) {
    const time = parseTime(label);
    if (time === undefined) return undefined;
    times.push(time);
  }
  const at = Float64Array.from(times, (time) => time.at);
  const finest = times.reduce((most, { unit }) => Math.max(most, timeUnits.indexOf(unit)), -1);
  const unit = timeUnits[finest];
  if (unit === undefined || (unit === 'year' && !isTime)) return undefined;
  return { at, unit: finest > dayRank && isMidnight(at) ? 'day' : unit };
}

const dayRank = timeUnits.indexOf('day');
const dayMs = 86_400_000;

function isMidnight(at: Readonly<Float64Array>): boolean {
  return at.every((time) => time % dayMs === 0);
}

const iso =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-]\d\d):?(\d\d))?)?)?)?$/i;

interface Time {
  readonly at: number;
  readonly unit: TimeUnit;
}

/** Parses 2026, 2026-01, 2026-01-31, 2026-01-31T18:30 and so on. A time without an offset is in UTC. */
export function parseTime(label: string): Time | undefined {
  const match = iso.exec(label);
  if (match === null) return undefined;
  const part = (group: number, otherwise: number): number => Number(match[group] ?? otherwise);
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  const date = new Date(0);
  const midnight = date.setUTCFullYear(year, month - 1, day);
  // JavaScript would convert 31 April to 1 May.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const millisecond = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const sign = match[8]?.startsWith('-') === true ? -1 : 1;
  const offset = part(8, 0) * 60 + sign * part(9, 0);
  const at = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond;
  if (match[4] === undefined)
    return { at, unit: match[2] === undefined ? 'year' : match[3] === undefined ? 'month' : 'day' };
  if (millisecond > 0) return { at, unit: 'millisecond' };
  return { at, unit: second > 0 ? 'second' : minute > 0 ? 'minute' : 'hour' };
}

/** The indexes that sort the times; undefined if they are already sorted. */
export function timeOrder({ at }: Times): readonly number[] | undefined {
  if (at.every((time, i) => i === 0 || (at[i - 1] ?? 0) <= time)) return undefined;
  return Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b);
}
