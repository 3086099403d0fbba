import { modeHsl, modeLrgb, modeRgb, useMode, wcagContrast } from 'culori/fn';

/** A colour in a form that all three formats support: `#rrggbb`, and an opacity from 0 to 1. */
export interface Color {
  readonly hex: string;
  readonly alpha: number;
  /** The `#rrggbb` in an SVG for readers who prefer dark pages, if it differs. */
  readonly dark?: string;
}

type Channels = readonly [red: number, green: number, blue: number];

// culori knows the colour spaces that are registered.
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
  const channels: Channels = [255 * r, 255 * g, 255 * b];
  // CSS also has channels that are `none`.
  return channels.some(Number.isNaN) ? undefined : colorFrom(channels, alpha);
}

/** The colour blended with an opaque background. */
export function over(color: Color, background: Color): Color {
  return color.alpha === 1 ? color : mix(color, background, 1 - color.alpha);
}

/** The colour, moved towards another colour by a share from 0 to 1. The result is opaque. */
export function mix(from: Color, to: Color, share: number): Color {
  return onBothPages((a, b) => mixOpaque(a, b, share), [from, to]);
}

/** Makes a colour of two others, once for light pages and once for dark pages. */
export function onBothPages(
  make: (first: Color, second: Color) => Color,
  [first, second]: readonly [Color, Color],
): Color {
  const light = make(first, second);
  if (first.dark === undefined && second.dark === undefined) return light;
  const inDark = ({ hex, alpha, dark = hex }: Color): Color => ({ hex: dark, alpha });
  return withDark(light, make(inDark(first), inDark(second)));
}

/** The first colour; on dark pages, an SVG replaces it by the second. Both have the opacity of the first. */
export function withDark({ hex, alpha }: Color, dark: Color): Color {
  return hex === dark.hex ? { hex, alpha } : { hex, alpha, dark: dark.hex };
}

function mixOpaque(from: Color, to: Color, share: number): Color {
  const [a, b] = [channelsOf(from), channelsOf(to)];
  const blend = (start: number, end: number): number => start + (end - start) * share;
  return colorFrom([blend(a[0], b[0]), blend(a[1], b[1]), blend(a[2], b[2])], 1);
}

function channelsOf(color: Color): Channels {
  const bits = parseInt(color.hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

export const white: Color = { hex: '#ffffff', alpha: 1 };

/** The contrast of two opaque colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: Color, b: Color): number {
  return wcagContrast(a.hex, b.hex);
}

function colorFrom(channels: Channels, alpha: number): Color {
  const bytes = channels.map((channel) =>
    Math.round(clamp(channel, 0, 255))
      .toString(16)
      .padStart(2, '0'),
  );
  return { hex: `#${bytes.join('')}`, alpha: clamp(Math.round(alpha * 1000) / 1000, 0, 1) };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
