import { LRUCache } from 'lru-cache';
import { dayMs, isAtLeast, type TimeUnit } from '../request/times.ts';
import { plain, storedMax } from './number-formats.ts';

/**
 * Writes times in UTC. `text` is the hour, day, month or year. `context` is the larger unit, such as the day of an
 * hour, where it has changed since the previous time. `whole` is both on one line.
 */
export function timeTexts(
  times: readonly number[],
  unit: TimeUnit,
  locale: string,
): readonly { readonly text: string; readonly context: string; readonly whole: string }[] {
  const format = formatsByLocale.memo(locale);
  const fields = ownFields(unit, format);
  let previous: Date | undefined;
  return times.map((time) => {
    // A week belongs to the year of its Thursday.
    const date = new Date(unit === 'week' ? time + 3 * dayMs : time);
    const larger = contextOf(date, previous, unit);
    previous = date;
    const number = ordinal(unit, date);
    const text = number ?? format(fields, date);
    if (larger === undefined) return { text, context: '', whole: text };
    const context = format(larger, date);
    return { text, context, whole: number ? `${number} ${context}` : format({ ...fields, ...larger }, date) };
  });
}

/** The number of a quarter or an ISO week of the year, which Intl does not write. */
function ordinal(unit: TimeUnit, date: Date): string | undefined {
  if (unit === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
  if (unit !== 'week') return undefined;
  return `W${Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / dayMs / 7) + 1}`;
}

type Fields = Intl.DateTimeFormatOptions;

const time = { hour: 'numeric', minute: '2-digit' } as const;
const own: Readonly<Record<TimeUnit, Fields>> = {
  year: { year: 'numeric' },
  quarter: { month: 'short' },
  month: { month: 'short' },
  week: { day: 'numeric' },
  day: { day: 'numeric' },
  hour: { hour: 'numeric' },
  minute: time,
  second: { ...time, second: '2-digit' },
  millisecond: { ...time, second: '2-digit', fractionalSecondDigits: 3 },
};

/** The fields of a unit. An hour also has minutes in languages that would write it as a bare number. */
function ownFields(unit: TimeUnit, format: Format): Fields {
  const isBare = unit === 'hour' && /^\p{Nd}+$/u.test(format(own.hour, new Date(0)));
  return own[isBare ? 'minute' : unit];
}

/** The fields of larger units that differ from the previous time. */
function contextOf(date: Date, previous: Date | undefined, unit: TimeUnit): Fields | undefined {
  // The lengths below assume years of four digits. Labels cannot have years with a sign or more digits.
  const isNew = (length: number): boolean =>
    date.toISOString().slice(0, length) !== previous?.toISOString().slice(0, length);
  const parts: Fields = {
    ...(!isAtLeast(unit, 'year') && isNew(4) && { year: 'numeric' }),
    ...(!isAtLeast(unit, 'week') && isNew(7) && { month: 'short' }),
    ...(!isAtLeast(unit, 'day') && isNew(10) && { month: 'short', day: 'numeric' }),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
}

type Format = (fields: Fields, date: Date) => string;

const formatsByLocale = new LRUCache<string, Format>({ max: storedMax, memoMethod: formatOf });

/** Writes dates in the Gregorian calendar, because labels in ISO 8601 use it. */
function formatOf(locale: string): Format {
  const formats: Record<string, Intl.DateTimeFormat> = {};
  return (fields, date) => {
    const options = { ...fields, calendar: 'gregory', timeZone: 'UTC' };
    const format = (formats[Object.keys(fields).join()] ??= new Intl.DateTimeFormat(locale, options));
    return plain(format.format(date));
  };
}
