import { max, sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import { othersPhrase } from '../../text/phrases.ts';
import { numbersIn } from '../../request/series.ts';
import { sliceColor } from '../../theme.ts';
import { count, notationOf } from '../../text/numbers.ts';
import { percentages } from '../../text/percentages.ts';

/** A part of a pie, and where its label goes. Angles are in radians, clockwise from twelve o'clock. */
export interface Slice {
  readonly label: string;
  /** The share of the slice as text; empty if the request wants no shares. */
  readonly percent: string;
  readonly fill: Color;
  readonly from: number;
  readonly to: number;
  readonly place: 'beside' | 'legend';
  /** Undefined for the slice that merges parts. */
  readonly part: Part | undefined;
}

const smallShare = 0.025;
const smallMax = 3;

/** A value of the request, as a share of the whole. */
export interface Part {
  readonly label: string;
  readonly share: number;
  readonly fill: Color;
}

/** The parts of the whole, in the order of the request. */
export function partsOf({ labels, series, colors, theme }: Chart): readonly Part[] {
  const values = valuesOf(series);
  // Divide by the largest value first, because a sum of very large numbers would overflow.
  const largest = max(values) ?? 0;
  const total = sum(values, (value) => value / largest);
  return values.map((value, i) => ({
    label: labels[i] ?? '',
    share: value / largest / total,
    fill: colors[i % colors.length] ?? sliceColor(i, theme),
  }));
}

/** A pie has one series, with a value for every label. */
function valuesOf([only]: Chart['series']): readonly number[] {
  return numbersIn(only?.values ?? []);
}

export function sumOf(series: Chart['series']): number {
  return sum(valuesOf(series));
}

/** Sorts parts, largest first. */
export function bySize(parts: Iterable<Part>): Part[] {
  return [...parts].sort((a, b) => b.share - a.share);
}

/** The parts to label next to the disc: all if they fit and few are small, otherwise the large ones. */
export function largeParts(parts: readonly Part[], countMax: number): ReadonlySet<Part> {
  const small = parts.filter(({ share }) => share < smallShare).length;
  const count = Math.min(countMax, small <= smallMax ? parts.length : parts.length - small);
  return new Set(count === parts.length ? parts : bySize(parts).slice(0, count));
}

/**
 * Divides the circle in the order of the request. Slices that have no label and are not among the first `legendMax` of
 * the legend are merged into a last slice, which says how many they are.
 */
export function slicesOf(
  parts: readonly Part[],
  beside: ReadonlySet<Part>,
  legendMax: number,
  chart: Chart,
): readonly Slice[] {
  const all = parts.map((part) => placed(part, 'beside'));
  if (beside.size === parts.length) return aroundCircle(all, chart);
  const rest = bySize(parts.filter((part) => !beside.has(part)));
  const others = rest.length <= legendMax ? [] : rest.splice(Math.max(0, legendMax - 1));
  const inLegend = new Set(rest);
  const shown: Placeable[] = [];
  for (const part of parts) {
    if (beside.has(part)) shown.push(placed(part, 'beside'));
    else if (inLegend.has(part)) shown.push(placed(part, 'legend'));
  }
  const share = sum(others, (part) => part.share);
  if (others.length > 0)
    shown.push({
      label: othersPhrase(others.length, count(others.length, chart.numbers), chart.locale),
      share,
      fill: chart.theme.ink.rest,
      part: undefined,
      place: 'legend',
    });
  return aroundCircle(shown, chart);
}

type Placeable = Part & Pick<Slice, 'place' | 'part'>;

function placed(part: Part, place: Slice['place']): Placeable {
  const { label, share, fill } = part;
  return { label, share, fill, part, place };
}

function aroundCircle(parts: readonly Placeable[], chart: Chart): Slice[] {
  const texts = shareTexts(parts, chart);
  let end = 0;
  return parts.map(({ label, share, fill, place, part }, i) => {
    const [from, percent] = [end * 2 * Math.PI, texts[i] ?? ''];
    end += share;
    return { label, percent, fill, from, to: Math.min(end, 1) * 2 * Math.PI, place, part };
  });
}

/** The percentages, after the values if the request asks for values. Empty if it asks for neither. */
function shareTexts(
  parts: readonly Placeable[],
  { series, values: choice, numbers }: Chart,
): readonly string[] {
  if (choice === 'never') return [];
  const shares = parts.map(({ share }) => share);
  const texts = percentages(shares, numbers);
  const total = sumOf(series);
  if (choice !== 'always' || !Number.isFinite(total)) return texts;
  const values = shares.map((share) => share * total);
  const { write } = notationOf(values, numbers);
  return texts.map((text, i) => `${write(values[i] ?? 0)} (${text})`);
}
