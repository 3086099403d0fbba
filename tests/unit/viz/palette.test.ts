import { describe, expect, it } from 'vitest';
import { contrast } from '../../../server/src/viz/color.ts';
import { sliceColor, themes } from '../../../server/src/viz/theme.ts';
import { distance } from './color-vision.ts';

const { palette } = themes.light;
const hexes = palette.map(({ hex }) => hex);
const pairs = hexes.flatMap((a, i) => hexes.slice(i + 1).map((b) => [a, b] as const));

describe('palette', () => {
  it.each(['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const)(
    'keeps every two of its colours apart in %s vision',
    (vision) => {
      const nearest = Math.min(...pairs.map(([a, b]) => distance(a, b, vision)));

      expect(nearest).toBeGreaterThan(12);
    },
  );

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
