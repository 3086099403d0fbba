import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAny } from './for-any.ts';
import { sizesOf } from '../src/layout/sizes.ts';
import { paintSvg } from '../src/paint/svg.ts';
import type { Scene, Shape } from '../src/scene.ts';
import type { Request } from '../gallery/charts.ts';
import { anyAxes, anyLocale, anyScene, anySize, anyTimes, isValid, measures } from './any-chart.ts';
import { boxesOf, illegibleTexts, overlapping, type Point, pointsOf } from './geometry.ts';
import { points, sceneOf, shapesOf, textsOf } from './layout/shapes.ts';
import { elementsOf } from './svg.ts';

it('any chart stays inside its picture, is well-formed SVG, and has no overlapping texts on an axis', () => {
  forAny(300, [anyScene], (scene) => {
    const { width, height, shapes, locale } = scene;
    const { margin, fontSize } = sizesOf(width, height, locale);
    const isInside = ([x, y]: Point): boolean => x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1;

    expect(shapes.flatMap(cornersOf).filter((corner) => !isInside(corner))).toEqual([]);
    for (const texts of shapesOf(scene, 'texts')) {
      const boxes = boxesOf(texts);
      expect(overlapping(boxes)).toEqual([]);
      const ends = texts.angle ? [] : boxes.flatMap(({ corners }) => corners.map(([x]) => x));
      expect(ends.filter((x) => x < margin - fontSize / 2 || x > width - margin / 3 + 1)).toEqual([]);
    }
    expect(elementsOf(paintSvg(scene))[0]?.name).toBe('svg');
  });
});

it('any line that only rises or only falls has all its values, if each has three characters and four ems of room', () => {
  const numbers = fc.array(fc.integer({ min: -99, max: 999 }), { minLength: 2, maxLength: 9 });
  forAny(300, [numbers, fc.constantFrom(1, -1), anySize], (some, sign, { width, height }) => {
    fc.pre(width / (some.length + 1) > 4 * sizesOf(width, height).fontSize);
    const data = points(...some.toSorted((a, b) => sign * (a - b)));
    const scene = sceneOf({ chart_type: 'line', values: 'always', width, height, data });
    const labels = scene.shapes.slice(scene.shapes.findLastIndex(({ kind }) => kind !== 'texts'));

    expect(textsOf({ ...scene, shapes: labels })).toHaveLength(some.length);
  });
});

const positive = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
const value = fc.oneof(fc.integer({ min: -1000, max: 1000 }), positive, fc.constantFrom(1e300, -1e300, 0));
const limit = fc.option(
  fc.oneof(fc.integer({ min: -1500, max: 1500 }), fc.constantFrom(-1e300, 1e300, 0.001)),
  { nil: undefined },
);

/** Charts that do not write their values: `marksOutside` takes all centred texts for names of categories. */
function chartsWith(values: fc.Arbitrary<number>, fields: fc.Arbitrary<Request>): fc.Arbitrary<Scene> {
  const columns = fc.array(fc.array(values, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 3 });
  return fc
    .record({ kind: anyAxes, size: fc.record(measures), columns, fields })
    .map(({ kind, size, columns: lists, fields: others }): Request => {
      const series = lists.map((list, i) => ({
        name: `Series ${i}`,
        data: list.map((each, j) => ({ label: `${j}`, value: each })),
      }));
      return { ...kind, ...size, ...others, series, values: 'never' };
    })
    .filter(isValid)
    .map(sceneOf);
}

it('the limits of any axis cut off everything outside the plot', () => {
  const limits = fc.tuple(limit, limit).map(([min, max]) => ({
    ...(min !== undefined && { y_min: min }),
    ...(max !== undefined && { y_max: max }),
  }));
  forAny(300, [chartsWith(value, limits)], (scene) => {
    expect(marksOutside(scene)).toEqual([]);
  });
});

it('any logarithmic axis has two to eight ticks, and all marks are inside the plot', () => {
  forAny(300, [chartsWith(positive, fc.constant({ y_scale: 'log' }))], (scene) => {
    // The first rules are the grid lines. A line that texts interrupt is several rules.
    const lines = shapesOf(scene, 'rules')[0]?.lines.map(([x1, y1, x2]) => (x1 === x2 ? x1 : y1));

    expect(new Set(lines).size).toBeGreaterThanOrEqual(2);
    expect(new Set(lines).size).toBeLessThanOrEqual(8);
    expect(marksOutside(scene)).toEqual([]);
  });
});

