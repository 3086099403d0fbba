import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../server/src/viz/layout/text-width.ts';
import { paintSvg } from '../../../../server/src/viz/paint/svg.ts';
import type { Scene, Text } from '../../../../server/src/viz/scene.ts';
import { cases } from '../../../gallery/cases.ts';
import { named, points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

type Request = Parameters<typeof sceneOf>[0];

const horizontal = (request: Request): Scene => sceneOf({ orientation: 'horizontal', ...request });

describe('a horizontal bar chart', () => {
  it('has bars from left to right in whole pixels, the first at the top, as long as their values', () => {
    const [shape] = shapesOf(horizontal({ data: points(10, 20, 30) }), 'bars');
    const [first, second, third] = shape?.bars ?? [];

    expect(new Set(shape?.bars.map(({ x }) => x)).size).toBe(1);
    expect(new Set(shape?.bars.map(({ height }) => height)).size).toBe(1);
    expect((second?.y ?? 0) - (first?.y ?? 0)).toBe((third?.y ?? 0) - (second?.y ?? 0));
    expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
    expect(third?.width).toBeCloseTo((first?.width ?? 0) * 3, -0.5);
    expect(third).toMatchObject({ rounded: 'right' });
  });

  it('has the labels at the left of the bars, each beside its own', () => {
    const scene = horizontal({ data: named('Berlin', 'Paris', 'Rome') });
    const bars = shapesOf(scene, 'bars')[0]?.bars ?? [];

    ['Berlin', 'Paris', 'Rome'].forEach((name, i) => {
      const bar = bars[i];
      const label = findText(scene, name);
      expect(label?.x).toBeLessThan(bar?.x ?? 0);
      expect(label?.y).toBeGreaterThan(bar?.y ?? 0);
      expect(label?.y).toBeLessThan((bar?.y ?? 0) + (bar?.height ?? 0));
    });
  });

  it('has the values at the ends of the bars, and at the left of negative ones', () => {
    const scene = horizontal({ data: points(1200, -1300) });
    const [up, down] = shapesOf(scene, 'bars')[0]?.bars ?? [];
    const style = (text: string): string | undefined =>
      shapesOf(scene, 'texts').find(({ texts }) => texts.some((each) => each.text === text))?.anchor;

    expect(down).toMatchObject({ x: (up?.x ?? 0) - (down?.width ?? 0), rounded: 'left' });
    expect(findText(scene, '1,200')?.x).toBeGreaterThan((up?.x ?? 0) + (up?.width ?? 0));
    expect(findText(scene, '-1,300')?.x).toBeLessThan(down?.x ?? 0);
    expect([style('1,200'), style('-1,300')]).toEqual(['start', 'end']);
  });

  it('has the title of the labels at the left, and the title of the values below', () => {
    const texts = shapesOf(horizontal({ data: points(1, 2), x_title: 'City', y_title: 'Sales' }), 'texts');
    const angleOf = (text: string): number | undefined =>
      texts.find((shape) => shape.texts.some((each) => each.text === text))?.angle;

    expect([angleOf('City'), angleOf('Sales')]).toEqual([90, undefined]);
  });

  it('shows every label whole where half of the width has room for it', () => {
    const names = fc.uniqueArray(fc.lorem({ maxCount: 4 }), { minLength: 1, maxLength: 12 });
    const size = { width: fc.integer({ min: 700, max: 1600 }), height: fc.integer({ min: 400, max: 900 }) };
    fc.assert(
      fc.property(names, fc.record(size), (labels, measures) => {
        const words = wordsOf(horizontal({ ...measures, data: named(...labels) }));
        const whole = labels.filter((label) => textWidth(label, 16) < measures.width * 0.35);

        expect(words).toEqual(expect.arrayContaining(whole));
      }),
      { numRuns: 200 },
    );
  });

  it('writes long labels in lines without losing a word where bars are far enough apart', () => {
    const request = cases['horizontal, survey'] ?? {};
    const words = wordsOf(sceneOf(request)).join(' ');

    for (const { label } of request.data ?? []) expect(words).toContain(label);
  });

  it('has the lines of a label around the middle of its bar', () => {
    const label = 'The service answered all of my questions, and I would recommend it to my colleagues';
    const scene = horizontal({ width: 500, data: [{ label, value: 1 }] });
    const bar = shapesOf(scene, 'bars')[0]?.bars[0];
    const lines = textsOf(scene).filter(({ text }) => label.includes(text) && text.length > 3);

    expect(lines.length).toBeGreaterThan(1);
    const middle = ((lines[0]?.y ?? 0) + (lines.at(-1)?.y ?? 0)) / 2 - 4;
    expect(Math.abs(middle - ((bar?.y ?? 0) + (bar?.height ?? 0) / 2))).toBeLessThan(1.5);
  });

  it('keeps at least half of the width for the bars, however long the labels are', () => {
    const scene = horizontal({ data: named('W'.repeat(400), 'b') });

    expect(shapesOf(scene, 'bars')[0]?.bars[1]?.width).toBeGreaterThan(300);
    expect(wordsOf(scene).some((word) => /^W+…$/.test(word))).toBe(true);
  });

  it('leaves out labels only where bars are lower than a line', () => {
    const shown = (count: number): number =>
      wordsOf(horizontal({ data: named(...Array.from({ length: count }, (_, i) => `Item ${i}`)) })).filter(
        (word) => word.startsWith('Item'),
      ).length;

    expect(shown(30)).toBe(30);
    expect(shown(120)).toBe(24);
  });

  it('has numbers along its value axis that do not touch, at any width', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 1600 }),
        fc.integer({ min: 1, max: 2 ** 40 }),
        (width, value) => {
          const scene = horizontal({ width, height: 300, data: points(value, -value), locale: 'de' });
          const texts = shapesOf(scene, 'texts').find(({ texts }) => texts.some(({ text }) => text === '0'));
          const size = texts?.size ?? 0;
          const boxes = (texts?.texts ?? []).map(({ x, text }) => [x, textWidth(text, size) / 2] as const);

          for (const [i, [x, half]] of boxes.entries()) {
            const [nextX, nextHalf] = boxes[i + 1] ?? [Infinity, 0];
            expect(x + half + size * 0.25).toBeLessThan(nextX - nextHalf);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gathers ten thousand bars into one row a pixel', () => {
    const [rows] = shapesOf(horizontal({ data: cases['bar, 10,000']?.data ?? [] }), 'bars');

    expect(rows?.bars.length).toBeLessThan(600);
    expect(rows?.bars.every(({ height }) => height === 1)).toBe(true);
  });
});

