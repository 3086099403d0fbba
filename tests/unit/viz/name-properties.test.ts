import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizesOf } from '../../../server/src/viz/layout/sizes.ts';
import type { Bar, Scene } from '../../../server/src/viz/scene.ts';
import { illegibleTexts } from './geometry.ts';
import { sceneOf, shapesOf } from './layout/shapes.ts';
import { anyName } from './names.ts';

const size = fc.constantFrom([300, 200], [400, 300], [800, 600], [1600, 900] as const);
const locale = fc.constantFrom('en', 'de', 'fr', 'hi', 'ja');
const names = fc.uniqueArray(anyName, { minLength: 1, maxLength: 60 });
const dataOf = (labels: readonly string[]): { label: string; value: number }[] =>
  labels.map((label, i) => ({ label, value: (i * 37) % 101 }));

/** The names below the plot; the lines of one name are joined. */
function categoriesIn(scene: Scene): string[] {
  const textSize = sizesOf(scene.width, scene.height).fontSize * 0.96;
  const lines = new Map<number, string[]>();
  for (const texts of shapesOf(scene, 'texts').filter((each) => each.size === textSize))
    for (const { x, text } of texts.texts) lines.set(x, [...(lines.get(x) ?? []), text]);
  return [...lines.values()].map((each) => each.join(' '));
}

function repeatedIn(texts: readonly string[]): string[] {
  return texts.filter((text, i) => texts.indexOf(text) !== i);
}

describe('the names of any bars', () => {
  const bars = fc.record({ size, locale, labels: names });

  it('are different for different bars', () => {
    fc.assert(
      fc.property(bars, ({ size: [width = 0, height = 0], locale, labels }) => {
        const shown = categoriesIn(sceneOf({ width, height, locale, data: dataOf(labels) }));

        expect(repeatedIn(shown)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('overlap no text and end inside the picture', () => {
    fc.assert(
      fc.property(bars, ({ size: [width = 0, height = 0], locale, labels }) => {
        expect(illegibleTexts(sceneOf({ width, height, locale, data: dataOf(labels) }))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('are all there where turned ones have room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 55 }), fc.nat({ max: 80 }), (count, length) => {
        const labels = Array.from({ length: count }, (_, i) => `${'Long name '.repeat(length / 10)}${i}`);

        expect(categoriesIn(sceneOf({ data: dataOf(labels) }))).toHaveLength(count);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the names of any horizontal bars', () => {
  const bars = fc.record({ size, locale, labels: names });
  const sceneOfBars = (request: Parameters<typeof sceneOf>[0]): Scene =>
    sceneOf({ orientation: 'horizontal', ...request });

  it('are different for different bars', () => {
    fc.assert(
      fc.property(bars, ({ size: [width = 0, height = 0], locale, labels }) => {
        const scene = sceneOfBars({ width, height, locale, data: dataOf(labels) });
        const { bars: shapes = [] } = shapesOf(scene, 'bars')[0] ?? {};
        const textSize = sizesOf(width, height).fontSize * 0.96;
        const lines = new Map<number, string[]>();
        for (const { texts } of shapesOf(scene, 'texts').filter(
          (each) => each.size === textSize && each.anchor === 'end',
        ))
          for (const { y, text } of texts) {
            const bar = nearest(shapes, y - textSize * 0.35);
            lines.set(bar, [...(lines.get(bar) ?? []), text]);
          }

        expect(repeatedIn([...lines.values()].map((each) => each.join(' ')))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('overlap no text and end inside the picture', () => {
    fc.assert(
      fc.property(bars, ({ size: [width = 0, height = 0], locale, labels }) => {
        expect(illegibleTexts(sceneOfBars({ width, height, locale, data: dataOf(labels) }))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  /** The index of the bar whose middle is closest. */
  function nearest(bars: readonly Bar[], y: number): number {
    const distances = bars.map((bar) => Math.abs(bar.y + bar.height / 2 - y));
    return distances.indexOf(Math.min(...distances));
  }
});

describe('the names of any slices', () => {
  it('are different for different slices', () => {
    fc.assert(
      fc.property(size, names, ([width = 0, height = 0], labels) => {
        const data = labels.map((label, i) => ({ label, value: 1 + ((i * 37) % 101) }));
        const scene = sceneOf({ chart_type: 'pie', width, height, data });
        const [leaders, swatches] = [
          shapesOf(scene, 'rules')[1]?.lines.length ?? 0,
          shapesOf(scene, 'bars').length,
        ];
        const entries = swatches === 0 ? [] : linesByShare(scene);

        expect(leaders + swatches).toBe(shapesOf(scene, 'wedges')[0]?.wedges.length);
        expect(repeatedIn(entries)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  /** The names in the legend: a share stands in the first line of each. */
  function linesByShare(scene: Scene): string[] {
    const [texts, shares] = shapesOf(scene, 'texts').slice(-2);
    const starts = shares?.texts.map(({ y }) => y) ?? [];
    const entries: string[] = [];
    for (const { y, text } of texts?.texts ?? []) {
      if (starts.includes(y)) entries.push(text);
      else entries.push(`${entries.pop() ?? ''} ${text}`);
    }
    return entries;
  }
});

describe('the legend of any series', () => {
  it('has different names for different series', () => {
    fc.assert(
      fc.property(
        size,
        fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 }),
        ([width = 0, height = 0], labels) => {
          const series = labels.map((name, i) => ({
            name,
            data: dataOf(['a', 'b', 'c'].slice(0, 1 + (i % 3))),
          }));
          const scene = sceneOf({ width, height, series });
          const legend = shapesOf(scene, 'texts')[0];

          expect(legend?.texts).toHaveLength(labels.length);
          expect(repeatedIn(legend?.texts.map(({ text }) => text) ?? [])).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shortens no name that has room in a row of its own', () => {
    const series = [
      'Headcount of the whole organization in Europe',
      'Headcount of the whole organization in Asia',
    ];
    const scene = sceneOf({
      width: 400,
      height: 300,
      series: series.map((name) => ({ name, data: dataOf(['a']) })),
    });

    expect(shapesOf(scene, 'texts')[0]?.texts.map(({ text }) => text)).toEqual(series);
  });
});

describe('the lines of a title', () => {
  it('are as wide as each other', () => {
    const title = 'Requests by route and by the service that answers them, last week';
    const [first] = shapesOf(sceneOf({ width: 400, height: 300, title, data: dataOf(['a']) }), 'texts');

    expect(first?.texts.map(({ text }) => text)).toEqual([
      'Requests by route and by the',
      'service that answers them, last week',
    ]);
  });
});
