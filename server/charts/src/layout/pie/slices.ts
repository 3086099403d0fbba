import { sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import { english, type NumberFormats } from '../../text/number-formats.ts';
import { othersPhrase } from '../../text/phrases.ts';
import { numbersIn } from '../../request/series.ts';
import { sliceColor } from '../../theme.ts';
import { denoised } from '../../text/decimals.ts';
import { notationOf } from '../../text/numbers.ts';
import { widest } from '../../text/text-width.ts';

/** A part of a pie. Angles are in radians, clockwise from twelve o'clock. */
export interface Slice {
  readonly label: string;
  /** The share of the slice as text; empty if the request wants no shares. */
  readonly percent: string;
  readonly fill: Color;
  readonly from: number;
  readonly to: number;
}

/** The sum of the values of a pie, which has one series. */
export function sumOf([only]: Chart['series']): number {
  return sum(numbersIn(only?.values ?? []));
}

/** The slices of a pie in the order of the request. If there are more than `countMax`, the last merges the smallest. */
export function slicesOf(chart: Chart, countMax: number): readonly Slice[] {
  const { labels, series, colors, theme, numbers, locale } = chart;
  const values = numbersIn(series[0]?.values ?? []);
  const total = sum(values);
  const parts = values.map((value, i) => ({
    label: labels[i] ?? '',
    share: value / total,
    fill: colors[i % colors.length] ?? sliceColor(i, theme),
  }));
  const bySize = parts.length > countMax ? parts.toSorted((a, b) => b.share - a.share) : [];
  const others = new Set(bySize.slice(Math.max(0, countMax - 1)));
  const shown = parts.filter((part) => !others.has(part));
  if (others.size > 0)
    shown.push({
      label: othersPhrase(others.size, numbers.digits(others.size, 0), locale),
      share: sum(others, (part) => part.share),
      fill: theme.ink.zero,
    });
  const shares = shown.map(({ share }) => share);
  const texts = shareTexts(shares, chart);
  // The middle of a single slice is at three o'clock, where its label has room.
  let end = shown.length === 1 ? -0.25 : 0;
  return shown.map(({ label, share, fill }, i) => {
    const from = end * 2 * Math.PI;
    end += share;
    return { label, fill, percent: texts[i] ?? '', from, to: Math.min(end, 1) * 2 * Math.PI };
  });
}

/** The percentages, after the values if the request asks for values and names have room. Empty if it wants neither. */
function shareTexts(shares: readonly number[], chart: Chart): readonly string[] {
  const { series, values: choice, numbers, sizes } = chart;
  if (choice === 'never') return [];
  const texts = percentages(shares, numbers);
  if (choice !== 'always') return texts;
  const total = sumOf(series);
  const values = shares.map((share) => share * total);
  const { write } = notationOf(values, numbers);
  const both = texts.map((text, i) => `${write(values[i] ?? 0)} (${text})`);
  return widest(both, sizes.fontSize, 'bold') > sizes.width * 0.45 ? texts : both;
}

/**
 * The shares of a whole as texts, which are equal for equal shares. They add up to 100% unless equal shares or shares
 * below 0.1% prevent it. All have one decimal if whole numbers would not add up, or if one would be 0 for more than 0.
 */
export function percentages(shares: readonly number[], formats: NumberFormats = english): string[] {
  const whole = shares.map((share) => Math.round(share * 100));
  const isTrue = sum(whole) === 100 && shares.every((share, i) => share === 0 || whole[i] !== 0);
  const [parts, decimals] = isTrue ? [whole, 0] : [apportioned(shares, 1000), 1];
  return parts.map((part, i) => {
    if (shares[i] === 0) return formats.percent(formats.digits(0, 0));
    if (part === 0) return `<${formats.percent(formats.digits(0.1, 1))}`;
    return formats.percent(formats.digits(part / 10 ** decimals, decimals));
  });
}

/**
 * Rounds the shares of `total`. While the sum differs from `total`, the share with the largest rounding error, together
 * with all equal shares, is rounded the other way, unless it would pass another share. A share below 1 never gets the
 * whole `total`.
 */
function apportioned(shares: readonly number[], total: number): number[] {
  const parts = shares.map((share) => Math.round(share * total));
  let excess = sum(parts) - total;
  const step = Math.sign(excess);
  const errorOf = (share: number): number => (Math.round(share * total) - share * total) * step;
  const groups = [...Map.groupBy(shares.keys(), (i) => denoised(shares[i] ?? 0))];
  const fixed = new Set<number>();
  for (const [share, group] of groups.sort(([a], [b]) => errorOf(b) - errorOf(a))) {
    const part = Math.round(share * total);
    if (group.length > Math.abs(excess) || errorOf(share) <= 0) fixed.add(part);
    if (fixed.has(part)) continue;
    for (const i of group) parts[i] = part - step;
    excess -= step * group.length;
  }
  return parts.map((part, i) => (part === total && (shares[i] ?? 1) < 1 - 1e-12 ? total - 1 : part));
}
