import names from 'color-name';

/** A colour in a form that all three formats support: `#rrggbb`, and an opacity from 0 to 1. */
export interface Color {
  readonly hex: string;
  readonly alpha: number;
  /** The `#rrggbb` in an SVG for readers who prefer dark pages, if it differs. */
  readonly dark?: string;
}

type Channels = readonly [red: number, green: number, blue: number];

const byName: ReadonlyMap<string, Channels> = new Map(Object.entries(names));
const functional = /^(rgb|hsl)a?\(([^()]*)\)$/;
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/;
const degreesPerUnit: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Parses a CSS colour: a name, hex with 3, 4, 6 or 8 digits, rgb(), rgba(), hsl() or hsla(). Returns undefined for
 * other texts.
 */
export function parseColor(text: string): Color | undefined {
  const css = text.trim().toLowerCase();
  if (css === 'transparent') return colorFrom([0, 0, 0], 0);
  const named = byName.get(css);
  if (named) return colorFrom(named, 1);
  return css.startsWith('#') ? parseHex(css.slice(1)) : parseFunction(css);
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
  return withDark(light, make(inDark(first), inDark(second)));
}

/** The first colour; on dark pages, an SVG replaces it by the second. Both have the opacity of the first. */
export function withDark({ hex, alpha }: Color, dark: Color): Color {
  return hex === dark.hex ? { hex, alpha } : { hex, alpha, dark: dark.hex };
}

/** The colour on a dark page. */
function inDark({ hex, alpha, dark = hex }: Color): Color {
  return { hex: dark, alpha };
}

function mixOpaque(from: Color, to: Color, share: number): Color {
  const [a, b] = [channelsOf(from), channelsOf(to)];
  return colorFrom([blend(a[0], b[0], share), blend(a[1], b[1], share), blend(a[2], b[2], share)], 1);
}

export function channelsOf(color: Color): Channels {
  const bits = parseInt(color.hex.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

export const white: Color = { hex: '#ffffff', alpha: 1 };

/** The contrast of two opaque colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: Color, b: Color): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of a colour, from 0 to 1. */
function luminance(color: Color): number {
  const [red, green, blue] = channelsOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function blend(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function colorFrom(channels: Channels, alpha: number): Color {
  const bytes = channels.map((channel) =>
    Math.round(clamp(channel, 0, 255))
      .toString(16)
      .padStart(2, '0'),
  );
  return { hex: `#${bytes.join('')}`, alpha: clamp(Math.round(alpha * 1000) / 1000, 0, 1) };
}

function parseHex(digits: string): Color | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined;
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const alpha = long.length === 8 ? parseInt(long.slice(6), 16) / 255 : 1;
  return { hex: `#${long.slice(0, 6)}`, alpha: Math.round(alpha * 1000) / 1000 };
}

function parseFunction(css: string): Color | undefined {
  const match = functional.exec(css);
  const parts = match?.[2] === undefined ? undefined : argumentsOf(match[2]);
  if (!match || !parts) return undefined;
  const [first, second, third, fourth = '1'] = parts;
  const channels = match[1] === 'hsl' ? hsl(first, second, third) : rgb(first, second, third);
  const alpha = amount(fourth, 1);
  return channels && alpha !== undefined ? colorFrom(channels, alpha) : undefined;
}

/** Splits arguments in both notations of CSS: `1, 2, 3, 0.5` and `1 2 3 / 0.5`. */
function argumentsOf(list: string): [string, string, string, string?] | undefined {
  const parts = list.includes(',') ? list.split(',') : list.trim().replace('/', ' ').split(/\s+/);
  const [first, second, third, fourth, ...rest] = parts.map((part) => part.trim());
  if (first === undefined || second === undefined || third === undefined || rest.length > 0) return undefined;
  return fourth === undefined ? [first, second, third] : [first, second, third, fourth];
}

function rgb(...parts: readonly [string, string, string]): Channels | undefined {
  const [red, green, blue] = parts.map((part) => amount(part, 255));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

function hsl(hueText: string, saturationText: string, lightnessText: string): Channels | undefined {
  const hue = degrees(hueText);
  const saturation = percentage(saturationText);
  const lightness = percentage(lightnessText);
  if (hue === undefined || saturation === undefined || lightness === undefined) return undefined;
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (offset + hue / 30) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Parses a number up to `whole`, or a percentage of `whole`. */
function amount(text: string, whole: number): number | undefined {
  if (text.endsWith('%')) {
    const share = percentage(text);
    return share === undefined ? undefined : share * whole;
  }
  return number.test(text) ? clamp(Number(text), 0, whole) : undefined;
}

function percentage(text: string): number | undefined {
  const digits = text.endsWith('%') ? text.slice(0, -1) : '';
  return number.test(digits) ? clamp(Number(digits) / 100, 0, 1) : undefined;
}

function degrees(text: string): number | undefined {
  const unit = /(?:deg|grad|rad|turn)$/.exec(text)?.[0] ?? '';
  const digits = unit === '' ? text : text.slice(0, -unit.length);
  if (!number.test(digits)) return undefined;
  const angle = (Number(digits) * (degreesPerUnit[unit] ?? 1)) % 360;
  return Number.isFinite(angle) ? (angle + 360) % 360 : 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
