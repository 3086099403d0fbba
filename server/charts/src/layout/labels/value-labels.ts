import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Coordinates, Texts, Weight } from '../../scene.ts';
import { numbersIn, stacksOf } from '../../request/series.ts';
import { freeLabels, gapMin, marksMax, pitchOf, type Label, type Mark } from '../marks.ts';
import { denoised } from '../../text/decimals.ts';
import { notationOf } from '../../text/numbers.ts';
import type { LabelNeeds, Plot } from '../plot.ts';
import { boxesOfTexts } from '../axes/reference-lines.ts';
import { pixelAt } from '../axes/value-axis.ts';
import { capHeight, isIn, type Box } from '../sizes.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { inkOn } from '../../theme.ts';

/** How the values of a chart are labelled. The positions of the labels are not known yet. */
export interface ValueLabels extends LabelNeeds {
  readonly write: (value: number) => string;
  readonly isTurned: boolean;
  readonly weight: Weight;
  /** The width of the widest label. */
  readonly width: number;
}

/**
 * Plans horizontal labels if all of them fit. Otherwise, plans labels only if the request asks for them: turned labels,
 * or as many as fit. By default, only bars of a single series and sums of stacks have labels. `step` is the distance
 * between bars.
 */
export function planValueLabels(chart: Chart, step: number, bounds: Box): ValueLabels | undefined {
  const { kind, isStacked, series, values: choice = 'auto', numbers, isHorizontal, sizes } = chart;
  const { fontSize, showsText } = sizes;
  const isForced = choice === 'always';
  const { hasBands } = chartKinds[kind];
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (choice === 'never' || !showsText || height < fontSize * 8) return undefined;
  // By default, sums are not written if they are equal, or if a stack goes both ways and so does not end at its sum.
  const stacks = isStacked && hasBands ? stacksOf(chart) : [];
  const sums = new Set(stacks.map(({ sum }) => denoised(sum)));
  const isUsual = !isStacked || (sums.size > 1 && !stacks.some(({ up, down }) => up !== 0 && down !== 0));
  if (!isForced && (!hasBands || !isUsual || step < fontSize * 1.2)) return undefined;
  // If points are this close, their labels would hide the line.
  if (!hasBands && step < fontSize * 1.5) return undefined;
  const values = valuesOf(chart);
  if (values.length === 0) return undefined;
  const { unit, write } = notationOf(values, numbers);
  // Bars side by side have many values, which would be too loud if bold.
  const weight: Weight = hasBands && !isStacked && series.length > 1 ? 'regular' : 'bold';
  const labelWidth = widest(values.map(write), fontSize, weight);
  const room = isHorizontal ? labelWidth + fontSize * 0.6 : fontSize * 1.5;
  const fits = isHorizontal ? labelWidth <= width * 0.2 : labelWidth <= step - fontSize * 0.3;
  const isOneSided = stacks.every(({ up }) => up === 0) || stacks.every(({ down }) => down === 0);
  const areAll = fits && hasBands && isOneSided;
  const level = { write, unit, weight, isTurned: false, areAll, width: labelWidth, room };
  if (fits) return level;
  if (!isForced || (isHorizontal && labelWidth > width * 0.4)) return undefined;
  const turned = { ...level, isTurned: true, room: labelWidth + fontSize * 0.8 };
  const canTurn = hasBands && !isHorizontal && step >= fontSize * 1.1 && turned.room < height * 0.25;
  return canTurn ? turned : level;
}

/** The values to write. Stacks have their sums, and stacked bars all values on request. */
function valuesOf(chart: Chart): readonly number[] {
  const sums = chart.isStacked ? stacksOf(chart).map(({ sum }) => sum) : [];
  const areInStacks = chart.values === 'always' && chartKinds[chart.kind].hasBands;
  if (chart.isStacked && !areInStacks) return sums;
  return [...chart.series.flatMap(({ values }) => numbersIn(values)), ...sums];
}

/**
 * Places the labels that overlap no other label, no bar and no line, the extremes first and then the others in order.
 * Only points have `obstacles`. If `obstacles` has `names`, a label may be at any side or corner of its point.
 */
