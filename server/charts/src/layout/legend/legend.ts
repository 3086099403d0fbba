import type { Chart } from '../../request/chart.ts';
import type { Bars, Shape, Text } from '../../scene.ts';
import { slicesOf, type Part, type Slice } from '../pie/slices.ts';
import { capHeight, lineHeight, type Box } from '../sizes.ts';
import { distinctTexts, wrappedWhole } from '../../text/text-fit.ts';
import { widest } from '../../text/text-width.ts';

/** The height of a row, in units of the text size. */
export const legendRow = lineHeight * 1.25;
/** The distance between columns, in units of the text size. */
export const legendGap = 2;
/** The side of a swatch, in units of the text size. */
export const swatch = 0.8;
const swatchGap = 0.6;
const shareGap = 1;
/** The most entries of a legend in columns. More entries would take the space of the disc. */
const listedMax = 24;

/** The position of a pie's legend, and the space that is left for the disc. */
export interface LegendPlan {
  readonly slices: readonly Slice[];
  /** The lines of each name. A name that is too long for one line is wrapped if the height allows it. */
  readonly names: readonly (readonly string[])[];
  readonly columns: number;
  readonly box: Box;
  readonly free: Box;
  /** True if no name is shortened. */
  readonly isWhole: boolean;
}

/** The side of the disc where a legend goes, and the space there. */
interface LegendRoom {
  readonly side: 'right' | 'below';
  readonly widthMax: number;
  readonly heightMax: number;
}

/** Plans a legend for as many parts as fit into a space. Other parts become one slice. */
export function planLegend(
  parts: readonly Part[],
  bounds: Box,
  { side, widthMax, heightMax }: LegendRoom,
  chart: Chart,
): LegendPlan {
  const { fontSize } = chart.sizes;
  const divide = (legendMax: number): readonly Slice[] => slicesOf(parts, legendMax, chart);
  const [row, gap] = [fontSize * legendRow, fontSize * legendGap];
  const rowsMax = Math.max(1, Math.floor(heightMax / row));
  let [slices, columns] = [divide(rowsMax), 1];
  for (let next = 2; slices.length < parts.length; next++) {
    const count = Math.max(rowsMax, Math.min(listedMax, rowsMax * next));
    const more = count === slices.length ? slices : divide(count);
    if ((legendWidth(more, fontSize) + gap) * next > widthMax + gap) break;
    [slices, columns] = [more, next];
  }
  const columnWidth = Math.min(widthMax, legendWidth(slices, fontSize));
  columns = Math.ceil(slices.length / Math.ceil(slices.length / columns));
  const names = legendNames(slices, columnWidth, columns === 1 ? heightMax : 0, fontSize);
  const height =
    columns === 1
      ? names.reduce((sum, lines) => sum + heightOf(lines, fontSize), 0)
      : Math.ceil(slices.length / columns) * row;
  // Only a name on one line is ever shortened.
  const areWhole = names.every((lines, i) => lines.length > 1 || lines[0] === slices[i]?.label);
  const placed = { slices, names, columns, isWhole: areWhole && height <= heightMax };
  const width = columnWidth * columns + gap * (columns - 1);
  const isRight = side === 'right';
  const left = isRight ? bounds.right - width : (bounds.left + bounds.right - width) / 2;
  const top = isRight ? (bounds.top + bounds.bottom - height) / 2 : bounds.bottom - height;
  const free = { ...bounds, ...(isRight ? { right: left - gap } : { bottom: top - gap }) };
  return { ...placed, free, box: { left, top, right: left + width, bottom: top + height } };
}

/** The width of a legend without shortening names. */
function legendWidth(slices: readonly Slice[], fontSize: number): number {
  const names = slices.map(({ label }) => label);
  // Rounding must not shorten a name that needs exactly this width.
  return widest(names, fontSize) + widthBesideName(slices, fontSize) + 1e-6;
}

function legendNames(
  slices: readonly Slice[],
  width: number,
  heightMax: number,
  size: number,
): readonly (readonly string[])[] {
  const labels = slices.map(({ label }) => label);
  const widthMax = width - widthBesideName(slices, size);
  const line = size * lineHeight;
  let free = heightMax - slices.length * size * legendRow;
  return distinctTexts(labels, widthMax, { size }).map((text, i) => {
    const label = labels[i] ?? '';
    if (text === label) return [text];
    const lines = wrappedWhole(label, widthMax, 1 + Math.floor(free / line), { size }) ?? [text];
    free -= (lines.length - 1) * line;
    return lines;
  });
}

function heightOf(lines: readonly string[], fontSize: number): number {
  return (legendRow + Math.max(0, lines.length - 1) * lineHeight) * fontSize;
}

function widthBesideName(slices: readonly Slice[], fontSize: number): number {
  const shares = slices.map(({ percent }) => percent);
  return widest(shares, fontSize, 'bold') + fontSize * (swatch + swatchGap + shareGap);
}

/** Rows of swatch, name and share, in columns of equal width. */
export function placeLegend(
  { slices, names, columns, box }: LegendPlan,
  { theme: { ink }, sizes: { fontSize } }: Chart,
): readonly Shape[] {
  const gap = fontSize * legendGap;
  const width = (box.right - box.left - gap * (columns - 1)) / columns;
  const rowCount = Math.ceil(slices.length / columns);
  const swatches: Bars[] = [];
  const texts: Text[] = [];
  const shares: Text[] = [];
  let { top } = box;
  slices.forEach(({ percent, fill }, i) => {
    if (i % rowCount === 0) ({ top } = box);
    const left = box.left + Math.floor(i / rowCount) * (width + gap);
    const middle = top + (fontSize * legendRow) / 2;
    const y = middle + (fontSize * capHeight) / 2;
    swatches.push(legendSwatch(left, middle, fill, fontSize));
    if (percent !== '') shares.push({ x: left + width, y, text: percent });
    const x = left + fontSize * (swatch + swatchGap);
    names[i]?.forEach((text, line) => texts.push({ x, y: y + line * fontSize * lineHeight, text }));
    top += heightOf(names[i] ?? [], fontSize);
  });
  return [
    ...swatches,
    { kind: 'texts', size: fontSize, fill: ink.value, texts },
    { kind: 'texts', size: fontSize, weight: 'bold', fill: ink.value, anchor: 'end', texts: shares },
  ];
}

/** The square before a name. */
export function legendSwatch(left: number, middle: number, fill: Bars['fill'], fontSize: number): Bars {
  const side = Math.round(fontSize * swatch);
  const place = { x: Math.round(left), y: Math.round(middle - side / 2), width: side, height: side };
  return { kind: 'bars', fill, radius: 0, bars: [{ ...place, rounded: 'none' }] };
}
