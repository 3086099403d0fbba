/** The OID of `timestamp with time zone` in `pg_type`. */
export const timestamptzOid = 1184;

/**
 * Converts what Postgres writes for a timestamptz(3) in UTC: `2026-11-21 09:30:00.12+00` becomes
 * `2026-11-21T09:30:00.120Z`.
 */
export function timestampFromPostgres(text: string): string {
  // With other session settings, for example, days and months would be exchanged.
  if (!text.endsWith('+00')) throw new Error(`Postgres wrote the time "${text}", not ISO 8601 in UTC.`);
  const milliseconds = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

/** The current time, in the format of the database and of responses. */
export function timestamp(): string {
  return new Date().toISOString();
}
