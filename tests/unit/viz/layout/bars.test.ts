import { describe, expect, it } from 'vitest';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf, shapesOf, textsOf, wordsOf } from './shapes.ts';

describe('a bar chart', () => {
  it('has bars of whole pixels with even gaps, from zero to their values', () => {
    const [bars] = shapesOf(sceneOf({ data: points(10, 20, 30) }), 'bars');

    expect(bars?.bars.map(({ x, y, width, height }) => ({ x, y, width, height }))).toEqual([
      { x: 110, y: 387, width: 113, height: 173 },
      { x: 355, y: 213, width: 113, height: 347 },
      { x: 600, y: 40, width: 113, height: 520 },
    ]);
  });

  it('writes the values above the bars', () => {
    const scene = sceneOf({ data: points(1200, 2.5) });
    const [bars] = shapesOf(scene, 'bars');
    const value = textsOf(scene).findLast(({ text }) => text === '1,200.0');

    expect(wordsOf(scene)).toEqual(expect.arrayContaining(['1,200.0', '2.5']));
    expect(value?.y).toBeLessThan(bars?.bars[0]?.y ?? 0);
  });

  it('hangs negative bars from zero, with their values below', () => {
    const scene = sceneOf({ data: points(5, -5) });
    const [up, down] = shapesOf(scene, 'bars')[0]?.bars ?? [];
    const value = textsOf(scene).findLast(({ text }) => text === '-5');

    expect(down).toMatchObject({
      y: (up?.y ?? 0) + (up?.height ?? 0),
      rounded: 'bottom',
    });
    expect(Math.abs((down?.height ?? 0) - (up?.height ?? 0))).toBeLessThanOrEqual(1);
    expect(value?.y).toBeGreaterThan((down?.y ?? 0) + (down?.height ?? 0));
  });

  it('shows a value that is small beside the others as one pixel, and zero as none', () => {
    const [bars] = shapesOf(sceneOf(cases['bar, ±1e308'] ?? {}), 'bars');

    expect(bars?.bars.map(({ height }) => height)).toEqual([expect.any(Number), 1, 0, expect.any(Number)]);
    expect(bars?.bars[0]?.height).toBeGreaterThan(200);
  });

  it('keeps points with equal labels apart', () => {
    const scene = sceneOf({ data: [1, 2, 3].map((value) => ({ label: 'same', value })) });

    expect(shapesOf(scene, 'bars')[0]?.bars).toHaveLength(3);
    expect(wordsOf(scene).filter((word) => word === 'same')).toHaveLength(3);
  });

  it('repeats colours when there are fewer than points', () => {
    const shapes = shapesOf(sceneOf({ data: points(1, 2, 3, 4, 5), colors: ['red', 'blue'] }), 'bars');

    expect(shapes.map(({ fill, bars }) => [fill.hex, bars.length])).toEqual([
      ['#ff0000', 3],
      ['#0000ff', 2],
    ]);
  });

  it('gathers ten thousand bars into one column a pixel', () => {
    const [columns] = shapesOf(sceneOf(cases['bar, 10,000'] ?? {}), 'bars');

    expect(columns?.bars.length).toBeLessThan(800);
    expect(columns?.bars.every(({ width }) => width === 1)).toBe(true);
  });

  it('has ticks at whole numbers when all values are whole', () => {
    expect(wordsOf(sceneOf({ data: points(1, 2, 3) }))).not.toContain('0.5');
  });

  it('has ticks between whole numbers when only the sums of its series are whole', () => {
    const series = ['a', 'b'].map((name) => ({ name, data: points(0.5, 2.5) }));
    const texts = (stacked: boolean): string[] => wordsOf(sceneOf({ series, stacked }));

    expect(texts(false)).toContain('0.5');
    expect(texts(true)).not.toContain('0.5');
  });

  it('has no more ticks than a low picture has room for', () => {
    const low = sceneOf({ title: 'x', width: 800, height: 109, data: points(-4.1) });

    expect(wordsOf(low)).toEqual(expect.arrayContaining(['0', '-4']));
    expect(wordsOf(low)).not.toContain('-2');
  });

  it('draws no text below 120 by 80 pixels', () => {
    expect(wordsOf(sceneOf({ title: 'T', width: 119, height: 80, data: points(1, 2) }))).toEqual([]);
    expect(wordsOf(sceneOf({ title: 'T', width: 120, height: 80, data: points(1, 2) }))).not.toEqual([]);
  });
});