export function placeValueLabels(
  labels: ValueLabels | undefined,
  marksOf: () => readonly Mark[],
  plot: Plot,
  { theme, sizes, lines }: Chart,
  obstacles?: { readonly lines: readonly Coordinates[]; readonly names?: readonly Texts[] },
): readonly Texts[] {
  if (labels === undefined) return [];
  const marks = marksOf();
  const hasSides = obstacles?.names !== undefined;
  const { lines: paths = [], names = [] } = obstacles ?? {};
  const size = sizes.fontSize;
  // Keep the labels of points above the category axis.
  const below = sizes.showsAxes ? -2 * sizes.hairline : (size * capHeight) / 2;
  const limits = {
    left: plot.left - (plot.isHorizontal ? labels.room : size * 0.4),
    right: plot.isHorizontal ? sizes.width - sizes.margin / 3 : plot.right + (sizes.margin * 2) / 3,
    bottom: plot.bottom + (plot.roomBelow > 0 ? plot.roomBelow : below),
  };
  const places = lines.map(({ value }) => pixelAt(plot, value));
  /** Returns true if a reference line is between the end of a bar and the far side of its label. */
  const isAcross = ({ value }: Mark, { left, top, right, bottom }: Box): boolean => {
    const end = pixelAt(plot, value);
    const [from, to] = plot.isHorizontal ? [left, right] : [top, bottom];
    return places.some((at) => (at < end ? at > from - 3 : at > end && at < to + 3));
  };
  // The label of a point is beyond its dot.
  const gap = size * (obstacles === undefined ? 0.4 : 0.55);
  const labelOf = (mark: Mark, side: readonly [x: number, y: number]): Label =>
    labelAt(mark, side, labels, limits.bottom, size, mark.color ?? theme.ink.value, gap);
  // With reference lines, the label of a bar is inside its end, or beyond it if only the inside is across a line.
  const insideOf = (mark: Mark): Label | undefined => {
    const { inside, side } = mark;
    if (inside === undefined) return undefined;
    const [x, y] = directions[side];
    const label = labelOf(mark, [-x, -y]);
    if (!isIn(label, inside)) return undefined;
    if (isAcross(mark, label) && !isAcross(mark, labelOf(mark, [x, y]))) return undefined;
    return { ...label, fill: inkOn(inside.fill, theme) };
  };
  const placesOf = (mark: Mark): IteratorObject<Label> =>
    [directions[mark.side], ...(hasSides ? [...Object.values(directions), ...corners] : [])]
      .values()
      .map((side) => insideOf(mark) ?? labelOf(mark, side))
      .filter(({ left, right }) => left >= limits.left && right <= limits.right);
  const pitch = obstacles === undefined ? (marks.length <= marksMax ? pitchOf(marks, plot) : 0) : undefined;
  const breadth = plot.isHorizontal || labels.isTurned ? size * capHeight : labels.width;
  // If labels are narrower than the distance between bars, they touch nothing.
  const placed =
    pitch !== undefined && breadth + gapMin < pitch
      ? marks.flatMap((mark) => placesOf(mark).take(1).toArray())
      : freeLabels(placesOf, { marks, plot, pitch, lines: paths, taken: names.flatMap(boxesOfTexts) });
  const style = { kind: 'texts', size, weight: labels.weight, angle: labels.isTurned ? 90 : 0 } as const;
  return Map.groupBy(placed, ({ anchor, fill }) => `${anchor} ${fill.hex}`)
    .values()
    .flatMap((texts) => texts.slice(0, 1).map(({ anchor, fill }) => ({ ...style, anchor, fill, texts })))
    .toArray();
}

const directions = { top: [0, -1], bottom: [0, 1], right: [1, 0], left: [-1, 0] } as const;
/** The places that are free next to a steep line. */
const corners = [-1, 1].flatMap((y) => [-1, 1].map((x) => [x, y] as const));

/** The label in a direction from its mark. A label that does not fit below its mark is above it. */
function labelAt(
  { x, y, value }: Mark,
  [toRight, down]: readonly [x: number, y: number],
  { write, weight, isTurned }: ValueLabels,
  lowest: number,
  size: number,
  fill: Color,
  gap: number,
): Label {
  const text = write(value);
  const [length, thickness] = [textWidth(text, size, weight), size * capHeight];
  const [width, height] = isTurned ? [thickness, length] : [length, thickness];
  const fits = toRight !== 0 || y + gap + height <= lowest;
  const toBottom = fits ? down : -1;
  const [gapX, gapY] = toRight * toBottom === 0 ? [gap, gap] : [size * 0.4, size * 0.3];
  const left = x + toRight * gapX + ((toRight - 1) * width) / 2;
  const top = Math.min(y + toBottom * gapY + ((toBottom - 1) * height) / 2, lowest - height);
  const label = { text, fill, left, top, right: left + width, bottom: top + height };
  // Turned texts read from bottom to top.
  if (isTurned) return { ...label, anchor: 'start', x: label.right, y: label.bottom };
  const anchor = (['end', 'middle', 'start'] as const)[toRight + 1] ?? 'middle';
  return { ...label, anchor, x: left + ((1 - toRight) * width) / 2, y: label.bottom };
}
