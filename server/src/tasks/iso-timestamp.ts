/**
 * Converts a date (as midnight UTC) or date-time of ISO 8601, in extended or basic format, to a timestamp in UTC. A
 * date-time without a zone is taken as UTC. After a zone, suffixes in brackets (RFC 9557) are ignored, because they do
 * not change the instant. Returns undefined for any other text.
 */
export function timestampFromText(text: string): string | undefined {
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) return undefined;
  const date = `${parts['year'] ?? ''}-${parts['month'] ?? ''}-${parts['day'] ?? ''}`;
  const time = `${parts['hour'] ?? '00'}:${parts['minute'] ?? '00'}:${parts['second'] ?? '00'}`;
  const zone =
    parts['sign'] === undefined
      ? 'Z'
      : `${parts['sign']}${parts['zoneHour'] ?? ''}:${parts['zoneMinute'] ?? '00'}`;
  const parsed = new Date(`${date}T${time}.${(parts['fraction'] ?? '').slice(0, 3).padEnd(3, '0')}${zone}`);
  if (Number.isNaN(parsed.getTime()) || !isCalendarDate(date)) return undefined;
  const timestamp = parsed.toISOString();
  // Postgres has no year 0, and cannot parse the sign of years outside 0000 to 9999.
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined;
}

const pattern = new RegExp(
  [
    String.raw`^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)`,
    String.raw`(?:[Tt ](?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?`,
    String.raw`(?:(?:[Zz]|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?)(?:\[[^[\]]+\])*)?)?$`,
  ].join(''),
);

/** Returns false for 30 February, for example, which JavaScript converts to 2 March. */
function isCalendarDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
