import { cross, greatest, least } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Shape, Text, Texts } from '../../scene.ts';
import { numbersIn, stacksOf } from '../../request/series.ts';
import type { Mark } from '../marks.ts';
import { denoised } from '../../text/decimals.ts';
import { notationOf } from '../../text/numbers.ts';
import type { Plot, ValueLabels } from '../plot.ts';
import { coverOf } from '../axes/reference-lines.ts';
import { isValueAxisNeeded } from '../axes/value-axis.ts';
import { capHeight, doOverlap, isIn, type Box } from '../sizes.ts';
import { textWidth, widest } from '../../text/text-width.ts';

/**
 * Plans horizontal labels if all of them fit. Otherwise, plans labels only if the request asks for them: turned labels,
 * or as many as fit. By default, only bars and the sums of stacks have labels. `step` is the distance between marks.
 */
export function planValueLabels(chart: Chart, step: number, bounds: Box): ValueLabels | undefined {
  const { kind, series, isStacked, values: choice = 'auto', numbers, isHorizontal, sizes } = chart;
  const { fontSize, showsText } = sizes;
  const isForced = choice === 'always';
  const { hasBands } = chartKinds[kind];
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (choice === 'never' || !showsText || height < fontSize * 8) return undefined;
  const stacks = isStacked ? stacksOf(chart) : [];
  // By default, sums are not written if they are equal, or if a stack goes both ways and so does not end at its sum.
  const sums = new Set(stacks.map(({ sum }) => denoised(sum)));
  const areUsual = !isStacked || (sums.size > 1 && !stacks.some(({ up, down }) => up !== 0 && down !== 0));
  if (!isForced && (!hasBands || !areUsual || step < fontSize * 1.2)) return undefined;
  // If points are this close, their labels would hide the line.
  if (!hasBands && step < fontSize * 1.5) return undefined;
  // Only stacks of bars have room for the values of their parts.
  const hasParts = !isStacked || (isForced && hasBands);
  const parts = hasParts ? series.flatMap((each) => numbersIn(each.values)) : [];
  const values = [...parts, ...stacks.map(({ sum }) => sum)];
  if (values.length === 0) return undefined;
  const { unit, write } = notationOf(values, numbers);
  const labelWidth = widest(values.map(write), fontSize, 'bold');
  const room = isHorizontal ? labelWidth + fontSize * 0.6 : fontSize * 1.5;
  const fits = isHorizontal ? labelWidth <= width * 0.2 : labelWidth <= step - fontSize * 0.3;
  const isOneSided = stacks.every(({ up }) => up === 0) || stacks.every(({ down }) => down === 0);
  const isClear = !isHorizontal || step >= fontSize;
  // The numbers of an axis could take the room of the labels.
  const areAll = fits && hasBands && isOneSided && isClear && !isValueAxisNeeded(chart);
  // The labels of points have a larger gap than those of bars, because they begin beyond the dot.
  const gap = fontSize * (hasBands ? 0.4 : 0.55);
  const level = { unit, write, isTurned: false, areAll, room, gap };
  if (fits) return level;
  const isAcross = values.some((value) => value < 0) && values.some((value) => value > 0);
  if (!isForced || (isHorizontal && labelWidth > width * (isAcross ? 0.2 : 0.4))) return undefined;
  const turned = { ...level, isTurned: true, room: labelWidth + fontSize * 0.8 };
  const canTurn = hasBands && !isHorizontal && step >= fontSize * 1.1 && turned.room < height * 0.25;
  return canTurn ? turned : level;
}

/**
 * Places the labels of marks, the extremes first and then the others in order. A label is at the first of its places
 * where it touches no other label and covers no obstacle; without such a place, it is left out. A label of a line may be
 * at any side or corner of its mark. If all labels are planned to fit, they are not compared.
 */
