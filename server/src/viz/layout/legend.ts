import type { Bars, Shape } from '../scene.ts';
import type { Ink } from '../theme.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { shortened } from './text-fit.ts';
import { textWidth } from './text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.25;
const swatch = 0.8;

/** The width of the legend and the space before it; 0 without slices. */
export function legendWidth(slices: readonly Slice[], bounds: Box, { fontSize }: Sizes): number {
  if (slices.length === 0) return 0;
  const labels = Math.max(...slices.map(({ label }) => textWidth(label, fontSize)));
  return Math.min(
    labels + percentWidth(slices, fontSize) + fontSize * (swatch + 3),
    (bounds.right - bounds.left) * 0.36,
  );
}

/** A row for each slice: swatch, label, share. */
export function placeLegend(
  slices: readonly Slice[],
  ink: Ink,
  bounds: Box,
  { fontSize }: Sizes,
): readonly Shape[] {
  if (slices.length === 0) return [];
  const labelLeft = bounds.left + fontSize * (swatch + 0.6);
  const labelWidth = bounds.right - percentWidth(slices, fontSize) - fontSize - labelLeft;
  const top = (bounds.top + bounds.bottom - slices.length * fontSize * legendRow) / 2;
  const rows = slices.map((slice, i) => ({ ...slice, y: top + (i + 0.5) * fontSize * legendRow }));
  const baseline = (fontSize * capHeight) / 2;
  const texts = { kind: 'texts', size: fontSize, weight: 'regular', angle: 0 } as const;
  return [
    ...rows.map(({ fill, y }): Bars => swatchAt(bounds.left, y, fill, fontSize)),
    {
      ...texts,
      fill: ink.value,
      anchor: 'start',
      texts: rows.map(({ label, y }) => ({
        x: labelLeft,
        y: y + baseline,
        text: shortened(label, labelWidth, { size: fontSize }),
      })),
    },
    {
      ...texts,
      fill: ink.label,
      anchor: 'end',
      texts: rows.map(({ percent, y }) => ({ x: bounds.right, y: y + baseline, text: percent })),
    },
  ];
}

function percentWidth(slices: readonly Slice[], fontSize: number): number {
  return Math.max(...slices.map(({ percent }) => textWidth(percent, fontSize)));
}

function swatchAt(left: number, middle: number, fill: Bars['fill'], fontSize: number): Bars {
  const side = Math.round(fontSize * swatch);
  const bar = {
    x: Math.round(left),
    y: Math.round(middle - side / 2),
    width: side,
    height: side,
    rounded: 'none',
  } as const;
  return { kind: 'bars', fill, radius: 0, bars: [bar] };
}
