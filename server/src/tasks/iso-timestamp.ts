/**
 * Converts a date (as midnight UTC) or date-time of ISO 8601, in extended or basic format, to a timestamp in UTC. A
 * date-time without a zone is taken as UTC. After a zone, suffixes in brackets (RFC 9557) are ignored, because they do
 * not change the instant. Returns undefined for any other text.
 */
export function timestampFromText(text: string): string | undefined {
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) return undefined;
  const { year, month, day, hour = '00', minute = '00', second = '00', fraction = '0' } = parts;
  const { sign, zoneHour = '', zoneMinute = '00' } = parts;
  const date = [year, month, day].join('-');
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`;
  const parsed = new Date(`${date}T${hour}:${minute}:${second}.${fraction}${zone}`);
  // JavaScript converts 30 February, for example, to 2 March.
  if (Number.isNaN(parsed.getTime()) || !new Date(date).toISOString().startsWith(date)) return undefined;
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
