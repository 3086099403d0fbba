import { describe, expect, it } from 'vitest';
import { paintSvg } from '../../src/paint/svg.ts';
import { cases, casesOfKinds } from '../../gallery/cases.ts';
import { sceneOf } from '../layout/shapes.ts';
import { elementsOf } from '../svg.ts';

const names = [
  ...Object.keys(casesOfKinds),
  'line, negative',
  'pie, small slices',
  'area, three series',
  'line, transparent',
  'series, three lines',
  'series, eight lines, dark',
];

describe('theme auto', () => {
  it.each(names)('is the light theme, with the colours of the dark theme on dark pages: %s', (name) => {
    const request = cases[name] ?? {};
    const svg = paintSvg(sceneOf({ ...request, theme: 'auto' }));

    expect(inLight(svg)).toBe(paintSvg(sceneOf({ ...request, theme: 'light' })));
    expect(colorsIn(inDark(svg))).toEqual(colorsIn(paintSvg(sceneOf({ ...request, theme: 'dark' }))));
  });

  it('has no styles on an opaque background, which alone decides whether text is dark or light', () => {
    const request = { ...cases['bar, months'], background: '#fff8e7' };

    expect(paintSvg(sceneOf({ ...request, theme: 'auto' }))).toBe(paintSvg(sceneOf(request)));
  });

  it('keeps the colours of the request', () => {
    const svg = paintSvg(sceneOf({ ...cases['bar, colours'], theme: 'auto' }));

    expect(inDark(svg)).toContain('fill="#0f766e"');
  });

  it('styles only its own classes, which mean the same in every picture, and has no ids', () => {
    for (const name of names) {
      const [, style = ''] =
        /<style>@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(auto(name)) ?? [];
      const rules = style.split('}').filter((rule) => rule !== '');
      const classes = elementsOf(auto(name)).flatMap(({ attributes }) =>
        (attributes['class'] ?? '').split(' ').filter((each) => each !== ''),
      );

      expect(rules.length).toBeGreaterThan(3);
      for (const rule of rules) expect(rule).toMatch(/^\.chart-(fill|stroke)-([0-9a-f]{6})\{\1:#\2$/);
      for (const each of classes) expect(style).toContain(`.${each}{`);
      expect(auto(name)).not.toMatch(/ id="|url\(|href/);
    }
  });
});

function auto(name: string): string {
  return paintSvg(sceneOf({ ...cases[name], theme: 'auto' }));
}

/** The picture without the style and its classes. */
function inLight(svg: string): string {
  return svg.replace(/<style>.*?<\/style>/, '').replace(/ class="[^"]*"/g, '');
}

/** The picture as it appears on a page that prefers dark colours. */
function inDark(svg: string): string {
  return inLight(
    svg.replace(/ class="([^"]*)"([^>]*)>/g, (_, classes: string, rest: string) => {
      const attributes = classes.split(' ').reduce((text, each) => {
        const [, property = '', dark = ''] = each.split('-');
        return text.replace(new RegExp(` ${property}="[^"]*"`), ` ${property}="#${dark}"`);
      }, rest);
      return `${attributes}>`;
    }),
  );
}

function colorsIn(svg: string): string[] {
  return [...svg.matchAll(/ (?:fill|stroke)="([^"]+)"/g)].map(([, color = '']) =>
    color.replace('#ffffff', '#fff'),
  );
}
