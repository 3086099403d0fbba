import type { Shape, Text, Texts } from '../../scene.ts';
import type { Ink } from '../../theme.ts';
import { leaderLine, type Disc, type Leader, type SliceLabel } from './leader-lines.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from '../sizes.ts';
import { spread } from '../labels/spread.ts';
import { wrappedWhole } from '../../text/text-fit.ts';

/** Where the share is: on a line of its own below the name, or on the same line. */
export type Form = 'stack' | 'row';

/** Names are not wrapped to narrower lines, in units of the text size. Such lines would have one word each. */
const wrappedMin = 5;

interface Placed extends SliceLabel {
  readonly y: number;
  readonly leader: Leader;
}

/** The label of a slice with its whole name; undefined if it would be wider than `widthMax`. */
export function sliceLabel(
  slice: Slice,
  form: Form,
  widthMax: number,
  { fontSize }: Sizes,
): SliceLabel | undefined {
  const { label, percent, from, to } = slice;
  const side = from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
  const shares = percent === '' ? [] : [percent];
  const [text, share] = form === 'row' ? [`${label} ${percent}`.trim(), []] : [label, shares];
  const linesMax = form === 'row' || widthMax < fontSize * wrappedMin ? 1 : 2;
  const name = text === '' ? [] : wrappedWhole(text, widthMax, linesMax, { size: fontSize });
  if (name === undefined) return undefined;
  const lines = [...name, ...share];
  return { slice, side, lines, height: (lines.length + 0.15) * fontSize * lineHeight };
}

/** The shapes of the labels, or the slices whose label has no place or no leader line. */
export function placeSliceLabels(
  labels: readonly SliceLabel[],
  form: Form,
  ink: Ink,
  disc: Disc,
  bounds: Box,
  sizes: Sizes,
): { readonly shapes: readonly Shape[] } | { readonly unplaced: readonly Slice[] } {
  const unplaced: Slice[] = [];
  const sides = ([1, -1] as const).map((side): readonly Placed[] => {
    const some = labels.filter((label) => label.side === side);
    // At the left, angles increase upwards.
    if (side === -1) some.reverse();
    const targets = some.map((label) => ({ at: targetOf(label, disc, sizes), length: label.height }));
    const places = spread(targets, bounds.top, bounds.bottom);
    if (places === undefined) {
      unplaced.push(...some.map(({ slice }) => slice));
      return [];
    }
    const placed: Placed[] = [];
    some.forEach((label, i) => {
      const y = places[i] ?? 0;
      const leader = leaderLine(label, y, disc, sizes.fontSize);
      const above = placed.at(-1);
      if (leader === undefined) unplaced.push(label.slice);
      else {
        const next = { ...label, y, leader };
        if (above !== undefined && areCrossing(above, next, disc)) unplaced.push(label.slice);
        placed.push(next);
      }
    });
    return placed;
  });
  if (unplaced.length > 0) return { unplaced };
  const texts = sides.flatMap((side) => textsOf(side, ink, form, disc, sizes));
  const lines = sides.flat().map(({ leader }) => leader.line);
  return { shapes: [{ kind: 'rules', stroke: ink.leader, width: sizes.hairline, lines }, ...texts] };
}

/** A label should be at the height of the middle of its slice. */
function targetOf({ slice: { from, to } }: SliceLabel, { y, radius }: Disc, { fontSize }: Sizes): number {
  return y - Math.cos((from + to) / 2) * (radius + fontSize * 0.8);
}

/** Returns true if the leader line of a label crosses the other label or its leader line. */
function areCrossing(a: Placed, b: Placed, disc: Disc): boolean {
  if (!a.leader.isUpright && !b.leader.isUpright) return false;
  const [lineA, lineB] = [a.leader.line, b.leader.line];
  return doCross(lineA, lineB) || doCross(lineA, outlineOf(b, disc)) || doCross(lineB, outlineOf(a, disc));
}

/** Returns true if two bent lines (x, y, x, y, …) cross. */
function doCross(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i + 3 < a.length; i += 2) {
    for (let j = 0; j + 3 < b.length; j += 2) {
      if (areEndsApart(a, i, b, j) && areEndsApart(b, j, a, i)) return true;
    }
  }
  return false;
}

/** Returns true if the ends of a segment are on different sides of another segment. */
function areEndsApart(line: readonly number[], i: number, ends: readonly number[], j: number): boolean {
  const [x = 0, y = 0, endX = 0, endY = 0] = line.slice(i, i + 4);
  const turn = (at: number): number =>
    (endX - x) * ((ends[at + 1] ?? 0) - y) - (endY - y) * ((ends[at] ?? 0) - x);
  return turn(j) * turn(j + 2) < 0;
}

/** The edges of a label, without the edge that is far from the disc. */
function outlineOf({ side, leader, y, height }: Placed, disc: Disc): readonly number[] {
  const near = disc.x + side * leader.textStart;
  const far = near + side * disc.radius * 2;
  return [far, y - height / 2, near, y - height / 2, near, y + height / 2, far, y + height / 2];
}

function textsOf(
  labels: readonly Placed[],
  ink: Ink,
  form: Form,
  disc: Disc,
  { fontSize }: Sizes,
): readonly Texts[] {
  const names: Text[] = [];
  const shares: Text[] = [];
  for (const { slice, side, lines, y, leader } of labels) {
    const x = disc.x + side * leader.textStart;
    const first = y + (fontSize * capHeight) / 2 - ((lines.length - 1) * fontSize * lineHeight) / 2;
    lines.forEach((text, i) => {
      const isShare = form === 'stack' && slice.percent !== '' && i === lines.length - 1;
      (isShare ? shares : names).push({ x, y: first + i * fontSize * lineHeight, text });
    });
  }
  const anchor = labels[0]?.side === -1 ? 'end' : 'start';
  const style = { kind: 'texts', size: fontSize, anchor } as const;
  return [
    { ...style, fill: ink.value, texts: names },
    { ...style, fill: ink.label, texts: shares },
  ];
}
