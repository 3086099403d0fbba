import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import { sliceColor } from '../palette.ts';
import type { NumberFormats } from './number-formats.ts';
import { count, percentage } from './numbers.ts';

/** A part of a pie, and where its label goes. Angles are clockwise from twelve o'clock, in radians. */
export interface Slice {
  readonly label: string;
  /** Its formatted share of the whole. */
  readonly percent: string;
  readonly fill: Color;
  readonly from: number;
  readonly to: number;
  readonly place: 'beside' | 'legend';
}

const smallShare = 0.025;
const smallMax = 3;

interface Part {
  readonly label: string;
  readonly share: number;
  readonly fill: Color;
}

/**
 * Divides the circle in the order of the request. Large slices are labelled beside the disc, small ones in the legend,
 * and the slices that neither has room for are merged into one last slice that counts them.
 */
export function slicesOf(chart: Chart, besideMax: number, legendMax: number): readonly Slice[] {
  const parts = partsOf(chart);
  const bySize = parts
    .map((_, i) => i)
    .sort((a, b) => (parts[b]?.share ?? 0) - (parts[a]?.share ?? 0) || a - b);
  const beside = new Set(bySize.slice(0, besideCount(parts, besideMax)));
  const rest = bySize.slice(beside.size);
  const inLegend = new Set(rest.length <= legendMax ? rest : rest.slice(0, Math.max(0, legendMax - 1)));
  const shown: Placeable[] = [];
  parts.forEach((part, i) => {
    if (beside.has(i)) shown.push({ ...part, place: 'beside' });
    else if (inLegend.has(i)) shown.push({ ...part, place: 'legend' });
  });
  const others = rest.slice(inLegend.size);
  const share = others.reduce((sum, i) => sum + (parts[i]?.share ?? 0), 0);
  if (others.length > 0)
    shown.push({
      label: othersLabel(others.length, chart.numbers),
      share,
      fill: chart.theme.ink.rest,
      place: 'legend',
    });
  return aroundCircle(shown, chart.numbers);
}

type Placeable = Part & Pick<Slice, 'place'>;

/** Shares are taken of the largest value first, because the sum of the largest numbers overflows. */
function partsOf({ points, colors, theme }: Chart): Part[] {
  const largest = points.reduce((most, { value }) => Math.max(most, value), 0);
  const sum = points.reduce((total, { value }) => total + value / largest, 0);
  return points.map(({ label, value }, i) => ({
    label,
    share: value / largest / sum,
    fill: colors[i % colors.length] ?? sliceColor(i, theme),
  }));
}

/** All slices if there is room and few are small, otherwise the large ones. */
function besideCount(parts: readonly Part[], besideMax: number): number {
  const large = parts.filter(({ share }) => share >= smallShare).length;
  return Math.min(besideMax, parts.length - large <= smallMax ? parts.length : large);
}

function othersLabel(number: number, formats: NumberFormats): string {
  return number === 1 ? '1 other' : `${count(number, formats)} others`;
}

function aroundCircle(parts: readonly Placeable[], formats: NumberFormats): Slice[] {
  let sum = 0;
  return parts.map(({ label, share, fill, place }) => {
    const from = sum * 2 * Math.PI;
    sum += share;
    return {
      label,
      percent: percentage(share, formats),
      fill,
      from,
      to: Math.min(sum, 1) * 2 * Math.PI,
      place,
    };
  });
}
