import type { Chart } from '../../request/chart.ts';
import type { Shape, Text } from '../../scene.ts';
import { legendSwatch, swatch } from './legend.ts';
import { seriesColor } from './series-look.ts';
import { capHeight, lineHeight, type Box } from '../sizes.ts';
import { distinctTexts } from '../../text/text-fit.ts';
import { textWidth } from '../../text/text-width.ts';

interface Entry {
  readonly name: string;
  readonly index: number;
  readonly width: number;
}

const swatchGap = 0.5;
const gap = 1.4;
const row = lineHeight * 1.2;
const rowsShareMax = 1 / 3;
/**
 * Widths for the longest name, in units of the text size. They are tried in this order until the rows are few enough.
 */
const nameWidths = [Infinity, 40, 30, 20, 12, 8, 5, 3] as const;

/**
 * Places the names of the series above the plot, and returns the remaining space. A small picture has no room for
 * names.
 */
export function placeSeriesLegend(
  chart: Chart,
  bounds: Box,
): { readonly shapes: readonly Shape[]; readonly bounds: Box } {
  const { fontSize, showsText } = chart.sizes;
  const height = bounds.bottom - bounds.top;
  const rowsMax = Math.floor((height * rowsShareMax) / (fontSize * row));
  if (!showsText || rowsMax < 1 || chart.series.every(({ name }) => name === ''))
    return { shapes: [], bounds };
  const nameStart = fontSize * (swatch + swatchGap);
  const rows = nameWidths
    .values()
    .map((nameWidth) => rowsOf(chart, nameWidth * fontSize, bounds.right - bounds.left, nameStart))
    .find(({ length }) => length <= rowsMax);
  if (rows === undefined) return { shapes: [], bounds };
  const swatches: Shape[] = [];
  const texts: Text[] = [];
  rows.forEach((entries, line) => {
    const middle = bounds.top + (line + 0.5) * fontSize * row;
    const width = entries.reduce((sum, entry) => sum + entry.width, -fontSize * gap);
    let x = chart.isRightToLeft ? bounds.right - width : bounds.left;
    for (const { name, index, width } of entries) {
      swatches.push(legendSwatch(x, middle, seriesColor(chart, index), fontSize));
      texts.push({ x: x + nameStart, y: middle + (fontSize * capHeight) / 2, text: name });
      x += width;
    }
  });
  const style = { size: fontSize, fill: chart.theme.ink.value } as const;
  return {
    shapes: [...swatches, { kind: 'texts', ...style, texts }],
    bounds: { ...bounds, top: bounds.top + (rows.length * row + 0.8) * fontSize },
  };
}

/** The names in rows, each at most `nameMax` wide. */
function rowsOf(
  { series, sizes: { fontSize: size } }: Chart,
  nameMax: number,
  widthMax: number,
  nameStart: number,
): readonly (readonly Entry[])[] {
  const rows: Entry[][] = [];
  let free = 0;
  const names = series.map(({ name }) => name);
  distinctTexts(names, Math.min(nameMax, widthMax - nameStart), { size }).forEach((name, index) => {
    const width = textWidth(name, size) + nameStart + size * gap;
    if (width > free) {
      rows.push([]);
      free = widthMax + size * gap;
    }
    rows.at(-1)?.push({ name, index, width });
    free -= width;
  });
  return rows;
}
