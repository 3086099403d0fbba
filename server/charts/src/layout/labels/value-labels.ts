import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Coordinates, Text, Texts } from '../../scene.ts';
import { numbersIn, stacksOf } from '../../request/series.ts';
import { freeLabels, gapMin, marksMax, pitchOf, type Label, type Mark } from '../marks.ts';
import { notationOf } from '../../text/numbers.ts';
import type { Plot } from '../plot.ts';
import { boxesOfTexts } from '../axes/reference-lines.ts';
import { pixelAt } from '../axes/value-axis.ts';
import { capHeight, isIn, type Box, type Sizes } from '../sizes.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { inkOn } from '../../theme.ts';

/** How the values of a chart are labelled. The positions of the labels are not known yet. */
export interface ValueLabels {
  readonly write: (value: number) => string;
  /** The unit of all values; undefined if each has its own. */
  readonly unit: number | undefined;
  readonly isTurned: boolean;
  /** True if every value is written at its mark. */
  readonly areAll: boolean;
  /** The width of the widest label. */
  readonly width: number;
  /** The space that a label needs beyond its mark. */
  readonly room: number;
}

/**
 * Plans horizontal labels if all of them fit. Otherwise, plans labels only if the request asks for them: turned labels,
 * or as many as fit. By default, only bars of a single series and sums of stacks have labels. `step` is the distance
 * between bars.
 */
export function planValueLabels(
  chart: Chart,
  step: number,
  bounds: Box,
  valuesOf = allValues,
): ValueLabels | undefined {
  const { kind, series, isStacked, values: choice = 'auto', numbers, isHorizontal, sizes } = chart;
  const { fontSize, showsText } = sizes;
  const isForced = choice === 'always' || choice === 'last';
  const { hasBands } = chartKinds[kind];
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (choice === 'never' || !showsText) return undefined;
  if (height < fontSize * (choice === 'last' ? 3 : 8)) return undefined;
  // By default, sums are not written if they are equal, or if a stack goes both ways and so does not end at its sum.
  const stacks = isStacked && hasBands && !isForced ? stacksOf(chart) : [];
  const isMixed = stacks.some(({ up, down }) => up !== 0 && down !== 0);
  const sums = new Set(stacks.map(({ sum }) => sum));
  const isUsual = isStacked ? !isMixed && sums.size > 1 : series.length === 1;
  if (!isForced && (!hasBands || !isUsual || step < fontSize * 1.2)) return undefined;
  // If points are this close, their labels would hide the line.
  if (!hasBands && choice !== 'last' && step < fontSize * 1.5) return undefined;
  const values = valuesOf(chart);
  if (values.length === 0) return undefined;
  const { unit, write } = notationOf(values, numbers);
  const labelWidth = widest(values.map(write), fontSize);
  const room = isHorizontal ? labelWidth + fontSize * 0.6 : fontSize * 1.5;
  const fits = isHorizontal ? labelWidth <= width * 0.2 : labelWidth <= step - fontSize * 0.3;
  const areAll = fits && hasBands && !isStacked;
  const level = { write, unit, isTurned: false, areAll, width: labelWidth, room };
  if (fits) return level;
  if (!isForced || (isHorizontal && labelWidth > width * 0.4)) return undefined;
  const turned = { ...level, isTurned: true, room: labelWidth + fontSize * 0.8 };
  const canTurn = hasBands && !isHorizontal && step >= fontSize * 1.1 && turned.room < height * 0.25;
  return canTurn ? turned : level;
}

/** The values to write: of stacks, only the sums by default, and otherwise all values and the sums. */
function allValues(chart: Chart): readonly number[] {
  const sums = chart.isStacked ? sumsOf(chart) : [];
  const all = chart.series.flatMap(({ values }) => numbersIn(values));
  return chart.isStacked && chart.values !== 'always' ? sums : [...all, ...sums];
}

export function sumsOf(chart: Chart): readonly number[] {
  return stacksOf(chart).map(({ sum }) => sum);
}

