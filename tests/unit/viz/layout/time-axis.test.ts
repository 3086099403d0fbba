import { describe, expect, it } from 'vitest';
import type { Scene, Texts } from '../../../../server/src/viz/scene.ts';
import type { Schemas } from '../../../../server/src/operation.ts';
import { days, type Data } from '../../../gallery/series.ts';
import { named, sceneOf, shapesOf, wordsOf } from './shapes.ts';

type Request = Parameters<typeof sceneOf>[0];

const line = (...labels: string[]): Request => ({ chart_type: 'line', data: named(...labels) });
const placesOf = (scene: Scene): number[] =>
  [...(shapesOf(scene, 'path')[0]?.points ?? [])].filter((_, i) => i % 2 === 0);

describe('a line over times', () => {
  it('has its points where their times are', () => {
    const [first = 0, second = 0, third = 0] = placesOf(
      sceneOf(line('2026-01-01', '2026-01-02', '2026-01-11')),
    );

    expect((third - first) / (second - first)).toBeCloseTo(10, 5);
  });

  it('runs from the earliest to the latest time, whatever the order of the data', () => {
    const places = placesOf(
      sceneOf(line('2026-01-09', '2026-01-02', '2026-01-11T06:00+02:00', '2026-01-05')),
    );

    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).toHaveLength(4);
  });

  it('has its points at equal distances if its labels are said to be categories', () => {
    const scene = sceneOf({ ...line('2026-01-01', '2026-01-02', '2026-01-11'), x_type: 'category' });
    const [first = 0, second = 0, third = 0] = placesOf(scene);

    expect(third - second).toBeCloseTo(second - first, 5);
    expect(wordsOf(scene)).toContain('2026-01-11');
  });

  it('has years at their distances if they are said to be times', () => {
    const years = line('1990', '2000', '2020');
    const share = (scene: Scene): number => {
      const [first = 0, second = 0, third = 0] = placesOf(scene);
      return (third - second) / (second - first);
    };

    expect(share(sceneOf(years))).toBeCloseTo(1, 5);
    expect(share(sceneOf({ ...years, x_type: 'time' }))).toBeCloseTo(2, 2);
  });

  it.each([
    ['Mondays and months', days(60), ['5', 'Jan 2026', '12', '19', '26', '2', 'Feb', '9']],
    ['months and years', months('2025-10', 7), ['Oct', '2025', 'Nov', 'Dec', 'Jan', '2026', 'Feb']],
    ['quarters', months('2023-01', 36), ['Jan', '2023', 'Apr', 'Jul', 'Oct', 'Jan', '2024']],
    ['years', months('2000-01', 300), ['2000', '2002', '2004', '2006']],
    ['hours and days', hours('2026-01-01T00:00:00Z', 72, 60), ['12 AM', 'Jan 1, 2026', '6 AM', '12 PM']],
    ['minutes', hours('2026-01-01T09:00:00Z', 60, 1), ['9:00 AM', 'Jan 1, 2026', '9:05 AM', '9:10 AM']],
  ])('has ticks at %s', (_what, data, expected) => {
    const words = wordsOf(sceneOf({ chart_type: 'line', width: 900, data }));

    expect(words.join(' | ')).toContain(expected.join(' | '));
  });

  it('writes times in the language', () => {
    const words = wordsOf(sceneOf({ chart_type: 'line', data: months('2025-10', 6), locale: 'de' }));

    expect(words).toEqual(expect.arrayContaining(['Okt', '2025', 'Dez', 'Jan', '2026', 'Mär']));
  });

  it('goes on at the times of other series, and has a gap at null', () => {
    const a = named('2026-01-01', '2026-01-03', '2026-01-05');
    const b = named('2026-01-04', '2026-01-02');
    const withNull = [...a, { label: '2026-01-02', value: null }];
    const pathsOf = (...data: Schemas['DataPoint'][][]): number =>
      shapesOf(
        sceneOf({ chart_type: 'line', series: data.map((each) => ({ name: '', data: each })) }),
        'path',
      ).length;

    expect(pathsOf(a, b)).toBe(2);
    expect(pathsOf(withNull, b)).toBe(2);
    expect(pathsOf([...withNull, ...named('2026-01-01T12:00Z')], b)).toBe(3);
  });

  it('has one place for a single time', () => {
    const words = wordsOf(sceneOf(line('2026-01-05')));

    expect(words).toEqual(expect.arrayContaining(['5', 'Jan 2026']));
  });
});

describe('bars over times', () => {
  it('keep their distances, and have the shortest label that says what changed', () => {
    const scene = sceneOf({ data: named('2025-11', '2025-12', '2026-01', '2026-03') });
    const bars = shapesOf(scene, 'bars')[0]?.bars ?? [];

    expect(new Set(bars.slice(1).map(({ x }, i) => x - (bars[i]?.x ?? 0))).size).toBe(1);
    expect(wordsOf(scene).join(' | ')).toContain('Nov | 2025 | Dec | Jan | 2026 | Mar');
  });

  it('have every second, third, fourth, sixth, seventh, twelfth or 24th label', () => {
    const shown = (width: number): number => {
      const texts = axisTexts(sceneOf({ width, data: months('2000-01', 48) }));
      return 48 / (texts?.texts ?? []).filter(({ text }) => /^[A-Z]/.test(text)).length;
    };

    for (const width of [300, 400, 600, 800, 1000, 1600])
      expect([1, 2, 3, 4, 6, 12, 24]).toContain(shown(width));
  });

  it('have their times at the left if they are horizontal', () => {
    const words = wordsOf(
      sceneOf({ orientation: 'horizontal', data: named('2025-12', '2026-01', '2026-02') }),
    );

    expect(words).toEqual(expect.arrayContaining(['Dec 2025', 'Jan 2026', 'Feb']));
  });
});

/** The texts below the plot. */
function axisTexts(scene: Scene): Texts | undefined {
  const bottomOf = ({ texts }: Texts): number => Math.max(...texts.map(({ y }) => y));
  return shapesOf(scene, 'texts')
    .toSorted((a, b) => bottomOf(a) - bottomOf(b))
    .at(-1);
}

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