export function placeValueLabels(
  labels: ValueLabels | undefined,
  marksOf: () => readonly Mark[],
  plot: Plot,
  { kind, isStacked, theme, sizes }: Chart,
  obstacles: readonly Shape[],
): readonly Texts[] {
  if (labels === undefined) return [];
  const size = sizes.fontSize;
  // Keep the labels of points above the category axis.
  const below = sizes.showsAxes && !plot.isHorizontal ? -2 * sizes.hairline : (size * capHeight) / 2;
  const limits = {
    top: -Infinity,
    left: plot.left - (plot.isHorizontal ? labels.room : size * 0.4),
    right: plot.isHorizontal ? sizes.width - sizes.margin / 3 : plot.right + (sizes.margin * 2) / 3,
    bottom: plot.bottom + (plot.roomBelow > 0 ? plot.roomBelow : below),
  };
  // Large labels need more space, because their descenders are longer.
  const gap = Math.max(2, size * 0.15);
  const marks = marksOf();
  const covers = coverOf(obstacles);
  const placed = new Map<Mark, Label>();
  // The same labels, which are compared many times.
  const boxes: Label[] = [];
  const others = chartKinds[kind].hasBands || isStacked ? [] : sides;
  for (const mark of labels.areAll ? marks : extremesFirst(marks))
    for (const side of [mark.side, ...others]) {
      const label = labelAt(mark, side, labels, limits.bottom, size, mark.color ?? theme.ink.value);
      const isCovered = (): boolean =>
        boxes.some((other) => doOverlap(label, other, gap)) || covers(label, size * 0.12);
      if (!isIn(label, limits) || (!labels.areAll && isCovered())) continue;
      placed.set(mark, label);
      boxes.push(label);
      break;
    }
  const style = { kind: 'texts', size, weight: 'bold', angle: labels.isTurned ? 90 : 0 } as const;
  const inOrder = marks.flatMap((mark) => placed.get(mark) ?? []);
  return Map.groupBy(inOrder, ({ anchor, fill }) => `${anchor} ${fill.hex}`)
    .values()
    .flatMap((texts) => texts.slice(0, 1).map(({ anchor, fill }) => ({ ...style, anchor, fill, texts })))
    .toArray();
}

/** With more marks than this, only the extremes have labels. */
const marksMax = 500;

function extremesFirst(marks: readonly Mark[]): readonly Mark[] {
  const valueOf = ({ value }: Mark): number => value;
  const [highest, lowest] = [greatest(marks, valueOf), least(marks, valueOf)];
  const others = marks.length > marksMax ? [] : marks;
  return [...new Set([highest, lowest, ...others])].filter((mark) => mark !== undefined);
}

/** The directions from a mark, the best first. The corners are free next to a steep line. */
const sides = cross([-1, 1, 0], [0, -1, 1], (down, toRight) => [toRight, down] as const).filter(
  ([toRight, down]) => toRight !== 0 || down !== 0,
);

/** The text of a mark, and the space that it takes. */
type Label = Text & Box & Required<Pick<Texts, 'anchor' | 'fill'>>;

/** The label in a direction from its mark. */
function labelAt(
  mark: Mark,
  [toRight, down]: Mark['side'],
  { write, isTurned, gap }: ValueLabels,
  lowest: number,
  size: number,
  fill: Color,
): Label {
  const text = write(mark.value);
  const [length, thickness] = [textWidth(text, size, 'bold'), size * capHeight];
  const [width, height] = isTurned ? [thickness, length] : [length, thickness];
  const [gapX, gapY] = toRight * down === 0 ? [gap, gap] : [size * 0.4, size * 0.3];
  const left = mark.x + toRight * gapX + ((toRight - 1) * width) / 2;
  const level = mark.y + down * gapY + ((down - 1) * height) / 2;
  const top = toRight === 0 ? level : Math.min(level, lowest - height);
  const [right, bottom] = [left + width, top + height];
  // Turned texts read from bottom to top.
  const anchor = isTurned ? 'start' : ((['end', 'middle', 'start'] as const)[toRight + 1] ?? 'middle');
  const x = isTurned ? right : left + ((1 - toRight) * width) / 2;
  return { left, top, right, bottom, text, fill, anchor, x, y: bottom };
}
