import { describe, expect, it } from 'vitest';
import { bar, horizontal, line, size, type Request } from '../../gallery/charts.ts';
import { days, type Data } from '../../gallery/series.ts';
import { pointsOf } from '../geometry.ts';
import { assertWords, drawn, measuredBars, named, wordsIn } from './shapes.ts';

const lineOver = (...labels: string[]): Request => line(undefined, named(...labels));
const placesIn = (request: Request): number[] =>
  pointsOf(drawn('path', request)[0]?.points ?? []).map(([x]) => x);

/** The length of the second of two segments of a line, as a multiple of the first. */
function ratioIn(request: Request): number {
  const [first = 0, second = 0, third = 0] = placesIn(request);
  return (third - second) / (second - first);
}

describe('a line over times', () => {
  it.each<[string, Request, number]>([
    ['where its times are', lineOver('2026-01-01', '2026-01-02', '2026-01-11'), 9],
    [
      'at equal distances if they are said to be categories',
      { ...lineOver('2026-01-01', '2026-01-02', '2026-01-11'), x_type: 'category' },
      1,
    ],
    ['at equal distances if its labels are numbers of four digits', lineOver('1990', '2000', '2020'), 1],
    [
      'where its years are if they are said to be times',
      { ...lineOver('1990', '2000', '2020'), x_type: 'time' },
      2,
    ],
  ])('has its points %s', (_where, request, ratio) => {
    expect(ratioIn(request)).toBeCloseTo(ratio, 2);
  });

  it.each([
    ['Mondays and months', days(60), ['5', 'Jan 2026', '12', '19', '26', '2', 'Feb', '9']],
    ['every second day', days(34), ['27', '29', '31', '2', 'Feb']],
    ['months and years', months('2025-10', 7), ['Oct', '2025', 'Nov', 'Dec', 'Jan', '2026', 'Feb']],
    ['quarters', months('2023-01', 36), ['Jan', '2023', 'Apr', 'Jul', 'Oct', 'Jan', '2024']],
    ['years', months('2000-01', 300), ['2000', '2002', '2004', '2006']],
    ['hours and days', hours('2026-01-01T00:00:00Z', 72, 60), ['12 AM', 'Jan 1, 2026', '6 AM', '12 PM']],
    ['minutes', hours('2026-01-01T09:00:00Z', 60, 1), ['9:00 AM', 'Jan 1, 2026', '9:05 AM', '9:10 AM']],
  ])('has ticks at %s', (_what, data, expected) => {
    expect(wordsIn(line(undefined, data, { width: 900 })).join(' | ')).toContain(expected.join(' | '));
  });

  it.each<[string, Request, string[]]>([
    [
      'in the language',
      line(undefined, months('2025-10', 6), { locale: 'de' }),
      ['Okt', '2025', 'Dez', 'Jan', '2026', 'Mär'],
    ],
    ['of the ends of a card', line(undefined, days(60), size(240, 120)), ['Jan 1, 2026', 'Mar 1']],
    ['of a single point', lineOver('2026-01-05'), ['5', 'Jan 2026']],
    [
      'of categories as they are',
      { ...lineOver('2026-01-01', '2026-01-11'), x_type: 'category' },
      ['2026-01-11'],
    ],
    [
      'of horizontal bars at the left',
      horizontal(undefined, named('2025-12', '2026-01', '2026-02')),
      ['Dec 2025', 'Jan 2026', 'Feb'],
    ],
  ])('has the times %s', (_which, request, has) => {
    assertWords(request, has);
  });

  it('goes on at the times of other series, and has a gap at null', () => {
    const a = named('2026-01-01', '2026-01-03', '2026-01-05');
    const b = named('2026-01-04', '2026-01-02');
    const withNull = [...a, { label: '2026-01-02', value: null }];
    const pathsOf = (...all: Data[]): number => {
      const series = all.map((data) => ({ name: '', data }));
      return drawn('path', line(undefined, series)).filter(({ dash }) => dash === undefined).length;
    };

    expect(pathsOf(a, b)).toBe(2);
    expect(pathsOf(withNull, b)).toBe(2);
    expect(pathsOf([...withNull, ...named('2026-01-01T12:00Z')], b)).toBe(3);
  });
});

