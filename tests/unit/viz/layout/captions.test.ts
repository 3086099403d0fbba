import { describe, expect, it } from 'vitest';
import { points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

const captions = { subtitle: 'In thousands of euros', source: 'Source: annual report, 2026' };
const kinds = [
  { chart_type: 'bar' },
  { chart_type: 'line' },
  { chart_type: 'pie' },
  { chart_type: 'bar', orientation: 'horizontal' },
] as const;

describe('the subtitle and the source', () => {
  it.each(kinds)('stand under the title and at the bottom: %j', (kind) => {
    const scene = sceneOf({ ...kind, title: 'Revenue', data: points(1, 2), ...captions });
    const heights = textsOf(scene).map(({ y }) => y);
    const yOf = (word: string): number => textsOf(scene).find(({ text }) => text === word)?.y ?? NaN;

    expect(heights.toSorted((a, b) => a - b).slice(0, 2)).toEqual([yOf('Revenue'), yOf(captions.subtitle)]);
    expect(Math.max(...heights)).toBe(yOf(captions.source));
  });

  it('take their space from the plot', () => {
    const [plain, with_] = [{}, captions].map((fields) => {
      const { bars = [] } =
        shapesOf(sceneOf({ title: 'Revenue', data: points(1), ...fields }), 'bars')[0] ?? {};
      return bars[0];
    });

    expect(with_?.y).toBeGreaterThan((plain?.y ?? 0) + 10);
    expect((with_?.y ?? 0) + (with_?.height ?? 0)).toBeLessThan((plain?.y ?? 0) + (plain?.height ?? 0) - 10);
  });

  it('stand alone where the chart has no title, and beside "No data"', () => {
    expect(wordsOf(sceneOf({ data: points(1), ...captions }))[0]).toBe(captions.subtitle);
    expect(wordsOf(sceneOf({ data: [], ...captions }))).toEqual([
      captions.subtitle,
      captions.source,
      'No data',
    ]);
  });

  it('have at most two lines, and none in a small picture', () => {
    const long = 'words that go on '.repeat(29).trim();
    const words = wordsOf(sceneOf({ data: points(1), subtitle: long, source: long }));
    const small = wordsOf(sceneOf({ width: 150, height: 90, data: points(1), ...captions }));

    expect(words.filter((word) => word.includes('words that'))).toHaveLength(4);
    expect(small).not.toContain(captions.source);
  });

  it('are in the description', () => {
    expect(sceneOf({ data: points(1), ...captions }).description).toBe(
      'In thousands of euros. Bar chart. a: 1. Source: annual report, 2026.',
    );
  });
});
