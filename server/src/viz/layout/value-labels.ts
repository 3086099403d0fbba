import type { Chart } from '../chart.ts';
import type { Anchor, Bar, Text, Texts } from '../scene.ts';
import { notationOf } from './numbers.ts';
import type { Plot } from './plot.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

/** How the values of a chart are labelled, before their places are known. */
export interface ValueLabels {
  readonly write: (value: number) => string;
  /** The unit of all values. */
  readonly unit: number;
  readonly isTurned: boolean;
  /** The space that a label takes beyond its mark. */
  readonly room: number;
}

/** The end of a bar, or a point of a line, and the side of it where its label stands. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly side: Side;
  /** Whether the label stands more to the left or to the right, where the line at the mark leaves room. */
  readonly shift?: -1 | 0 | 1;
}

type Side = Exclude<Bar['rounded'], 'none'>;

interface Wishes {
  /** All values that the chart writes. Most charts do not ask for them. */
  readonly values: () => readonly number[];
  /** The pixels between marks along the category axis. */
  readonly step: number;
  /** Whether `values: auto` writes them. */
  readonly isUsual: boolean;
}

export const valueSize = 0.92;
// How far a bar reaches to each side of its mark, as a part of the distance to the next.
const barReach = 0.4;
// Of more marks only the extremes are labelled.
const marksMax = 500;

/**
 * Level labels if all of them fit. `values: always` otherwise turns them, or has as many level ones as have room.
 */
export function planValueLabels(
  { kind, values: choice = 'auto', numbers, isHorizontal }: Chart,
  { values: valuesOf, step, isUsual }: Wishes,
  bounds: Box,
  { fontSize, showsText }: Sizes,
): ValueLabels | undefined {
  const isForced = choice === 'always';
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (choice === 'never' || !showsText || height < fontSize * 8) return undefined;
  if (!isForced && (!isUsual || step < fontSize * 1.2)) return undefined;
  const values = valuesOf();
  if (values.length === 0) return undefined;
  const notation = notationOf(values, numbers);
  const { unit } = notation;
  const texts = new Map(values.map((value) => [value, notation.write(value)]));
  const write = (value: number): string => texts.get(value) ?? notation.write(value);
  const size = fontSize * valueSize;
  const widest = values.reduce((most, value) => Math.max(most, textWidth(write(value), size)), 0);
  const level = {
    write,
    unit,
    isTurned: false,
    room: isHorizontal ? widest + fontSize * 0.6 : fontSize * 1.5,
  };
  const fits = isHorizontal ? widest <= width * 0.2 : widest <= step - fontSize * 0.3;
  if (fits) return level;
  if (!isForced || (isHorizontal && widest > width * 0.4)) return undefined;
  const room = widest + fontSize * 0.8;
  const canTurn = kind === 'bar' && !isHorizontal && step >= size * 1.1 && room < height * 0.25;
  return canTurn ? { write, unit, isTurned: true, room } : level;
}

/** The labels that overlap no other one and no bar: first those of the extremes, then in order. */
export function placeValueLabels(
  labels: ValueLabels | undefined,
  marksOf: () => readonly Mark[],
  plot: Plot,
  { kind, theme }: Chart,
  sizes: Sizes,
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
  const reach = kind === 'bar' ? pitchOf(marks) * barReach : 0;
  const byMark = new Map<Mark, Label>();
  const taken: Label[] = [];
  for (const mark of extremesFirst(marks)) {
    const label = labelAt(mark, labels, limits, sizes);
    const isFree =
      taken.every((other) => !overlap(label, other)) &&
      !(kind === 'bar' ? coversBar(label, mark, { marks, reach, plot }) : coversPoint(label, mark, marks));
    if (!isFree || label.left < limits.left || label.right > limits.right) continue;
    byMark.set(mark, label);
    taken.push(label);
  }
  const placed = marks.flatMap((mark) => byMark.get(mark) ?? []);
  const style = { kind: 'texts', size, weight: 'regular', fill: theme.ink.value } as const;
  const angle = labels.isTurned ? 90 : 0;
  return (['middle', 'start', 'end'] as const).flatMap((anchor): readonly Texts[] => {
    const texts = placed.filter((label) => label.anchor === anchor).map(({ x, y, text }) => ({ x, y, text }));
    return texts.length === 0 ? [] : [{ ...style, anchor, angle, texts }];
  });
}

interface Label extends Text, Box {
  readonly anchor: Anchor;
}

function labelAt(
  mark: Mark,
  { write, isTurned }: ValueLabels,
  { bottom }: Pick<Box, 'bottom'>,
  sizes: Sizes,
): Label {
  const { fontSize } = sizes;
  const size = fontSize * valueSize;
  const text = write(mark.value);
  const [length, thickness, gap] = [textWidth(text, size), size * capHeight, fontSize * 0.4];
  const { y, shift = 0 } = mark;
  const x = mark.x + shift * Math.max(0, length / 2 - fontSize * 0.3);
  if (mark.side === 'left' || mark.side === 'right') {
    const [left, anchor] =
      mark.side === 'left' ? [x - gap - length, 'end' as const] : [x + gap, 'start' as const];
    const top = y - thickness / 2;
    const start = anchor === 'start' ? left : left + length;
    return {
      text,
      anchor,
      x: start,
      y: top + thickness,
      left,
      right: left + length,
      top,
      bottom: top + thickness,
    };
  }
  const [width, height] = isTurned ? [thickness, length] : [length, thickness];
  const isBelow = mark.side === 'bottom' && y + gap + height <= bottom;
  const top = isBelow ? y + gap : y - gap - height;
  const box = { text, left: x - width / 2, right: x + width / 2, top, bottom: top + height };
  if (!isTurned) return { ...box, anchor: 'middle', x, y: box.bottom };
  // Turned texts read upwards.
  return { ...box, anchor: isBelow ? 'end' : 'start', x: box.right, y: isBelow ? top : box.bottom };
}

function coversPoint(label: Label, own: Mark, marks: readonly Mark[]): boolean {
  return marks.some(
    (mark) =>
      mark !== own &&
      mark.x > label.left - 3 &&
      mark.x < label.right + 3 &&
      mark.y > label.top - 3 &&
      mark.y < label.bottom + 3,
  );
}

/** Whether a label that is wider than its bar would stand in front of another bar. */
function coversBar(
  label: Label,
  own: Mark,
  { marks, reach, plot }: { readonly marks: readonly Mark[]; readonly reach: number; readonly plot: Plot },
): boolean {
  if (plot.isHorizontal || marks.length > marksMax) return false;
  return marks.some(
    (mark) =>
      mark !== own &&
      mark.x + reach > label.left &&
      mark.x - reach < label.right &&
      (label.y <= own.y ? mark.y < label.bottom : mark.y > label.top),
  );
}

/** The least distance of two marks along the category axis. */
function pitchOf(marks: readonly Mark[]): number {
  const places = marks.map(({ x }) => x).toSorted((a, b) => a - b);
  const distances = places.slice(1).map((x, i) => x - (places[i] ?? x));
  return distances
    .filter((distance) => distance > 0)
    .reduce((least, each) => Math.min(least, each), Infinity);
}

function extremesFirst(marks: readonly Mark[]): readonly Mark[] {
  const [first] = marks;
  if (first === undefined) return [];
  const highest = marks.reduce((most, mark) => (mark.value > most.value ? mark : most), first);
  const lowest = marks.reduce((least, mark) => (mark.value < least.value ? mark : least), first);
  return [...new Set([highest, lowest, ...(marks.length > marksMax ? [] : marks)])];
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom + 2 && b.top < a.bottom + 2;
}
