import { describe, expect, it } from 'vitest';
import { chartFrom } from '../../../../server/src/viz/chart.ts';
import { requestOf } from '../../../gallery/cases.ts';
import { named, sceneOf, shapesOf, wordsOf } from './shapes.ts';

const gap = [...named('a', 'b'), { label: 'c', value: null }, ...named('d', 'e')];

describe('a value that is null', () => {
  it('is a gap in a line, in data and in series', () => {
    for (const request of [{ data: gap }, { series: [{ name: 'A', data: gap }] }]) {
      const scene = sceneOf({ chart_type: 'line', ...request });

      expect(shapesOf(scene, 'path')).toHaveLength(2);
      expect(wordsOf(scene)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'e']));
    }
  });

  it('is an empty place among bars, with its label', () => {
    const scene = sceneOf({ data: gap });

    expect(shapesOf(scene, 'bars').flatMap(({ bars }) => bars)).toHaveLength(4);
    expect(wordsOf(scene)).toContain('c');
  });

  it('is left out of the description', () => {
    expect(sceneOf({ data: gap }).description).toBe('Bar chart. a: 1; b: 2; d: 1; e: 2.');
  });

  it('leaves the axes where no value is present', () => {
    const scene = sceneOf({ data: [{ label: 'a', value: null }] });

    expect(shapesOf(scene, 'rules').length).toBeGreaterThan(0);
  });
});

describe('labels', () => {
  it('give the order of the points', () => {
    const { labels, series } = chartFrom(requestOf({ data: named('a', 'b', 'c'), labels: ['c', 'a'] }));

    expect(labels).toEqual(['c', 'a', 'b']);
    expect(series).toEqual([{ name: '', values: [3, 1, 2] }]);
  });

  it('have an empty place where they have no point', () => {
    expect(wordsOf(sceneOf({ data: named('a', 'b'), labels: ['a', 'x', 'b'] }))).toContain('x');
  });

  it('give the order of slices, without empty ones', () => {
    const request: Parameters<typeof requestOf>[0] = {
      chart_type: 'pie',
      data: named('a', 'b'),
      labels: ['b', 'x'],
    };

    expect(chartFrom(requestOf(request)).labels).toEqual(['b', 'a']);
  });
});
