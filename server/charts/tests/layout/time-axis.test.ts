import { describe, expect, it } from 'vitest';
import { bar, horizontal, line, size, type Request } from '../../gallery/charts.ts';
import { days, monthsFrom, timed, type Data } from '../../gallery/series.ts';
import { itHasWords, drawn, measuredBars, named, wordsIn } from './shapes.ts';

const hour = 3_600_000;
const lineOver = (...labels: string[]): Request => line(named(...labels));
const irregular = lineOver('2026-01-01', '2026-01-02', '2026-01-11');
const years = lineOver('1990', '2000', '2020');

/** The length of the second of two segments of a line, as a multiple of the first. */
function ratioIn(request: Request): number {
  const [first = 0, , second = 0, , third = 0] = drawn('path', request)[0]?.points ?? [];
  return (third - second) / (second - first);
}

describe('a chart over times', () => {
  it.each<[string, Request, number]>([
    ['where its times are', irregular, 9],
    ['at equal distances if x_type is "category"', { ...irregular, x_type: 'category' }, 1],
    ['at equal distances if its labels are numbers of four digits', years, 1],
    ['where its years are if x_type is "time"', { ...years, x_type: 'time' }, 2],
  ])('has its points %s', (_where, request, ratio) => {
    expect(ratioIn(request)).toBeCloseTo(ratio, 2);
  });

  it.each([
    ['Mondays and months', days(60), '5 | Jan 2026 | 12 | 19 | 26 | 2 | Feb | 9'],
    ['every second day', days(34), '27 | 29 | 31 | 2 | Feb'],
    ['months and years', monthsFrom('2025-10', 7), 'Oct | 2025 | Nov | Dec | Jan | 2026 | Feb'],
    ['quarters', monthsFrom('2023-01', 36), 'Jan | 2023 | Apr | Jul | Oct | Jan | 2024'],
    ['years', monthsFrom('2000-01', 300), '2000 | 2002 | 2004 | 2006'],
    ['hours and days', timed('2026-01-01T00:00:00Z', hour, 72), '12 AM | Jan 1, 2026 | 6 AM | 12 PM'],
    ['minutes', timed('2026-01-01T09:00:00Z', hour / 60, 60), '9:00 AM | Jan 1, 2026 | 9:05 AM | 9:10 AM'],
  ])('has ticks at %s', (_what, data, expected) => {
    expect(wordsIn(line(data, { width: 900 })).join(' | ')).toContain(expected);
  });

  itHasWords({
    'has times in its language': [
      line(monthsFrom('2025-10', 6), { locale: 'de' }),
      'Okt | 2025 | Dez | Jan | 2026 | Mär',
    ],
    'has both ends of its times on a card': [line(days(60), size(240, 120)), 'Jan 1, 2026 | Mar 1'],
    'has the time of a single point': [lineOver('2026-01-05'), '5 | Jan 2026'],
    'has the labels of categories as they are': [{ ...irregular, x_type: 'category' }, '2026-01-11'],
    'has times at the left of horizontal bars': [
      horizontal(named('2025-12', '2026-01', '2026-02')),
      'Dec 2025 | Jan 2026 | Feb',
    ],
  });

  it('has lines without gaps at the times of other series, and with gaps at null', () => {
    const a = named('2026-01-01', '2026-01-03', '2026-01-05');
    const b = named('2026-01-04', '2026-01-02');
    const withNull = [...a, { label: '2026-01-02', value: null }];
    const pathsOf = (...all: Data[]): number => {
      const series = all.map((data) => ({ name: '', data }));
      return drawn('path', line(series)).filter(({ dash }) => dash === undefined).length;
    };

    expect(pathsOf(a, b)).toBe(2);
    expect(pathsOf(withNull, b)).toBe(2);
    expect(pathsOf([...withNull, ...named('2026-01-01T12:00Z')], b)).toBe(3);
  });
});

describe('bars over times', () => {
  it('are sorted, leave gaps for missing times, and have labels with only what has changed', () => {
    const request = bar(named('2026-03', '2025-11', '2025-12', '2026-01'));
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
    ['a single day', '2026-01-01', '1 | Jan 2026'],
  ])('have labels by the unit of %s, missing ones included', (_what, labels, expected) => {
    expect(wordsIn(bar(named(...labels.split(' ')))).join(' | ')).toContain(expected);
  });
});

describe('times when clocks change', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:00Z'],
    ['America/New_York', '2026-03-08T06:00Z'],
  ])('show no hour that clocks skip in %s', (zone, start) => {
    for (const draw of [bar, line]) {
      const words = wordsIn(draw(timed(start, hour, 5), { time_zone: zone }));
      expect(words.filter((word) => word.endsWith(' AM'))).toEqual(['1 AM', '3 AM', '4 AM', '5 AM', '6 AM']);
    }
  });

  it('show every day, even one whose midnight clocks skip', () => {
    for (const draw of [bar, line]) {
      const data = named('2018-11-03', '2018-11-04', '2018-11-05');
      const words = wordsIn(draw(data, { time_zone: 'America/Sao_Paulo', values: 'never' }));
      expect(words.join(' | ')).toContain('3 | Nov 2018 | 4 | 5');
    }
  });

  it('leave gaps after a repeated hour', () => {
    const data = timed('2026-10-25T00:00Z', hour, 8).toSpliced(3, 2);

    const words = wordsIn(bar(data, { time_zone: 'Europe/Berlin' })).join(' | ');
    expect(words).toContain('2 AM | Oct 25, 2026 | 2 AM | 3 AM | 4 AM | 5 AM | 6 AM');
  });
});
