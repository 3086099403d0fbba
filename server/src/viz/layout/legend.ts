import { ink } from '../palette.ts';
import type { Bars, Shape } from '../scene.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { shortened } from './text-fit.ts';
import { textWidth } from './text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.25;
const swatch = 0.8;

/** The width of the legend with the space before it; nothing needs none. */
export function legendWidth(slices: readonly Slice[], room: Box, { text }: Sizes): number {
  if (slices.length === 0) return 0;
  const labels = Math.max(...slices.map(({ label }) => textWidth(label, text)));
  return Math.min(labels + percentWidth(slices, text) + text * (swatch + 3), (room.right - room.left) * 0.36);
}

/** A row for each slice: swatch, label, share. */
export function placeLegend(slices: readonly Slice[], room: Box, { text }: Sizes): readonly Shape[] {
  if (slices.length === 0) return [];
  const labelLeft = room.left + text * (swatch + 0.6);
  const labelRoom = room.right - percentWidth(slices, text) - text - labelLeft;
  const top = (room.top + room.bottom - slices.length * text * legendRow) / 2;
  const rows = slices.map((slice, i) => ({ ...slice, y: top + (i + 0.5) * text * legendRow }));
  const baseline = (text * capHeight) / 2;
  const texts = { kind: 'texts', size: text, weight: 'regular', angle: 0 } as const;
  return [
    ...rows.map(({ fill, y }): Bars => swatchAt(room.left, y, fill, text)),
    {
      ...texts,
      fill: ink.value,
      anchor: 'start',
      texts: rows.map(({ label, y }) => ({
        x: labelLeft,
        y: y + baseline,
        text: shortened(label, labelRoom, { size: text }),
      })),
    },
    {
      ...texts,
      fill: ink.label,
      anchor: 'end',
      texts: rows.map(({ percent, y }) => ({ x: room.right, y: y + baseline, text: percent })),
    },
  ];
}

function percentWidth(slices: readonly Slice[], text: number): number {
  return Math.max(...slices.map(({ percent }) => textWidth(percent, text)));
}

function swatchAt(left: number, middle: number, fill: Bars['fill'], text: number): Bars {
  const side = Math.round(text * swatch);
  const bar = {
    x: Math.round(left),
    y: Math.round(middle - side / 2),
    width: side,
    height: side,
    rounded: 'none',
  } as const;
  return { kind: 'bars', fill, radius: 0, bars: [bar] };
}
