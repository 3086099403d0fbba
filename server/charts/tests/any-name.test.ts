import { minIndex } from 'd3-array';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from './for-any.ts';
import { sizesOf } from '../src/layout/sizes.ts';
import type { Scene } from '../src/scene.ts';
import type { Request } from '../gallery/charts.ts';
import type { Data } from '../gallery/series.ts';
import { anyLocale, anyName, anySize } from './any-chart.ts';
import { distanceTo, doOverlap, illegibleTexts, segmentsOf, textBoxes } from './geometry.ts';
import { sceneOf, shapesOf } from './layout/shapes.ts';

const dataOf = (labels: readonly string[]): Data =>
  labels.map((label, i) => ({ label, value: 1 + ((i * 37) % 101) }));
const namesOf = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(anyName, { minLength, maxLength });

describe('bars with any names', () => {
  it.each(['vertical', 'horizontal'] as const)(
    'that are %s have different names, and no overlapping texts',
    (orientation) => {
      forAny(300, [anySize, anyLocale, namesOf(1, 60)], (size, locale, labels) => {
        const scene = sceneOf({ orientation, locale, ...size, data: dataOf(labels) });

        expect(illegibleTexts(scene)).toEqual([]);
        expect(repeatedIn(namesOfBars(scene, orientation === 'horizontal'))).toEqual([]);
      });
    },
  );

  it('have all their names if turned names have room', () => {
    forAny(200, [fc.integer({ min: 1, max: 55 }), fc.nat({ max: 80 })], (count, length) => {
      const labels = Array.from({ length: count }, (_, i) => `${'Long name '.repeat(length / 10)}${i}`);

      expect(namesOfBars(sceneOf({ data: dataOf(labels) }))).toHaveLength(count);
    });
  });
});

describe('any pie', () => {
  const title = fc.constantFrom('', 'Share of each department in the budget of the year 2026');
  const roots = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 30, maxLength: 30 });

  it('has a large disc, and one name for each slice, which covers no text, line or slice', () => {
    forAny(400, [title, anySize, namesOf(1, 30), roots], (title, size, names, values) => {
      const data = names.map((label, i) => ({ label, value: (values[i] ?? 1) ** 2 }));
      const scene = sceneOf({ chart_type: 'pie', title, ...size, data });
      const { x = 0, y = 0, radius = 0, wedges = [] } = shapesOf(scene, 'wedges')[0] ?? {};
      const leaders = shapesOf(scene, 'rules')[1]?.lines.map(segmentsOf) ?? [];
      const boxes = textBoxes(scene);
      const crossing = leaders.flatMap((line, i) =>
        leaders.slice(i + 1).filter((other) => line.some((a) => other.some((b) => doOverlap(a, b)))),
      );
      const inDisc = [...leaders.flat(), ...boxes.map(({ corners }) => corners)].filter(
        (corners) => distanceTo([x, y], corners) < radius,
      );
      const inText = boxes.filter(({ corners }) => leaders.flat().some((line) => doOverlap(line, corners)));

      expect({ crossing, inDisc, inText }).toEqual({ crossing: [], inDisc: [], inText: [] });
      expect(illegibleTexts(scene)).toEqual([]);
      expect(radius).toBeGreaterThanOrEqual(Math.min(size.width, size.height) * 0.07);
      expect(boxes.filter(({ text }) => /(?:^| )<?[\d.]+%$/.test(text))).toHaveLength(wedges.length);
      expect(repeatedIn(shapesOf(scene, 'bars').length === 0 ? [] : namesInLegend(scene))).toEqual([]);
    });
  });
});

