import { greatest, least } from 'd3-array';
import type { Chart } from '../chart.ts';
import type { Anchor, Bar, Text } from '../scene.ts';
import type { Plot } from './plot.ts';
import { doOverlap, type Box } from './sizes.ts';

/** The end of a bar or a point of a line, and the side where its label goes. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly side: Side;
  /** -1 or 1 if the label is moved to the left or right, away from the line. */
  readonly shift?: -1 | 0 | 1;
}

type Side = Exclude<Bar['rounded'], 'none'>;

/** The text of a mark, and the space that it takes. */
export interface Label extends Text, Box {
  readonly anchor: Anchor;
}

/** The smallest distance between two marks on the category axis. */
export function pitchOf(marks: readonly Mark[], { isHorizontal }: Plot): number {
  const places = marks.map(({ x, y }) => (isHorizontal ? y : x)).sort((a, b) => a - b);
  return places.reduce(
    (least, place, i) => (i === 0 ? least : Math.min(least, place - (places[i - 1] ?? 0))),
    Infinity,
  );
}

/** The least space between two labels. */
export const gapMin = 2;
/** With more marks than this, only the extremes have labels. */
export const marksMax = 500;
// How far a bar extends to each side of its mark, as a share of the distance between marks.
const barReach = 0.4;

/** The labels that touch no other label and cover no mark. Labels of the extremes are placed first. */
export function freeLabels(
  marks: readonly Mark[],
  labelOf: (mark: Mark) => Label | undefined,
  plot: Plot,
  kind: Chart['kind'],
  pitch: number,
): readonly (Label | undefined)[] {
  const free = new Map<Mark, Label>();
  for (const mark of extremesFirst(marks)) {
    const label = labelOf(mark);
    if (label === undefined || free.values().some((other) => doOverlap(label, other, gapMin))) continue;
    const isCovering =
      kind === 'bar' ? coversBar(label, mark, { marks, pitch, plot }) : coversPoint(label, mark, marks);
    if (!isCovering) free.set(mark, label);
  }
  return marks.map((mark) => free.get(mark));
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

/** Returns true if a label is wider than its bar and would cover another bar. */
function coversBar(
  label: Label,
  own: Mark,
  { marks, pitch, plot }: { readonly marks: readonly Mark[]; readonly pitch: number; readonly plot: Plot },
): boolean {
  if (plot.isHorizontal || marks.length > marksMax) return false;
  const reach = pitch * barReach;
  return marks.some(
    (mark) =>
      mark !== own &&
      mark.x + reach > label.left &&
      mark.x - reach < label.right &&
      (label.y <= own.y ? mark.y < label.bottom : mark.y > label.top),
  );
}

function extremesFirst(marks: readonly Mark[]): readonly Mark[] {
  const valueOf = ({ value }: Mark): number => value;
  const [highest, lowest] = [greatest(marks, valueOf), least(marks, valueOf)];
  const others = marks.length > marksMax ? [] : marks;
  return [...new Set([highest, lowest, ...others])].filter((mark) => mark !== undefined);
}
