import { legendGap, legendHeight, legendNames, legendRow, legendWidth, type LegendName } from './legend.ts';
import type { Slice } from './slices.ts';
import type { Box, Sizes } from './sizes.ts';

type Side = 'right' | 'below';

/** A legend with more slices in columns would take the room of the disc. */
const listedMax = 24;

/** The place of the legend of a pie, and the space that remains for its disc. */
export interface LegendPlan {
  readonly slices: readonly Slice[];
  readonly legend: readonly Slice[];
  readonly names: readonly LegendName[];
  readonly columns: number;
  readonly box: Box;
  readonly free: Box;
  /** It keeps to its room without a shortened name. */
  readonly isWhole: boolean;
}

/** The space that the legend may take. */
interface Room {
  readonly widthMax: number;
  readonly heightMax: number;
}

/** Plans a legend for as many slices as its room can hold. `divide` merges the other slices into one. */
export function planLegend(
  side: Side,
  divide: (legendMax: number) => readonly Slice[],
  bounds: Box,
  sizes: Sizes,
  { widthMax, heightMax }: Room,
): LegendPlan {
  const [row, gap] = [sizes.fontSize * legendRow, sizes.fontSize * legendGap];
  const rowsMax = Math.max(1, Math.floor(heightMax / row));
  let slices = divide(rowsMax);
  let columns = 1;
  if (inLegend(slices).length === 0)
    return { slices, legend: [], names: [], columns, isWhole: true, free: bounds, box: bounds };
  const columnsOf = (some: typeof slices): number =>
    side === 'right' ? 1 : Math.floor((widthMax + gap) / (legendWidth(inLegend(some), sizes) + gap));
  const areMerged = (): boolean => slices.some(({ part }) => part === undefined);
  // More slices may have longer names and thus fewer columns.
  for (let next = columnsOf(slices); next > columns && areMerged(); next = columnsOf(slices)) {
    const more = divide(Math.max(rowsMax, Math.min(listedMax, rowsMax * next)));
    if (columnsOf(more) < next) break;
    [slices, columns] = [more, next];
  }
  const legend = inLegend(slices);
  const columnWidth = Math.min(widthMax, legendWidth(legend, sizes));
  columns = Math.ceil(legend.length / Math.ceil(legend.length / columns));
  const names = legendNames(legend, columnWidth, columns === 1 ? heightMax : 0, sizes);
  const height = columns === 1 ? legendHeight(names, sizes) : Math.ceil(legend.length / columns) * row;
  const isWhole =
    height <= heightMax && names.every((lines, i) => lines.length > 1 || lines[0] === legend[i]?.label);
  const placed = { slices, legend, names, columns, isWhole };
  const width = columnWidth * columns + gap * (columns - 1);
  if (side === 'right') {
    const [left, top] = [bounds.right - width, (bounds.top + bounds.bottom - height) / 2];
    const box = { left, top, right: bounds.right, bottom: top + height };
    return { ...placed, free: { ...bounds, right: left - gap }, box };
  }
  const [left, top] = [(bounds.left + bounds.right - width) / 2, bounds.bottom - height];
  const box = { left, top, right: left + width, bottom: bounds.bottom };
  return { ...placed, free: { ...bounds, bottom: top - gap }, box };
}

function inLegend(slices: readonly Slice[]): readonly Slice[] {
  return slices.filter(({ place }) => place === 'legend');
}
