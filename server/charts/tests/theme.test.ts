import {
  converter,
  differenceEuclidean,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  type Rgb,
} from 'culori';
import { describe, expect, it } from 'vitest';
import { contrast, over, parseColor, white } from '../src/color.ts';
import { inkOn, markContrast, sliceColor, textContrast, themeOf, themes, type Theme } from '../src/theme.ts';
import { cases } from '../gallery/cases.ts';

const distance = differenceEuclidean('oklab');
const [rgb, oklch] = [converter('rgb'), converter('oklch')];
const visions = [
  ['normal', (color: Rgb) => color],
  ['protanopic', (color: Rgb) => filterDeficiencyProt(1)(color)],
  ['deuteranopic', (color: Rgb) => filterDeficiencyDeuter(1)(color)],
  ['tritanopic', (color: Rgb) => filterDeficiencyTrit(1)(color)],
] as const;
/** The combinations of theme and background in the gallery, without duplicates. */
const pairs = new Map(
  [
    ['light', undefined] as const,
    ['dark', undefined] as const,
    ...Object.values(cases)
      .filter(({ theme, background }) => theme !== undefined || background !== undefined)
      .map(({ theme = 'light', background }) => [theme, background] as const),
  ].map((pair) => [pair.join(), pair]),
);

describe.each([...pairs.values()])('the theme %s on %s', (name, background) => {
  const theme = themeOf(name, background === undefined ? undefined : parseColor(background));

  it('has text with a contrast of at least 4.5 to 1', () => {
    expect(leastTextContrast(theme)).toBeGreaterThanOrEqual(textContrast);
    for (const fill of theme.palette)
      expect(contrast(inkOn(fill, theme), fill)).toBeGreaterThanOrEqual(textContrast);
  });

  it('has data colours with a contrast of at least 3 to 1', () => {
    expect(leastMarkContrast(theme)).toBeGreaterThanOrEqual(markContrast);
  });
});

describe('themeOf', () => {
  it('keeps text and data visible on every background', () => {
    const steps = [0, 51, 102, 119, 128, 153, 204, 255];
    const backgrounds = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `rgb(${r} ${g} ${b})`)));
    const all = backgrounds.map((css) => themeOf('light', parseColor(css)));

    expect(Math.min(...all.map(leastTextContrast))).toBeGreaterThanOrEqual(textContrast);
    expect(Math.min(...all.map(leastMarkContrast))).toBeGreaterThanOrEqual(markContrast);
  });

  it('assumes its own background behind a translucent one', () => {
    const clear = parseColor('transparent');
    const veil = { hex: '#ff0000', alpha: 0.5 };

    expect(themeOf('light', clear).ink).toEqual(themes.light.ink);
    expect(themeOf('dark', clear).ink).toEqual(themes.dark.ink);
    expect(themeOf('light', veil).paper).toEqual(over(veil, white));
  });

  it.each(visions)('has calm colours that %s vision can tell apart, light and dark', (_name, seen) => {
    for (const { palette } of Object.values(themes)) {
      const colors = palette.map(({ hex }) => rgb(hex)).filter((color) => color !== undefined);
      const distances = colors.flatMap((a, i) => colors.slice(i + 1).map((b) => distance(seen(a), seen(b))));

      expect(Math.max(...colors.map((color) => oklch(color).c))).toBeLessThan(0.155);
      expect(Math.min(...distances)).toBeGreaterThan(0.088);
    }
  });
});

function leastMarkContrast(theme: Theme): number {
  const slices = Array.from({ length: 24 }, (_, i) => sliceColor(i, theme));
  return Math.min(...[...slices, theme.ink.zero].map((color) => contrast(color, theme.paper)));
}

function leastTextContrast({ ink, paper }: Theme): number {
  return Math.min(...[ink.title, ink.value, ink.label].map((color) => contrast(color, paper)));
}

it('the palette of the light theme has neighbours of different lightness, for printing in black', () => {
  const { palette } = themes.light;
  const contrasts = palette.slice(1).map((color, i) => contrast(color, palette[i] ?? color));

  expect(Math.min(...contrasts)).toBeGreaterThan(1.25);
});

it('sliceColor gives three rounds of the palette different shades', () => {
  const colors = Array.from({ length: 24 }, (_, i) => sliceColor(i, themes.light).hex);

  expect(new Set(colors).size).toBe(24);
});
