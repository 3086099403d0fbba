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

const distance = differenceEuclidean('oklab');
const [rgb, oklch] = [converter('rgb'), converter('oklch')];
const visions = [
  ['normal', (color: Rgb) => color],
  ['protanopic', (color: Rgb) => filterDeficiencyProt(1)(color)],
  ['deuteranopic', (color: Rgb) => filterDeficiencyDeuter(1)(color)],
  ['tritanopic', (color: Rgb) => filterDeficiencyTrit(1)(color)],
] as const;

describe('themeOf', () => {
  it('keeps text, data and text on data visible on every background', () => {
    const steps = [0, 51, 102, 119, 128, 153, 204, 255];
    const backgrounds = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `rgb(${r} ${g} ${b})`)));
    const all = [themes.dark, ...backgrounds.map((css) => themeOf('light', parseColor(css)))];
    const leastOnMarks = (theme: Theme): number =>
      Math.min(...theme.palette.map((fill) => contrast(inkOn(fill, theme), fill)));

    expect(Math.min(...all.map(leastTextContrast))).toBeGreaterThanOrEqual(textContrast);
    expect(Math.min(...all.map(leastMarkContrast))).toBeGreaterThanOrEqual(markContrast);
    expect(Math.min(...all.map(leastOnMarks))).toBeGreaterThanOrEqual(textContrast);
  });

  it('assumes its own background behind a translucent one', () => {
    const clear = parseColor('transparent');
    const veil = { hex: '#ff0000', alpha: 0.5 };

    expect(themeOf('light', clear).ink).toEqual(themes.light.ink);
    expect(themeOf('dark', clear).ink).toEqual(themes.dark.ink);
    expect(themeOf('light', veil).paper).toEqual(over(veil, white));
  });

  it.each(visions)('has calm colours that differ in %s vision, light and dark', (_name, seen) => {
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
