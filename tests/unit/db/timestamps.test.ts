import { describe, expect, it } from 'vitest';
import { timestampFromPostgres } from '../../../server/src/db/timestamps.ts';

describe('timestampFromPostgres', () => {
  it.each([
    ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
    ['2026-11-21 09:30:00.12+00', '2026-11-21T09:30:00.120Z'],
    ['2026-11-21 09:30:00.123+00', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21 11:30:00.5+02', '2026-11-21T09:30:00.500Z'],
  ])('%s is %s', (text, timestamp) => {
    expect(timestampFromPostgres(text)).toBe(timestamp);
  });
});
