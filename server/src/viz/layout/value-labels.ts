import type { Chart } from '../chart.ts';
import type { Anchor, Text, Texts } from '../scene.ts';
import { numbersIn, stackOf } from '../series.ts';
import { freeLabels, gapMin, marksMax, pitchOf, type Label, type Mark } from './marks.ts';
import { notationOf } from './numbers.ts';
import type { Plot } from './plot.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth, widest } from './text-width.ts';

/** How the values of a chart are labelled. The positions of the labels are not known yet. */
export interface ValueLabels {
  readonly write: (value: number) => string;
  /** The unit of all values; undefined if each has its own. */
  readonly unit: number | undefined;
  readonly isTurned: boolean;
  /** The width of the widest label. */
  readonly width: number;
  /** The space that a label needs beyond its mark. */
  readonly room: number;
}

export const valueSize = 0.92;

/**
 * Plans horizontal labels if all of them fit. Otherwise, with `values: always`, they are turned or only as many are
 * written as fit. By default, only bars of a single series have labels. `step` is the distance between bars.
 */
export function planValueLabels(
  chart: Chart,
  step: number,
  bounds: Box,
  valuesOf = allValues,
): ValueLabels | undefined {
  const { kind, series, isStacked, values: choice = 'auto', numbers, isHorizontal, sizes } = chart;
  const { fontSize, showsText } = sizes;
  const isForced = choice === 'always';
  const isUsual = kind === 'bar' && series.length === 1 && !isStacked;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (choice === 'never' || !showsText || height < fontSize * 8) return undefined;
  if (!isForced && (!isUsual || step < fontSize * 1.2)) return undefined;
  const values = valuesOf(chart);
  if (values.length === 0) return undefined;
  const size = fontSize * valueSize;
  const { unit, write } = notationOf(values, numbers);
  const labelWidth = widest(values.map(write), size);
  const room = isHorizontal ? labelWidth + fontSize * 0.6 : fontSize * 1.5;
  const level = { write, unit, isTurned: false, width: labelWidth, room };
  const fits = isHorizontal ? labelWidth <= width * 0.2 : labelWidth <= step - fontSize * 0.3;
  if (fits) return level;
  if (!isForced || (isHorizontal && labelWidth > width * 0.4)) return undefined;
  const turned = { ...level, isTurned: true, room: labelWidth + fontSize * 0.8 };
  const canTurn = kind === 'bar' && !isHorizontal && step >= size * 1.1 && turned.room < height * 0.25;
  return canTurn ? turned : level;
}

/** The values, including the sums of stacks. */
function allValues({ labels, series, isStacked }: Chart): readonly number[] {
  const all = series.flatMap(({ values }) => numbersIn(values));
  return isStacked ? [...all, ...labels.map((_, i) => stackOf(series, i).sum)] : all;
}

/** Places the labels that overlap no other label and no bar, the extremes first and then the others in order. */
export function placeValueLabels(
  labels: ValueLabels | undefined,
  marksOf: () => readonly Mark[],
  plot: Plot,
  { kind, theme, sizes }: Chart,
): readonly Texts[] {
  if (labels === undefined) return [];
  const marks = marksOf();
  const size = sizes.fontSize * valueSize;
  const room = plot.isHorizontal ? labels.room : 0;
  const limits = {
    left: plot.left - room,
    right: plot.isHorizontal ? sizes.width - sizes.margin / 3 : plot.right + sizes.fontSize * 0.6,
    bottom: plot.bottom + (kind === 'bar' ? labels.room : 0),
  };
  const labelOf = (mark: Mark): Label | undefined => {
    const label = labelAt(mark, labels, limits, sizes);
    return label.left < limits.left || label.right > limits.right ? undefined : label;
  };
  const pitch = kind === 'bar' && marks.length <= marksMax ? pitchOf(marks, plot) : 0;
  const breadth = plot.isHorizontal || labels.isTurned ? size * capHeight : labels.width;
  // Labels that are narrower than the distance between bars touch nothing.
  const placed =
    breadth + gapMin < pitch ? marks.map(labelOf) : freeLabels(marks, labelOf, plot, kind, pitch);
  const style = { kind: 'texts', size, fill: theme.ink.value } as const;
  const angle = labels.isTurned ? 90 : 0;
  const texts: Record<Anchor, Text[]> = { middle: [], start: [], end: [] };
  for (const label of placed)
    if (label !== undefined) texts[label.anchor].push({ x: label.x, y: label.y, text: label.text });
  return anchors
    .filter((anchor) => texts[anchor].length > 0)
    .map((anchor) => ({ ...style, anchor, angle, texts: texts[anchor] }));
}

const anchors = ['middle', 'start', 'end'] as const;

function labelAt(
  mark: Mark,
  { write, isTurned }: ValueLabels,
  { bottom: lowest }: Pick<Box, 'bottom'>,
  sizes: Sizes,
): Label {
  const { fontSize } = sizes;
  const size = fontSize * valueSize;
  const text = write(mark.value);
  const [length, thickness, gap] = [textWidth(text, size), size * capHeight, fontSize * 0.4];
  const { y, shift = 0 } = mark;
  const x = mark.x + shift * Math.max(0, length / 2 - fontSize * 0.3);
  if (mark.side === 'left' || mark.side === 'right') {
    const isLeft = mark.side === 'left';
    const [left, right] = isLeft ? [x - gap - length, x - gap] : [x + gap, x + gap + length];
    const [top, bottom] = [y - thickness / 2, y + thickness / 2];
    return {
      text,
      anchor: isLeft ? 'end' : 'start',
      x: isLeft ? right : left,
      y: bottom,
      left,
      right,
      top,
      bottom,
    };
  }
  const [width, height] = isTurned ? [thickness, length] : [length, thickness];
  const isBelow = mark.side === 'bottom' && y + gap + height <= lowest;
  const [left, right] = [x - width / 2, x + width / 2];
  const top = isBelow ? y + gap : y - gap - height;
  const bottom = top + height;
  if (!isTurned) return { text, anchor: 'middle', x, y: bottom, left, right, top, bottom };
  // Turned texts read from bottom to top.
  return {
    text,
    anchor: isBelow ? 'end' : 'start',
    x: right,
    y: isBelow ? top : bottom,
    left,
    right,
    top,
    bottom,
  };
}
