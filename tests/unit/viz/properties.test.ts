import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartFrom, errorsOfRequest } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import { textWidth } from '../../../server/src/viz/layout/text-width.ts';
import { paintSvg } from '../../../server/src/viz/paint/svg.ts';
import type { Scene, Shape, Texts } from '../../../server/src/viz/scene.ts';
import { requestOf } from '../../gallery/cases.ts';
import { elementsOf } from './svg.ts';

const label = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.lorem({ maxCount: 8 }),
  fc.constantFrom('', ' ', 'W'.repeat(200), '北京市', '👩‍👩‍👧', 'שלום', 'x'),
);
const value = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, Number.MAX_VALUE),
);
const request = fc.record({
  chart_type: fc.constantFrom('bar', 'line', 'pie'),
  donut: fc.boolean(),
  isHorizontal: fc.boolean(),
  title: fc.option(label),
  width: fc.integer({ min: 16, max: 4096 }),
  height: fc.integer({ min: 16, max: 4096 }),
  data: fc.array(fc.record({ label, value }), { maxLength: 80 }),
});
const several = fc.record({
  chart_type: fc.constantFrom('bar', 'line'),
  isHorizontal: fc.boolean(),
  title: fc.option(label),
  width: fc.integer({ min: 16, max: 4096 }),
  height: fc.integer({ min: 16, max: 4096 }),
  x_title: fc.option(label),
  y_title: fc.option(label),
  locale: fc.constantFrom('en', 'de', 'ar-EG', 'hi', 'ja'),
  area: fc.boolean(),
  stacked: fc.boolean(),
  series: fc.array(
    fc.record({ name: label, data: fc.array(fc.record({ label, value }), { maxLength: 30 }) }),
    { minLength: 1, maxLength: 8 },
  ),
});
const severalScene = several
  .filter(({ title, x_title, y_title, series }) =>
    [
      ...[title, x_title, y_title].map((text) => text ?? ''),
      ...series.flatMap(({ name, data }) => [name, ...data.map((point) => point.label)]),
    ].every(isText),
  )
  .map(turned)
  .map(({ area, stacked, ...rest }) => ({ ...rest, area: area && rest.chart_type === 'line', stacked }))
  .filter(({ chart_type: kind, area, stacked }) => !stacked || area || kind === 'bar')
  .filter((valid) => !valid.stacked || errorsOfRequest(requestOf(valid)).length === 0)
  .map((valid) => layout(chartFrom(requestOf(valid))));
const oneScene = request
  .map(turned)
  .map(({ data, ...rest }) => ({
    ...rest,
    data:
      rest.chart_type === 'pie' ? data.map((point) => ({ ...point, value: Math.abs(point.value) })) : data,
  }))
  .map((each) => ({ ...each, donut: each.donut && each.chart_type === 'pie' }))
  .filter(({ title, data }) => [title ?? '', ...data.map((point) => point.label)].every(isText))
  .filter((valid) => !valid.donut || errorsOfRequest(requestOf(valid)).length === 0)
  .map((valid) => layout(chartFrom(requestOf(valid))));

const scene = fc.oneof(oneScene, severalScene);

describe('for any valid request', () => {
  it('every coordinate is finite and inside the picture', () => {
    fc.assert(
      fc.property(scene, (picture) => {
        const outside = picture.shapes.flatMap(cornersOf).filter(([x, y]) => !isInside(picture, x, y));
        expect(outside).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('the SVG is well-formed XML', () => {
    fc.assert(
      fc.property(scene, (picture) => {
        expect(elementsOf(paintSvg(picture))[0]?.name).toBe('svg');
      }),
      { numRuns: 500 },
    );
  });

  it('no two texts of one axis or legend overlap', () => {
    fc.assert(
      fc.property(scene, (picture) => {
        for (const texts of picture.shapes.filter((shape) => shape.kind === 'texts')) {
          expect(overlaps(texts)).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('texts end inside the picture', () => {
    fc.assert(
      fc.property(scene, (picture) => {
        for (const texts of picture.shapes.filter((shape) => shape.kind === 'texts' && !shape.angle)) {
          const boxes = (texts as Texts).texts.map((text) => boxOf(texts as Texts, text));
          expect(boxes.filter(({ left, right }) => left < -1 || right > picture.width + 1)).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** Only bars may be horizontal. */
function turned<R extends { chart_type: 'bar' | 'line' | 'pie'; isHorizontal: boolean }>({
  isHorizontal,
  ...rest
}: R): Omit<R, 'isHorizontal'> & { orientation: 'horizontal' | 'vertical' } {
  return { ...rest, orientation: isHorizontal && rest.chart_type === 'bar' ? 'horizontal' : 'vertical' };
}

function isText(text: string): boolean {
  return text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text);
}

function isInside({ width, height }: Scene, x: number, y: number): boolean {
  return x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1;
}

function cornersOf(shape: Shape): (readonly [number, number])[] {
  switch (shape.kind) {
    case 'bars':
      return shape.bars.flatMap(({ x, y, width, height }) => [
        [x, y] as const,
        [x + width, y + height] as const,
      ]);
    case 'rules':
      return shape.lines.flatMap(pairs);
    case 'path':
    case 'area':
      return pairs(shape.points);
    case 'dots':
      return pairs(shape.centers);
    case 'wedges':
      return [-1, 1].map((side) => [shape.x + side * shape.radius, shape.y + side * shape.radius] as const);
    case 'texts':
      return shape.texts.map(({ x, y }) => [x, y] as const);
  }
}

function pairs(points: ArrayLike<number>): (readonly [number, number])[] {
  return Array.from({ length: points.length / 2 }, (_, i) => [
    points[2 * i] ?? NaN,
    points[2 * i + 1] ?? NaN,
  ]);
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly text: string;
}

function boxOf(
  { size, weight, anchor = 'start' }: Texts,
  { x, y, text }: { x: number; y: number; text: string },
): Box {
  const width = textWidth(text, size, weight);
  const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
  return { left, right: left + width, baseline: y, text };
}

/** Turned texts are parallel: compare the distance between their lines. */
function overlaps(texts: Texts): string[] {
  const boxes = texts.texts.map((text) => boxOf(texts, text));
  if (texts.angle) {
    const sine = Math.sin((texts.angle * Math.PI) / 180);
    const gaps = boxes.slice(1).map(({ right }, i) => (right - (boxes[i]?.right ?? 0)) * sine);
    return gaps.filter((gap) => gap < texts.size * 0.95).map(String);
  }
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) => a.left < b.right && b.left < a.right && Math.abs(a.baseline - b.baseline) < texts.size * 0.7,
      )
      .map((b) => `${a.text} / ${b.text}`),
  );
}
