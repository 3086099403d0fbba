import { Problem } from '../errors.ts';

/**
 * A date (its first moment in UTC) or date-time of ISO 8601 as a timestamp in UTC; undefined for any other text. A
 * date-time without a zone is taken as UTC.
 */
export function momentFromText(text: string): string | undefined {
  const [, date, time, zone] = pattern.exec(text.trim()) ?? [];
  if (date === undefined || !isCalendarDate(date)) return undefined;
  const moment = new Date(`${date}T${time ?? '00:00'}${zone?.toUpperCase() ?? 'Z'}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  const timestamp = moment.toISOString();
  // Years outside 0001 to 9999 have no plain form in ISO 8601, nor in Postgres.
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
}

/** The filters of a list that are moments, as timestamps. */
export function withMoments<Query extends MomentFilters>(query: Query): Query {
  const moments: MomentFilters = Object.fromEntries(
    names.flatMap((name) => {
      const text = query[name];
      return text === undefined ? [] : [[name, momentFromText(text) ?? refuseMoment(name)] as const];
    }),
  );
  return { ...query, ...moments };
}

const names = ['due_before', 'due_after', 'updated_since'] as const;
type MomentFilters = { readonly [Name in (typeof names)[number]]?: string };

/** The contract's formats let a few values through that are no moments, such as leap seconds. */
function refuseMoment(name: string): never {
  const detail = 'must be a moment between the years 1 and 9999';
  throw new Problem('VALIDATION_ERROR', `The query parameter "${name}" ${detail}.`, {
    errors: [{ pointer: `/query/${name}`, detail }],
  });
}

const pattern = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)([Zz]|[+-]\d\d:\d\d)?)?$/;

/** JavaScript reads 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}
