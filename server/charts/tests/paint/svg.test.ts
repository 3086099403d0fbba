import { describe, expect, it } from 'vitest';
import { paintSvg } from '../../src/paint/svg.ts';
import { cases } from '../../gallery/cases.ts';
import { points, sceneOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';

describe('paintSvg', () => {
  it('is an image with its size, title and data in words', () => {
    const [svg, desc] = elementsOf(paintSvg(sceneOf({ title: 'Sums', locale: 'de', data: points(1, -2.5) })));

    expect(svg?.attributes).toMatchObject({
      width: '800',
      height: '600',
      viewBox: '0 0 800 600',
      role: 'img',
      lang: 'de',
      'aria-label': 'Sums',
    });
    expect([desc?.name, desc?.text]).toEqual(['desc', 'Balkendiagramm. a: 1; b: −2,5.']);
  });

  it('has no tooltip, reference or event handler, and has styles only in the theme "auto"', () => {
    for (const request of Object.values(cases)) {
      const svg = paintSvg(sceneOf(request));

      expect(svg).not.toMatch(/<title|href|url\(|@import|<image|<use|\son\w+=/);
      expect(svg.includes('<style')).toBe(request.theme === 'auto');
    }
  });

  const inherited =
    'font-family font-style font-weight font-variant font-stretch direction writing-mode letter-spacing word-spacing text-anchor text-decoration text-transform text-shadow white-space';

  it.each(inherited.split(' '))('does not inherit %s from the page around it', (property) => {
    const [root] = elementsOf(paintSvg(sceneOf({ data: points(1) })));
    const style = root?.attributes['style'] ?? '';

    expect(property in (root?.attributes ?? {}) || style.includes(`${property}:`)).toBe(true);
  });

  it('shows markup of a request as text', () => {
    const elements = elementsOf(paintSvg(sceneOf(cases['bar, markup'] ?? {})));

    expect(new Set(elements.map(({ name }) => name))).toEqual(new Set(['svg', 'desc', 'path', 'g', 'text']));
    expect(elements.map(({ text }) => text)).toContain('<script>alert("1")</script> & more');
  });

  it('draws an arc whose ends coincide after rounding', () => {
    const paths = elementsOf(paintSvg(sceneOf(cases['pie, nearly all'] ?? {}))).map(
      ({ attributes }) => attributes['d'] ?? '',
    );

    expect(paths.find((d) => d.includes('A'))?.match(/A/g)).toHaveLength(2);
  });
});
