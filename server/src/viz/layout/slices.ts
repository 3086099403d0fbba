import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import { sliceColor } from '../palette.ts';
import { othersPhrase } from '../phrases.ts';
import { numbersIn } from '../series.ts';
import { count, notationOf } from './numbers.ts';
import { percentages } from './percentages.ts';

/** A part of a pie, and where its label goes. Angles are clockwise from twelve o'clock, in radians. */
export interface Slice {
  readonly label: string;
  /** The formatted share of the slice; empty if the request does not want shares. */
  readonly percent: string;
  readonly fill: Color;
  readonly from: number;
  readonly to: number;
  readonly place: 'beside' | 'legend';
  /** Undefined for the slice of the parts that are not shown. */
  readonly part: Part | undefined;
}

const smallShare = 0.025;
const smallMax = 3;

/** A value of the request as a share of the whole. */
export interface Part {
  readonly label: string;
  readonly share: number;
  readonly fill: Color;
}

/** Shares are taken of the largest value first, because the sum of the largest numbers overflows. */
export function partsOf({ labels, series, colors, theme }: Chart): Parts {
  const values = valuesOf(series);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const sum = values.reduce((total, value) => total + value / largest, 0);
  const inOrder = values.map((value, i) => ({
    label: labels[i] ?? '',
    share: value / largest / sum,
    fill: colors[i % colors.length] ?? sliceColor(i, theme),
  }));
  let sorted: readonly Part[] | undefined;
  return { inOrder, bySize: () => (sorted ??= inOrder.toSorted((a, b) => b.share - a.share)) };
}

/** A chart of shares has one series, with a value for each label. */
function valuesOf([only]: Chart['series']): readonly number[] {
  return numbersIn(only?.values ?? []);
}

export function sumOf(series: Chart['series']): number {
  return valuesOf(series).reduce((sum, value) => sum + value, 0);
}

/** The parts of a whole in the order of the request. */
export interface Parts {
  readonly inOrder: readonly Part[];
  /** The largest first. Most pies do not need it. */
  readonly bySize: () => readonly Part[];
}

/** The parts to label beside the disc: all if there is room and few are small, otherwise the large ones. */
export function largeParts({ inOrder, bySize }: Parts, countMax: number): ReadonlySet<Part> {
  let small = 0;
  for (const { share } of inOrder) if (share < smallShare) small++;
  const count = Math.min(countMax, small <= smallMax ? inOrder.length : inOrder.length - small);
  return new Set(count === inOrder.length ? inOrder : bySize().slice(0, count));
}

/**
 * Divides the circle in the order of the request. The slices that are neither labelled beside the disc nor among the
 * `legendMax` of the legend are merged into one last slice that counts them.
 */
export function slicesOf(
  { inOrder, bySize }: Parts,
  beside: ReadonlySet<Part>,
  legendMax: number,
  chart: Chart,
): readonly Slice[] {
  if (beside.size === inOrder.length)
    return aroundCircle(
      inOrder.map((part) => placed(part, 'beside')),
      chart,
    );
  const rest = bySize().filter((part) => !beside.has(part));
  const inLegend = new Set(rest.length <= legendMax ? rest : rest.slice(0, Math.max(0, legendMax - 1)));
  const shown: Placeable[] = [];
  for (const part of inOrder) {
    if (beside.has(part)) shown.push(placed(part, 'beside'));
    else if (inLegend.has(part)) shown.push(placed(part, 'legend'));
  }
  const others = rest.slice(inLegend.size);
  const share = others.reduce((sum, part) => sum + part.share, 0);
  if (others.length > 0)
    shown.push({
      label: othersInWords(others.length, chart),
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

function othersInWords(number: number, { numbers, locale }: Chart): string {
  return othersPhrase(number, count(number, numbers), locale);
}

function aroundCircle(parts: readonly Placeable[], chart: Chart): Slice[] {
  const texts = shareTexts(parts, chart);
  let sum = 0;
  return parts.map(({ label, share, fill, place, part }, i) => {
    const from = sum * 2 * Math.PI;
    sum += share;
    return {
      label,
      percent: texts[i] ?? '',
      fill,
      from,
      to: Math.min(sum, 1) * 2 * Math.PI,
      place,
      part,
    };
  });
}

/** The percentages, with the values before them or none of the two, as the request asks. */
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
