import { describe, expect, it } from 'vitest';
import { contrast, over, parseColor, white } from '../../../server/src/viz/color.ts';
import { sliceColor, textContrast, themeOf, themes, type Theme } from '../../../server/src/viz/theme.ts';
import { cases } from '../../gallery/cases.ts';
import { distance } from './color-vision.ts';

const visions = ['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
const usual = [
  ['light', undefined],
  ['dark', undefined],
] as const;
/** The combinations of theme and background in the gallery, without duplicates. */
const pairs = new Map(
  [
    ...usual,
    ...Object.values(cases)
      .filter(({ theme, background }) => theme !== undefined || background !== undefined)
      .map(({ theme = 'light', background }) => [theme, background] as const),
  ].map((pair) => [pair.join(), pair]),
);

describe.each([...pairs.values()])('the theme %s on %s', (name, background) => {
  const theme = themeOf(name, background === undefined ? undefined : parseColor(background));

  it('has text with a contrast of at least 4.5 to 1', () => {
    expect(leastTextContrast(theme)).toBeGreaterThanOrEqual(textContrast);
  });

  it.each(visions)('keeps every two of its data colours apart in %s vision', (vision) => {
    const hexes = theme.palette.map(({ hex }) => hex);
    const distances = hexes.flatMap((a, i) => hexes.slice(i + 1).map((b) => distance(a, b, vision)));

    expect(Math.min(...distances)).toBeGreaterThan(12);
  });

  it('has no data colour that vanishes in the background', () => {
    const distances = theme.palette.map(({ hex }) => distance(hex, theme.paper.hex, 'normal'));

    expect(Math.min(...distances)).toBeGreaterThan(12);
  });
});

describe('themeOf', () => {
  it('keeps text readable on every background', () => {
    const steps = [0, 51, 102, 119, 128, 153, 204, 255];
    const backgrounds = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `rgb(${r} ${g} ${b})`)));
    const least = backgrounds.map((css) => leastTextContrast(themeOf('light', parseColor(css))));

    expect(Math.min(...least)).toBeGreaterThanOrEqual(textContrast);
  });

  it('assumes its own background behind a translucent one', () => {
    const clear = parseColor('transparent');
    const veil = { hex: '#ff0000', alpha: 0.5 };

    expect(themeOf('light', clear).ink).toEqual(themes.light.ink);
    expect(themeOf('dark', clear).ink).toEqual(themes.dark.ink);
    expect(themeOf('light', veil).paper).toEqual(over(veil, white));
  });

  it.each(['light', 'dark'] as const)(
    'has every data colour at a contrast of at least 3 to 1 when %s',
    (name) => {
      const { palette, paper } = themes[name];

      expect(Math.min(...palette.map((color) => contrast(color, paper)))).toBeGreaterThanOrEqual(3);
    },
  );
});

function leastTextContrast({ ink, paper }: Theme): number {
  return Math.min(...[ink.title, ink.value, ink.label].map((color) => contrast(color, paper)));
}

describe('the palette of the light theme', () => {
  const { palette } = themes.light;
  it('has neighbours of different lightness, for printing in black', () => {
    const contrasts = palette.slice(1).map((color, i) => contrast(color, palette[i] ?? color));

    expect(Math.min(...contrasts)).toBeGreaterThan(1.5);
  });
});

describe('sliceColor', () => {
  it('gives three rounds of the palette different shades', () => {
    const colors = Array.from({ length: 24 }, (_, i) => sliceColor(i, themes.light).hex);

    expect(new Set(colors).size).toBe(24);
  });
});