it('any pie with a few short names shows all of them, even in a small picture or with long values', () => {
  const side = fc.integer({ min: 170, max: 400 });
  const looks = fc.constantFrom<Request>({}, { values: 'always', unit: ' tonnes CO2e', decimals: 4 });
  const names = ['Search', 'Direct', 'Email', 'Social', 'Referral'];
  forAny(
    300,
    [side, side, fc.array(fc.integer({ min: 5, max: 30 }), { minLength: 1, maxLength: 5 }), looks],
    (width, height, values, look) => {
      const data = values.map((value, i) => ({ label: names[i] ?? '', value }));
      const scene = sceneOf({ chart_type: 'pie', width, height, ...look, data });
      const words = textBoxes(scene).map(({ text }) => text);

      expect(illegibleTexts(scene)).toEqual([]);
      expect(data.filter(({ label }) => !words.some((word) => word.startsWith(label)))).toEqual([]);
    },
  );
});

describe('any series', () => {
  it('have different names in the legend', () => {
    forAny(200, [anySize, namesOf(2, 8)], (size, names) => {
      const series = names.map((name, i) => ({
        name,
        data: dataOf(['a', 'b', 'c'].slice(0, 1 + (i % 3))),
      }));
      const legend = shapesOf(sceneOf({ ...size, series }), 'texts')[0]?.texts.map(({ text }) => text) ?? [];

      expect(legend).toHaveLength(names.length);
      expect(repeatedIn(legend)).toEqual([]);
    });
  });

  it('have their names in the legend or at the ends of lines, and no text over a line or another text', () => {
    const value = fc.option(fc.integer({ min: -50, max: 200 }), { freq: 9, nil: null });
    const row = fc.array(value, { minLength: 8, maxLength: 8 });
    const rows = fc.array(row, { minLength: 2, maxLength: 60 });
    forAny(200, [anySize, anyLocale, namesOf(2, 8), rows], (size, locale, names, days) => {
      const series = names.map((name, i) => ({
        name,
        data: days.map((values, at) => ({ label: `Day ${at}`, value: values[i] ?? null })),
      }));
      const scene = sceneOf({ chart_type: 'line', values: 'always', locale, ...size, series });
      const boxes = textBoxes(scene);
      const paths = shapesOf(scene, 'path').flatMap(({ points }) => segmentsOf(points));
      const isNamed = (name: string): boolean =>
        boxes.some(({ text }) => text === name || text.startsWith(`${name} `) || text.includes('…'));

      expect(illegibleTexts(scene)).toEqual([]);
      expect(boxes.filter(({ corners }) => paths.some((path) => doOverlap(path, corners)))).toEqual([]);
      expect(names.every(isNamed)).toBe(true);
    });
  });
});

/** The names of bars: next to them if they are horizontal, otherwise below. The lines of a wrapped name are joined. */
function namesOfBars(scene: Scene, isHorizontal = false): string[] {
  const textSize = sizesOf(scene.width, scene.height).fontSize;
  // The values of the bars have the same size, and are drawn later.
  const { texts = [] } = shapesOf(scene, 'texts').find(({ size }) => size === textSize) ?? {};
  const { bars = [] } = shapesOf(scene, 'bars')[0] ?? {};
  const barAt = (y: number): number => minIndex(bars, (bar) => Math.abs(bar.y + bar.height / 2 - y));
  return joined(texts.map(({ x, y, text }) => [isHorizontal ? barAt(y - textSize * 0.35) : x, text]));
}

/** The names in the legend of a pie. A share is next to the first line of each name. */
function namesInLegend(scene: Scene): string[] {
  const [texts, shares] = shapesOf(scene, 'texts').slice(-2);
  const starts = shares?.texts.map(({ y }) => y) ?? [];
  let entry = 0;
  return joined(texts?.texts.map(({ y, text }) => [starts.includes(y) ? ++entry : entry, text]) ?? []);
}

function joined(lines: readonly (readonly [key: number, text: string])[]): string[] {
  const byKey = Map.groupBy(lines, ([key]) => key);
  return [...byKey.values()].map((each) => each.map(([, text]) => text).join(' '));
}

function repeatedIn(texts: readonly string[]): string[] {
  return texts.filter((text, i) => texts.indexOf(text) !== i);
}
