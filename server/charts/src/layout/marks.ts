import { greatest, least, min, pairs } from 'd3-array';
import type { Color } from '../color.ts';
import type { Anchor, Bar, Coordinates, Text } from '../scene.ts';
import type { Plot } from './plot.ts';
import { doOverlap, type Box } from './sizes.ts';

/** The end of a bar or a point of a line, and the side where its label goes. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly side: Exclude<Bar['rounded'], 'none'>;
  /** The colour of the label, if labels show by colour to which series they belong. */
  readonly color?: Color | undefined;
  /** The bar, if a label can be inside its end. */
  readonly inside?: (Box & { readonly fill: Color }) | undefined;
}

/** The box of a point. */
function boxOf({ x, y }: Pick<Mark, 'x' | 'y'>): Box {
  return { left: x, right: x, top: y, bottom: y };
}

/** The text of a mark, and the space that it takes. */
export interface Label extends Text, Box {
  readonly anchor: Anchor;
  readonly fill: Color;
}

/** The smallest distance between two marks on the category axis. */
export function pitchOf(marks: readonly Mark[], { isHorizontal }: Plot): number {
  const places = marks.map(({ x, y }) => (isHorizontal ? y : x)).sort((a, b) => a - b);
  return min(pairs(places, (a, b) => b - a)) ?? Infinity;
}

/** The least space between two labels. Large labels need more, because their descenders are longer. */
export const gapMin = 2;
const gapOf = ({ top, bottom, left, right }: Box): number =>
  Math.max(gapMin, Math.min(bottom - top, right - left) * 0.2);
/** With more marks than this, only the extremes have labels. */
export const marksMax = 500;
// How far a bar extends to each side of its mark, as a share of the distance between marks.
const barReach = 0.4;

/** What labels must not cover: the marks, and either bars or lines. */
interface Obstacles {
  readonly marks: readonly Mark[];
  readonly plot: Plot;
  /** The least distance between bars; undefined for the points of lines. */
  readonly pitch: number | undefined;
  readonly lines: readonly Coordinates[];
  /** Other texts in the plot. */
  readonly taken: readonly Box[];
}

/**
 * The labels that touch no other label and cover no mark and no line, each at the first of its places that is free.
 * Labels of the extremes are placed first.
 */
export function freeLabels(
  placesOf: (mark: Mark) => IteratorObject<Label>,
  obstacles: Obstacles,
): readonly Label[] {
  const { marks, pitch, lines, taken } = obstacles;
  const free = new Map<Mark, Label>();
  const texts = [...taken];
  for (const mark of extremesFirst(marks)) {
    const label = placesOf(mark).find(
      (place) =>
        !texts.some((other) => doOverlap(place, other, gapOf(place))) &&
        !(pitch === undefined
          ? lines.some((line) => crosses(line, place)) ||
            marks.some((other) => other !== mark && doOverlap(place, boxOf(other), 3))
          : coversBar(place, mark, pitch, obstacles)),
    );
    if (label === undefined) continue;
    free.set(mark, label);
    texts.push(label);
  }
  return marks.flatMap((mark) => free.get(mark) ?? []);
}

/** Returns true if a line from left to right passes through a box: a segment is near the middle of the box. */
export function crosses(line: Coordinates, box: Box): boolean {
  const slack = 1 + (box.bottom - box.top) * 0.2;
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  for (let i = 2; i < line.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [line[i - 2], line[i - 1], line[i], line[i + 1]];
    if (x2 < box.left - slack) continue;
    if (x1 > box.right + slack) return false;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const reach = dx * (box.bottom - y + slack) + Math.abs(dy) * (box.right - x + slack);
    const piece = { left: x1, right: x2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
    if (Math.abs(dx * (y - y1) - dy * (x - x1)) < reach && doOverlap(piece, box, slack)) return true;
  }
  return false;
}

/** Returns true if a label is wider than its bar and would cover another bar. */
function coversBar(label: Label, own: Mark, pitch: number, { marks, plot }: Obstacles): boolean {
  if (plot.isHorizontal || marks.length > marksMax) return false;
  const reach = pitch * barReach;
  const barOf = ({ x, y }: Mark): Box => {
    const [top, bottom] = label.y <= own.y ? [y, Infinity] : [-Infinity, y];
    return { left: x - reach, right: x + reach, top, bottom };
  };
  return marks.some((mark) => mark !== own && doOverlap(barOf(mark), label, 0));
}

function extremesFirst(marks: readonly Mark[]): readonly Mark[] {
  const valueOf = ({ value }: Mark): number => value;
  const [highest, lowest] = [greatest(marks, valueOf), least(marks, valueOf)];
  const others = marks.length > marksMax ? [] : marks;
  return [...new Set([highest, lowest, ...others])].filter((mark) => mark !== undefined);
}
