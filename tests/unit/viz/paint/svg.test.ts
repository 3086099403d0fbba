import { describe, expect, it } from 'vitest';
import { paintSvg } from '../../../../server/src/viz/paint/svg.ts';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';

describe('paintSvg', () => {
  it('is an image with its size, title and data in words', () => {
    const [svg, title, desc] = elementsOf(paintSvg(sceneOf({ title: 'Sums', data: points(1, -2.5) })));

    expect(svg?.attributes).toMatchObject({
      width: '800',
      height: '600',
      viewBox: '0 0 800 600',
      role: 'img',
    });
    expect([title?.name, title?.text]).toEqual(['title', 'Sums']);
    expect([desc?.name, desc?.text]).toEqual(['desc', 'Bar chart. a: 1; b: -2.5.']);
  });

  it('sums up long data in words', () => {
    const desc = elementsOf(paintSvg(sceneOf(cases['line, 1,000'] ?? {})))[2];

    expect(desc?.text).toMatch(
      /^Line chart of 1,000 points\. Lowest: Item \d+: 30\.\d\. Highest: Item \d+: 8\d/,
    );
  });

  it('has every label as text', () => {
    const texts = elementsOf(paintSvg(sceneOf({ data: points(1, 2) }))).filter(({ name }) => name === 'text');

    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['a', 'b', '1', '2']));
  });

  it('shows markup of a request as text', () => {
    const elements = elementsOf(paintSvg(sceneOf(cases['bar, markup'] ?? {})));

    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(['svg', 'title', 'desc', 'path', 'g', 'text']),
    );
    expect(elements.map(({ text }) => text)).toContain('<script>alert("1")</script> & more');
  });

  it('refers to nothing outside itself', () => {
    for (const request of Object.values(cases)) {
      expect(paintSvg(sceneOf(request))).not.toMatch(/href|url\(|<style|<image|<use|\son\w+=/);
    }
  });

  it('rounds coordinates to tenths of a pixel', () => {
    for (const { attributes } of elementsOf(paintSvg(sceneOf(cases['pie, sources'] ?? {})))) {
      expect(Object.values(attributes).join(' ')).not.toMatch(/\d\.\d\d/);
    }
  });

  it('draws an arc whose ends coincide after rounding', () => {
    const paths = elementsOf(paintSvg(sceneOf(cases['pie, nearly all'] ?? {}))).map(
      ({ attributes }) => attributes['d'] ?? '',
    );

    expect(paths.find((d) => d.includes('a'))?.match(/a/g)).toHaveLength(2);
  });

  it('writes translucent colours as colour and opacity', () => {
    expect(paintSvg(sceneOf({ data: points(1), colors: ['rgb(1 2 3 / 50%)'] }))).toContain(
      'fill="#010203" fill-opacity="0.5"',
    );
  });
});