/** The coordinates of marks that extend to the names of the categories, or beyond the picture. */
function marksOutside(scene: Scene): number[] {
  const { shapes, width, height } = scene;
  const isHorizontal = shapesOf(scene, 'rules')[0]?.lines.some(([x1, , x2]) => x1 === x2) ?? false;
  const side = isHorizontal ? 'start' : 'middle';
  const names = shapesOf(scene, 'texts').filter(({ anchor }) => anchor === side);
  const [from, to] = isHorizontal
    ? [Math.max(...names.flatMap(boxesOf).flatMap(({ corners }) => corners.map(([x]) => x))), width]
    : [0, Math.min(...names.flatMap(({ size, texts }) => texts.map(({ y }) => y - size * 0.7)))];
  // The swatches of the legend are above the plot.
  return shapes
    .filter((shape) => shape.kind !== 'rules' && shape.kind !== 'texts')
    .filter((shape) => shape.kind !== 'bars' || shape.bars.some(({ y }) => y > height * 0.25))
    .flatMap(cornersOf)
    .map(([x, y]) => (isHorizontal ? x : y))
    .filter((at) => !(at >= from - 1 && at <= to + 1));
}

function cornersOf(shape: Shape): Point[] {
  switch (shape.kind) {
    case 'bars':
      return shape.bars.flatMap(({ x, y, width, height }): Point[] => [
        [x, y],
        [x + width, y + height],
      ]);
    case 'rules':
      return shape.lines.flatMap(pointsOf);
    case 'path':
    case 'area':
      return pointsOf(shape.points);
    case 'dots':
      return pointsOf(shape.centers);
    case 'wedges':
      return [-1, 1].map((side): Point => [shape.x + side * shape.radius, shape.y + side * shape.radius]);
    case 'texts':
      return shape.texts.map(({ x, y }) => [x, y]);
  }
}

it('series over any times have lines from left to right, whole labels, and no overlapping texts', () => {
  const list = fc.array(anyTimes, { minLength: 1, maxLength: 3 });
  const size = fc.oneof(anySize, fc.record(measures));
  forAny(300, [anyAxes, size, anyLocale, list], (kind, measured, locale, columns) => {
    const series = columns.map((data, i) => ({ name: `Series ${i + 1}`, data }));
    const scene = sceneOf({ ...kind, ...measured, locale, series });

    expect(illegibleTexts(scene)).toEqual([]);
    for (const texts of shapesOf(scene, 'texts').filter(({ anchor }) => anchor === 'middle')) {
      const spaced = texts.texts.map((each) => ({ ...each, text: `${each.text} ` }));
      expect(overlapping(boxesOf({ ...texts, texts: spaced }))).toEqual([]);
      expect(texts.texts.filter(({ text }) => text.includes('…'))).toEqual([]);
    }
    for (const { points } of shapesOf(scene, 'path')) {
      const places = [...points].filter((_, i) => i % 2 === 0);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });
});

const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  { weight: 1, arbitrary: fc.double({ min: -1e7, max: 1e7, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 0.1 + 0.2, 999_999) },
);
const anyFormat = fc.constantFrom<Request>(
  {},
  { format: 'compact' },
  { format: 'percent' },
  { format: 'currency', currency: 'EUR' },
  { unit: ' km/h', decimals: 1 },
);
const anyCaption = fc.option(fc.lorem({ maxCount: 30 }), { nil: null });
const anyLine = fc.record({ value: fc.integer({ min: -100, max: 1500 }), label: fc.lorem({ maxCount: 4 }) });

it('any chart with values, reference lines and captions has no overlapping texts', () => {
  const columns = fc.array(fc.array(anyValue, { minLength: 1, maxLength: 60 }), {
    minLength: 1,
    maxLength: 4,
  });
  const fields = fc.record({
    ...measures,
    locale: anyLocale,
    subtitle: anyCaption,
    source: anyCaption,
    values: fc.constantFrom('always' as const, 'auto' as const),
    lines: fc.array(anyLine, { maxLength: 5 }),
    y_min: fc.constantFrom(undefined, 0),
    axes: fc.constantFrom('auto' as const, 'none' as const),
  });
  const request = fc
    .tuple(anyAxes, anyFormat, columns, fields)
    .map(([kind, format, lists, others]): Request => {
      const [one = [], ...more] = lists.map((values) =>
        values.map((value, i) => ({ label: `Label ${i}`, value })),
      );
      const series = [one, ...more].map((data, i) => ({ name: `Series ${i}`, data }));
      const points = more.length === 0 && kind.stacked === undefined ? { data: one } : { series };
      const { y_min: min, ...rest } = others;
      return { ...kind, ...format, ...rest, ...points, ...(min === undefined ? {} : { y_min: min }) };
    })
    .filter(isValid);
  forAny(400, [request], (valid) => {
    expect(illegibleTexts(sceneOf(valid))).toEqual([]);
  });
});
