import { describe, expect, it } from 'vitest';
import { cases } from '../../../gallery/cases.ts';
import { named, points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

describe('a pie chart', () => {
  it('parts the circle clockwise from the top by the shares', () => {
    const [disc] = shapesOf(sceneOf({ chart_type: 'pie', data: points(1, 2, 1) }), 'wedges');

    expect(disc?.wedges.map(({ from, to }) => [from / Math.PI, to / Math.PI])).toEqual([
      [0, 0.5],
      [0.5, 1.5],
      [1.5, 2],
    ]);
  });

  it('names each slice with its share', () => {
    expect(wordsOf(sceneOf({ chart_type: 'pie', data: points(1, 2, 1) }))).toEqual([
      'a',
      'b',
      '25%',
      '50%',
      'c',
      '25%',
    ]);
  });

  it('does not break names into single words where labels have little room', () => {
    const words = wordsOf(sceneOf({ ...cases['pie, small slices'], width: 320, height: 200 }));

    expect(words).toContain('Item 1');
    expect(words).not.toContain('Item');
  });

  it('is a full circle without a seam when one slice is everything', () => {
    const scene = sceneOf({ chart_type: 'pie', data: points(3) });

    expect(shapesOf(scene, 'wedges')[0]?.wedges).toMatchObject([{ from: 0, to: 2 * Math.PI }]);
    expect(shapesOf(scene, 'rules')[0]?.lines).toEqual([]);
  });

  it('takes shares of numbers whose sum overflows', () => {
    expect(wordsOf(sceneOf({ chart_type: 'pie', data: points(1e308, 1e308) }))).toContain('50%');
  });

  it.each(['pie, zeros', 'no data'])('says "No data" for %s', (name) => {
    expect(wordsOf(sceneOf({ ...cases[name], chart_type: 'pie' }))).toContain('No data');
  });

  it('lists small slices in a legend', () => {
    const scene = sceneOf(cases['pie, small slices'] ?? {});

    expect(shapesOf(scene, 'bars')).toHaveLength(9);
    expect(wordsOf(scene)).toEqual(expect.arrayContaining(['Item 1', '42.9%', 'Item 16', '1.0%']));
  });

  it('counts what neither labels nor legend have room for', () => {
    const scene = sceneOf(cases['pie, 10,000'] ?? {});

    expect(wordsOf(scene)).toContain('9,974 others');
    expect(shapesOf(scene, 'wedges')[0]?.wedges.length).toBeLessThan(40);
  });

  it('wraps long names beside the disc', () => {
    const words = wordsOf(
      sceneOf({ chart_type: 'pie', data: named('Department of Environmental Protection', 'Sales') }),
    );

    expect(words).toEqual(expect.arrayContaining(['Department of Environmental', 'Protection']));
  });

  it('puts a legend below the disc in a narrow picture', () => {
    const scene = sceneOf(cases['300 × 900, pie'] ?? {});
    const [disc] = shapesOf(scene, 'wedges');

    expect(
      shapesOf(scene, 'bars').every(({ bars }) => (bars[0]?.y ?? 0) > (disc?.y ?? 0) + (disc?.radius ?? 0)),
    ).toBe(true);
  });

  it('shows its slices even at 16 by 16 pixels', () => {
    expect(shapesOf(sceneOf(cases['16 × 16, pie'] ?? {}), 'wedges')[0]?.wedges).toHaveLength(8);
  });
});
