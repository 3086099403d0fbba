/** The OID of `timestamp with time zone` in `pg_type`. */
export const timestamptzOid = 1184;

/** `2026-11-21 09:30:00.12+00`, as Postgres writes a timestamptz(3) in UTC -> `2026-11-21T09:30:00.120Z`. */
export function timestampFromPostgres(text: string): string {
  // Another session setting would exchange days and months, for example.
  if (!text.endsWith('+00')) throw new Error(`Postgres wrote the time "${text}", not ISO 8601 in UTC.`);
  const milliseconds = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

/** The current time, as the database and the wire have it. */
export function timestamp(): string {
  return new Date().toISOString();
}
