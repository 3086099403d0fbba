import { describe, expect, it } from 'vitest';
import { parseTime, timesOf } from '../src/request/times.ts';

const iso = (label: string): string | undefined => {
  const time = parseTime(label);
  return time && new Date(time.wall - (time.offset ?? 0)).toISOString();
};

describe('parseTime', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0050-02-28', '0050-02-28T00:00:00.000Z'],
    ['2026-01-31T18:30', '2026-01-31T18:30:00.000Z'],
    ['2026-01-31 18:30:05', '2026-01-31T18:30:05.000Z'],
    ['2026-01-31T18:30:05.1239Z', '2026-01-31T18:30:05.123Z'],
    ['2026-01-31T18:30+02:00', '2026-01-31T16:30:00.000Z'],
    ['2026-01-31T18:30:00-0530', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T24:00', '2026-02-01T00:00:00.000Z'],
    ['2026-Q2', '2026-04-01T00:00:00.000Z'],
    ['2026-W01', '2025-12-29T00:00:00.000Z'],
    ['2026-W01-3', '2025-12-31T00:00:00.000Z'],
    ['2026-01-31t18:30z', '2026-01-31T18:30:00.000Z'],
  ])('reads %s', (label, expected) => {
    expect(iso(label)).toBe(expected);
  });

  it.each([
    '',
    'Monday',
    '2026-13',
    '2026-02-29',
    '2026-1-1',
    '2026-01-31T24:01',
    '2026-Q5',
    '2026-W53-8',
    '2025-W53',
    '2026-01-31T18',
    '2026-01-31T18:60',
    '2026-01-31T18:30+24:00',
    '2026-01-31T18:30:60',
    '2026-01-31Z',
    '2026-01-31T18:30 GMT',
    '20260131',
  ])('refuses %j', (label) => {
    expect(parseTime(label)).toBeUndefined();
  });
});

describe('timesOf', () => {
  it('finds times and the finest of their units if all labels are times', () => {
    expect(timesOf(['2026-01', '2026-02-14'], false)?.unit).toBe('day');
    expect(timesOf(['2026-01', 'February'], false)).toBeUndefined();
    expect(timesOf([], false)).toBeUndefined();
  });

  it('gives the wall time in the time zone, in the common offset of labels, or in UTC', () => {
    const wallOf = (label: string, zone?: string, ...others: string[]): string =>
      new Date(timesOf([label, ...others], false, zone)?.wall[0] ?? NaN).toISOString().slice(5, 16);

    expect(wallOf('2026-03-08T12:00Z', 'America/New_York')).toBe('03-08T08:00');
    expect(wallOf('2026-03-08T12:00', 'America/New_York')).toBe('03-08T12:00');
    expect(wallOf('2026-03-08T12:00+02:00')).toBe('03-08T12:00');
    expect(wallOf('2026-03-08T12:00+02:00', undefined, '2026-03-08T12:00Z')).toBe('03-08T10:00');
  });
});