describe('horizontal bars of several series', () => {
  const series = [
    { name: 'A', data: points(10, 20) },
    { name: 'B', data: points(30, -20) },
  ];

  it('stand below each other in the order of the series', () => {
    const [a, b] = shapesOf(horizontal({ series }), 'bars').slice(-2);

    expect(b?.bars[0]?.y).toBeGreaterThan(a?.bars[0]?.y ?? 0);
    expect(b?.bars[0]?.y).toBeLessThan(a?.bars[1]?.y ?? 0);
    expect(b?.bars.map(({ rounded }) => rounded)).toEqual(['right', 'left']);
  });

  it('continue each other in a stack', () => {
    const [a, b] = shapesOf(horizontal({ series, stacked: true }), 'bars').slice(-2);

    expect(b?.bars[0]).toMatchObject({
      x: (a?.bars[0]?.x ?? 0) + (a?.bars[0]?.width ?? 0),
      y: a?.bars[0]?.y,
    });
    expect((b?.bars[1]?.x ?? 0) + (b?.bars[1]?.width ?? 0)).toBe(a?.bars[1]?.x);
  });
});

it('rounds a horizontal bar at its end', () => {
  const svg = paintSvg(horizontal({ data: points(3, -3) }));

  expect(svg).toMatch(/M408 \d+h349\.9q3\.1 0 3\.1 3\.1v\S+q0 3\.1 -3\.1 3\.1h-349\.9z/);
  expect(svg).toMatch(/M408 \d+h-349\.9q-3\.1 0 -3\.1 3\.1v\S+q0 3\.1 3\.1 3\.1h349\.9z/);
});

function findText(scene: Scene, text: string): Text | undefined {
  return textsOf(scene).findLast((each) => each.text === text);
}