/**
 * Places the labels that overlap no other label, no bar and no line, the extremes first and then the others in order.
 * Only points have `obstacles`. If these include the names of lines, labels may be on any side.
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
  const size = sizes.fontSize;
  const room = plot.isHorizontal ? labels.room : 0;
  const limits = {
    left: plot.left - room,
    right: plot.isHorizontal ? sizes.width - sizes.margin / 3 : plot.right + sizes.fontSize * 0.6,
    bottom: plot.bottom + (obstacles?.names === undefined ? labels.room : 0),
  };
  const places = lines.map(({ value }) => pixelAt(plot, value));
  const isCrossed = (box: Box): boolean => isAcross(box, places, plot);
  // With reference lines, the label of a bar is inside the bar: at its end, or behind a line that is in the way.
  const insideOf = ({ inside, side, ...mark }: Mark): Label | undefined => {
    if (inside === undefined) return undefined;
    const along = plot.isHorizontal ? 'x' : 'y';
    const label = [mark[along], ...places]
      .map((at) => labelAt({ ...mark, [along]: at, side: opposite[side] }, labels, limits, sizes))
      .find((each) => isIn(each, inside) && !isCrossed(each));
    return label && { ...label, ink: inkOn(inside.fill, theme) };
  };
  const placesOf = (mark: Mark): readonly Label[] =>
    (obstacles?.names === undefined ? [mark.side] : new Set([mark.side, ...sides]))
      .values()
      .map((side) => labelAt({ ...mark, side }, labels, limits, sizes))
      .map((label) => insideOf(mark) ?? label)
      .filter(
        ({ left, right, bottom }) => left >= limits.left && right <= limits.right && bottom <= limits.bottom,
      )
      .toArray();
  const pitch = obstacles === undefined ? (marks.length <= marksMax ? pitchOf(marks, plot) : 0) : undefined;
  const breadth = plot.isHorizontal || labels.isTurned ? size * capHeight : labels.width;
  // If labels are narrower than the distance between bars, they touch nothing.
  const placed =
    pitch !== undefined && breadth + gapMin < pitch
      ? marks.map((mark) => placesOf(mark)[0])
      : freeLabels(placesOf, {
          marks,
          plot,
          pitch,
          lines: obstacles?.lines ?? [],
          taken: obstacles?.names?.flatMap(boxesOfTexts) ?? [],
        });
  const groups = new Map<string, Texts & { readonly texts: Text[] }>();
  placed.forEach((label, i) => {
    if (label === undefined) return;
    const { anchor, x, y, text } = label;
    const fill = label.ink ?? marks[i]?.color ?? theme.ink.value;
    const key = `${anchor} ${fill.hex}`;
    const angle = labels.isTurned ? 90 : 0;
    const group = groups.get(key) ?? { kind: 'texts', size, fill, anchor, angle, texts: [] };
    groups.set(key, group);
    group.texts.push({ x, y, text });
  });
  return [...groups.values()];
}

/** Returns true if a line across the value axis would touch a box. */
function isAcross({ left, top, right, bottom }: Box, places: readonly number[], plot: Plot): boolean {
  const [from, to] = plot.isHorizontal ? [left, right] : [top, bottom];
  return places.some((at) => from - 3 < at && at < to + 3);
}

const sides = ['top', 'bottom', 'right', 'left'] as const;
const opposite = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;

/** The label on one side of its mark. A label that does not fit below its mark is above it. */
function labelAt(
  { x, y, value, side }: Mark,
  { write, isTurned }: ValueLabels,
  { bottom: lowest }: Pick<Box, 'bottom'>,
  { fontSize: size }: Sizes,
): Label {
  const text = write(value);
  const [length, thickness, gap] = [textWidth(text, size), size * capHeight, size * 0.4];
  const [width, height] = isTurned ? [thickness, length] : [length, thickness];
  const boxAt = (left: number, top: number): Box => {
    return { left, top, right: left + width, bottom: top + height };
  };
  if (side === 'left') {
    const box = boxAt(x - gap - width, y - height / 2);
    return { text, anchor: 'end', x: box.right, y: box.bottom, ...box };
  }
  if (side === 'right') {
    const box = boxAt(x + gap, y - height / 2);
    return { text, anchor: 'start', x: box.left, y: box.bottom, ...box };
  }
  const isBelow = side === 'bottom' && y + gap + height <= lowest;
  const box = boxAt(x - width / 2, isBelow ? y + gap : y - gap - height);
  if (!isTurned) return { text, anchor: 'middle', x, y: box.bottom, ...box };
  // Turned texts read from bottom to top.
  return { text, anchor: isBelow ? 'end' : 'start', x: box.right, y: isBelow ? box.top : box.bottom, ...box };
}