describe('bars over times', () => {
  it('are sorted, leave gaps for missing times, and have the shortest label that says what changed', () => {
    const request = bar(undefined, named('2026-03', '2025-11', '2025-12', '2026-01'));
    const [bars = []] = measuredBars(request);

    const steps = bars.slice(1).map(({ at }, i) => at - (bars[i]?.at ?? 0));
    expect(steps[2]).toBe(2 * (steps[0] ?? 0));
    expect(wordsIn(request).join(' | ')).toContain('Nov | 2025 | Dec | Jan | 2026 | Feb | Mar');
  });

  it.each([
    ['first days of months', '2026-01-01 2026-02-01 2026-04-01', 'Jan | 2026 | Feb | Mar | Apr'],
    ['midnights', '2026-01-01T00:00Z 2026-02-01T00:00Z 2026-04-01T00:00Z', 'Jan | 2026 | Feb | Mar | Apr'],
    ['last days of months', '2026-01-31 2026-02-28 2026-04-30', 'Jan | 2026 | Feb | Mar | Apr'],
    ['first days of quarters', '2026-01-01 2026-04-01 2026-10-01', 'Jan | 2026 | Apr | Jul | Oct'],
    ['first days of years', '2023-01-01 2024-01-01 2026-01-01', '2023 | 2024 | 2025 | 2026'],
    ['last days of years', '2023-12-31 2024-12-31 2026-12-31', '2023 | 2024 | 2025 | 2026'],
    ['days, if there is one', '2026-01-01', '1 | Jan 2026'],
  ])('show the unit of %s, and leave its gap', (_what, labels, expected) => {
    expect(wordsIn(bar(undefined, named(...labels.split(' ')))).join(' | ')).toContain(expected);
  });
});

const sixHours = named(...['28T18:00', '29T00:00', '29T06:00', '29T18:00'].map((time) => `2026-03-${time}`));

describe('times when clocks change', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:00Z'],
    ['America/New_York', '2026-03-08T06:00Z'],
  ])('show no hour that clocks skip in %s', (zone, start) => {
    for (const draw of [bar, line]) {
      const words = wordsIn(draw(undefined, hours(start, 5, 60), { time_zone: zone }));
      expect(words.filter((word) => word.endsWith(' AM'))).toEqual(['1 AM', '3 AM', '4 AM', '5 AM', '6 AM']);
    }
  });

  it('show every day, also one whose midnight clocks skip', () => {
    for (const draw of [bar, line]) {
      const data = named('2018-11-03', '2018-11-04', '2018-11-05');
      const words = wordsIn(draw(undefined, data, { time_zone: 'America/Sao_Paulo', values: 'never' }));
      expect(words.join(' | ')).toContain('3 | Nov 2018 | 4 | 5');
    }
  });

  it.each([
    [
      'after a repeated hour',
      hours('2026-10-25T00:00Z', 8, 60).toSpliced(3, 2),
      '2 AM | Oct 25, 2026 | 2 AM | 3 AM | 4 AM | 5 AM | 6 AM',
    ],
    ['of six hours on clocks', sixHours, '12 AM | Mar 29 | 6 AM | 12 PM | 6 PM'],
  ])('leave gaps %s', (_which, data, expected) => {
    expect(wordsIn(bar(undefined, data, { time_zone: 'Europe/Berlin' })).join(' | ')).toContain(expected);
  });
});

function months(first: string, count: number): Data {
  const [year = 0, month = 0] = first.split('-').map(Number);
  return named(
    ...Array.from({ length: count }, (_, i) =>
      new Date(Date.UTC(year, month - 1 + i)).toISOString().slice(0, 7),
    ),
  );
}

function hours(start: string, count: number, minutes: number): Data {
  const at = Date.parse(start);
  return named(...Array.from({ length: count }, (_, i) => new Date(at + i * minutes * 60_000).toISOString()));
}
