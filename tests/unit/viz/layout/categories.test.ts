import { describe, expect, it } from 'vitest';
import { named, sceneOf, shapesOf, wordsOf } from './shapes.ts';

const long = [
  'Department of Environmental Protection',
  'Office of Management and Budget',
  'Research & Development',
];

describe('category labels', () => {
  it('stand side by side when they fit', () => {
    expect(wordsOf(sceneOf({ data: named('one', 'two', 'three') }))).toEqual(
      expect.arrayContaining(['one', 'two', 'three']),
    );
  });

  it('wrap between words when they do not', () => {
    const words = wordsOf(sceneOf({ data: named(...long, ...long) }));

    expect(words).toEqual(expect.arrayContaining(['Office of', 'Budget']));
  });

  it('are turned when they cannot be wrapped', () => {
    const [turned] = shapesOf(
      sceneOf({ data: named(...Array.from({ length: 20 }, (_, i) => `Long label ${i}`)) }),
      'texts',
    ).filter(({ angle = 0 }) => angle !== 0);

    expect(turned?.angle).toBe(45);
    expect(turned?.texts).toHaveLength(20);
  });

  it('are upright where turned ones touch', () => {
    const names = Array.from({ length: 50 }, (_, i) => `Long label ${i}`);
    const [turned] = shapesOf(sceneOf({ data: named(...names) }), 'texts').filter(
      ({ angle }) => angle === 90,
    );

    expect(turned?.texts.map(({ text }) => text)).toEqual(names);
  });

  it('break after marks and before capitals where words do not fit', () => {
    const routes = ['orders', 'invoices', 'payments', 'shipments', 'returns', 'products', 'users', 'roles'];
    const words = wordsOf(sceneOf({ data: named(...routes.map((name) => `/api/v1/customers/${name}`)) }));

    expect(words).toEqual(expect.arrayContaining(['/api/v1/', 'customers/', 'orders', 'invoices']));
    expect(wordsOf(sceneOf({ width: 300, data: named('customerOrders', 'b', 'c', 'd') }))).toContain(
      'customer',
    );
  });

  it('have as many lines as the height allows', () => {
    const answer = 'I found another product that does what I need at a lower price';
    const words = wordsOf(sceneOf({ width: 400, height: 300, data: named(answer, 'No', 'Yes', 'Other') }));

    expect(words).toEqual(
      expect.arrayContaining(['I found another', 'product that does', 'what I need at a', 'lower price']),
    );
  });

  it('are thinned at round steps when there are too many', () => {
    const words = wordsOf(sceneOf({ data: named(...Array.from({ length: 200 }, (_, i) => `#${i}`)) }));

    expect(words.filter((word) => word.startsWith('#'))).toEqual(
      Array.from({ length: 10 }, (_, i) => `#${i * 20}`),
    );
  });

  it('are all shown where the caller has chosen some points of a long line', () => {
    const labels = Array.from({ length: 240 }, (_, hour) =>
      hour % 24 === 12 ? `Day ${(hour + 12) / 24}` : '',
    );
    const words = wordsOf(sceneOf({ chart_type: 'line', data: named(...labels) }));

    expect(words.filter((word) => word.startsWith('Day'))).toEqual(labels.filter((label) => label !== ''));
  });

  it('are found in a short time among thousands that the caller has chosen', () => {
    const labels = Array.from({ length: 10_000 }, (_, i) =>
      i % 2 === 0 ? `${'Long name '.repeat(40)}${i}` : '',
    );
    const words = wordsOf(sceneOf({ chart_type: 'line', width: 4096, data: named(...labels) }));

    expect(words.filter((word) => word.startsWith('Long')).length).toBeLessThan(60);
  });

  it('take no room when all are empty', () => {
    const [bars] = shapesOf(sceneOf({ data: named('', '') }), 'bars');
    const last = bars?.bars[1];

    expect((last?.y ?? 0) + (last?.height ?? 0)).toBe(579);
  });
});

describe('a title', () => {
  it('is wrapped to two lines and ends in an ellipsis', () => {
    const [title] = shapesOf(sceneOf({ title: 'word '.repeat(80), data: named('a') }), 'texts');

    expect(title?.texts).toHaveLength(2);
    expect(title?.texts[1]?.text).toMatch(/…$/);
  });
});
