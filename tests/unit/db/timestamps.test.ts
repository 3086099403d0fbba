import { expect, it } from 'vitest';
import { timestampFromPostgres } from '../../../server/src/db/timestamps.ts';

it.each([
  ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
  ['2026-11-21 09:30:00.12+00', '2026-11-21T09:30:00.120Z'],
  ['2026-11-21 09:30:00.123+00', '2026-11-21T09:30:00.123Z'],
])('timestampFromPostgres reads %s as %s', (text, timestamp) => {
  expect(timestampFromPostgres(text)).toBe(timestamp);
});

it.each(['2026-11-21 11:30:00.5+02', '05/11/2026 09:30:00 UTC', '05.11.2026 09:30:00 UTC'])(
  '%s is rejected, because days and months could be exchanged',
  (text) => {
    const sentence = `Postgres wrote the time "${text}", not ISO 8601 in UTC.`;
    expect(() => timestampFromPostgres(text)).toThrow(sentence);
  },
);
