import { formatHex, modeHsl, modeLrgb, modeRgb, useMode, wcagContrast } from 'culori/fn';

/** A colour in a form that all three formats support: `#rrggbb`, and an opacity from 0 to 1. */
export interface Color {
  readonly hex: string;
  readonly alpha: number;
  /** The `#rrggbb` that an SVG has on dark pages instead of `hex`, if it differs. */
  readonly dark?: string;
}

// culori supports only the colour spaces that are registered here.
const rgb = useMode(modeRgb);
useMode(modeHsl);
useMode(modeLrgb);
const notation = /^(?:[a-z]+$|#|(?:rgb|hsl)a?\()/;

/**
 * Parses a CSS colour: a name, hex with 3, 4, 6 or 8 digits, rgb(), rgba(), hsl() or hsla(). Returns undefined for
 * other texts.
 */
export function parseColor(text = ''): Color | undefined {
  const css = text.trim().toLowerCase();
  const color = notation.test(css) ? rgb(css) : undefined;
  if (color === undefined) return undefined;
  const { r, g, b, alpha = 1 } = color;
  // A channel that is `none` in CSS is undefined here.
  if ([r, g, b].map(Number).some(Number.isNaN)) return undefined;
  return { hex: formatHex(color), alpha: Math.round(Math.min(Math.max(alpha, 0), 1) * 1000) / 1000 };
}

/** The colour blended with an opaque background. */
export function over(color: Color, background: Color): Color {
  return color.alpha === 1 ? color : mix(color, background, 1 - color.alpha);
}

/** The colour, moved towards another colour by a share from 0 to 1. The result is opaque. */
export function mix(from: Color, to: Color, share: number): Color {
  return onBothPages((a, b) => mixOpaque(a, b, share), [from, to]);
}

/** Applies `make` twice: to the colours of light pages, and to the colours of dark pages. */
export function onBothPages(
  make: (first: Color, second: Color) => Color,
  [first, second]: readonly [Color, Color],
): Color {
  const light = make(first, second);
  if (first.dark === undefined && second.dark === undefined) return light;
  const inDark = ({ hex, alpha, dark = hex }: Color): Color => ({ hex: dark, alpha });
  return withDark(light, make(inDark(first), inDark(second)));
}

/** The first colour, which an SVG replaces with `dark` on dark pages. Both get the opacity of the first. */
export function withDark({ hex, alpha }: Color, dark: Color): Color {
  return hex === dark.hex ? { hex, alpha } : { hex, alpha, dark: dark.hex };
}

function mixOpaque(from: Color, to: Color, share: number): Color {
  const [a, b] = [from, to].map(({ hex }) => parseInt(hex.slice(1), 16));
  const blended = (shift: number): number => {
    const [start, end] = [((a ?? 0) >> shift) & 255, ((b ?? 0) >> shift) & 255];
    return Math.round(start + (end - start) * share) << shift;
  };
  return { hex: `#${(blended(16) | blended(8) | blended(0)).toString(16).padStart(6, '0')}`, alpha: 1 };
}

export const white: Color = { hex: '#ffffff', alpha: 1 };

/** The contrast of two opaque colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: Color, b: Color): number {
  return wcagContrast(a.hex, b.hex);
}
