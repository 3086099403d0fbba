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
export function boxOf({ x, y }: Pick<Mark, 'x' | 'y'>): Box {
  return { left: x, right: x, top: y, bottom: y };
}

/** The text of a mark, and the space that it takes. */
export interface Label extends Text, Box {
  readonly anchor: Anchor;
  /** The colour of the text if the label is inside a bar. */
  readonly ink?: Color;
}

/** The smallest distance between two marks on the category axis. */
export function pitchOf(marks: readonly Mark[], { isHorizontal }: Plot): number {
  const places = marks.map(({ x, y }) => (isHorizontal ? y : x)).sort((a, b) => a - b);
  return min(pairs(places, (a, b) => b - a)) ?? Infinity;
}

/** The least space between two labels. Large letters have longer descenders. */
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
  placesOf: (mark: Mark) => readonly Label[],
  obstacles: Obstacles,
): readonly (Label | undefined)[] {
  const { marks, pitch, lines, taken } = obstacles;
  const free = new Map<Mark, Label>();
  for (const mark of extremesFirst(marks)) {
    const label = placesOf(mark).find(
      (place) =>
        ![...taken, ...free.values()].some((other) => doOverlap(place, other, gapOf(place))) &&
        !(pitch === undefined
          ? marks.some((other) => other !== mark && doOverlap(place, boxOf(other), 3)) ||
            lines.some((line) => crosses(line, place))
          : coversBar(place, mark, pitch, obstacles)),
    );
    if (label !== undefined) free.set(mark, label);
  }
  return marks.map((mark) => free.get(mark));
}

/** Returns true if a line from left to right passes through a box: corners lie on both sides of one of its segments. */
export function crosses(line: Coordinates, box: Box): boolean {
  const slack = 1 + (box.bottom - box.top) * 0.2;
  const [left, top] = [box.left - slack, box.top - slack];
  const [right, bottom] = [box.right + slack, box.bottom + slack];
  for (let i = 2; i < line.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [line[i - 2], line[i - 1], line[i], line[i + 1]];
    if (x2 < left) continue;
    if (x1 > right) return false;
    const piece = { left: x1, right: x2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
    if (!doOverlap(piece, { left, top, right, bottom }, 0)) continue;
    const sideOf = (x: number, y: number): number => Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
    const sides = [sideOf(left, top), sideOf(right, top), sideOf(left, bottom), sideOf(right, bottom)];
    if (new Set(sides).size > 1) return true;
  }
  return false;
}

/** Returns true if a label is wider than its bar and would cover another bar. */
function coversBar(label: Label, own: Mark, pitch: number, { marks, plot }: Obstacles): boolean {
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
