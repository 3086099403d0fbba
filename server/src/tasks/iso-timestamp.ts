/**
 * Converts a date (as midnight UTC) or date-time of ISO 8601, in its extended format, to a timestamp in UTC. A date-time
 * without a zone is taken as UTC. After a zone, suffixes in brackets (RFC 9557) are ignored, because they do not change
 * the instant. Returns undefined for any other text.
 */
export function timestampFromText(text: string): string | undefined {
  const [, date = '', time = '00:00', zone = 'Z'] = pattern.exec(text.trim()) ?? [];
  const [midnight, parsed] = [new Date(`${date}T00:00Z`), new Date(`${date}T${time}${zone.toUpperCase()}`)];
  if (Number.isNaN(parsed.getTime())) return undefined;
  // JavaScript converts 30 February to 2 March.
  if (!midnight.toISOString().startsWith(date)) return undefined;
  const timestamp = parsed.toISOString();
  // Postgres has no year 0, and cannot parse the sign of years outside 0000 to 9999.
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
}

const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:([Zz]|[+-]\d\d:?\d\d)(?:\[[^[\]]+\])*)?)?$/;
