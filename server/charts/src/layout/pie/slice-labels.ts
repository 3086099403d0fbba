import type { Chart } from '../../request/chart.ts';
import type { Shape, Texts, Wedges } from '../../scene.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from '../sizes.ts';
import { namedTexts, namedWidth, type NamedValue } from '../labels/named-value.ts';
import { spread } from '../labels/spread.ts';
import { balanced, wrappedWhole } from '../../text/text-fit.ts';

/** The space between the disc and the labels at its sides, and more space for many lines, in units of the text size. */
export const labelRooms = { near: 0.6, far: 1.35 } as const;
const startGap = 0.04;
const textGap = 0.35;
const bendMin = 0.85;
/** The length of the horizontal part of a leader line. */
const levelLength = 0.7;

/** The lines of a label at the left or right of its slice. */
export interface SliceLabel {
  readonly slice: Slice;
  readonly side: -1 | 1;
  readonly lines: readonly NamedValue[];
  readonly height: number;
}

type Disc = Pick<Wedges, 'x' | 'y' | 'radius'> & { readonly room: number };

interface PlacedLabel extends SliceLabel {
  readonly y: number;
  /** The horizontal distance from the disc's middle. */
  readonly textStart: number;
  /** The line from the slice to the label. */
  readonly line: readonly number[];
}

/**
 * The label of a slice: its whole name with its percentage on one line, or above its percentage; undefined if it would
 * be wider than `widthMax`.
 */
export function sliceLabel(
  slice: Slice,
  widthMax: number,
  { fontSize: size }: Sizes,
): SliceLabel | undefined {
  const { label, percent, from, to } = slice;
  const short: NamedValue = [label, percent];
  const isShort = !label.includes('\n') && namedWidth(short, size) <= widthMax;
  const isTooWide = namedWidth(['', percent], size) > widthMax;
  if (!isShort && (isTooWide || !wrappedWhole(label, widthMax, 2, { size }))) return undefined;
  const names = isShort ? [] : balanced(label, widthMax, 2, { size });
  const all = [...names.map((name): NamedValue => [name, '']), isShort ? short : (['', percent] as const)];
  const lines = all.filter(([name, value]) => name !== '' || value !== '');
  const side = from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
  return { slice, side, lines, height: (lines.length + 0.15) * size * lineHeight };
}

/** The shapes of all labels; undefined if a label has no place or no leader line. */
export function placeSliceLabels(
  labels: readonly SliceLabel[],
  disc: Disc,
  bounds: Box,
  chart: Chart,
): readonly Shape[] | undefined {
  const { sizes, theme } = chart;
  const sides = ([1, -1] as const).map((side): readonly PlacedLabel[] => {
    const some = labels.filter((label) => label.side === side);
    // At the left, angles increase upwards.
    if (side === -1) some.reverse();
    // A label is best next to the middle of its slice.
    const targets = some.map(({ slice: { from, to }, height }) => {
      const at = disc.y - Math.cos((from + to) / 2) * (disc.radius + sizes.fontSize * 0.8);
      return { at, length: height };
    });
    const bends = bendRadius(disc, sizes.fontSize);
    const places = spread(
      targets,
      Math.max(bounds.top, disc.y - bends - (targets[0]?.length ?? 0) / 2),
      Math.min(bounds.bottom, disc.y + bends + (targets.at(-1)?.length ?? 0) / 2),
    );
    const placed = some.flatMap((label, i) => {
      const y = places?.[i];
      const leader = y === undefined ? undefined : leaderLine(label, y, disc, sizes.fontSize);
      return y === undefined || leader === undefined ? [] : [{ ...label, ...leader, y }];
    });
    return inColumns(placed, disc, sizes.fontSize);
  });
  if (sides.flat().length < labels.length) return undefined;
  const lines = sides.flat().flatMap((label) => (isBeside(label, disc) ? [] : [label.line]));
  const leaders = { kind: 'rules', stroke: theme.ink.leader, width: sizes.hairline, lines } as const;
  return [leaders, ...sides.flatMap((side) => textsOf(side, disc, chart))];
}

/** Aligns labels with the next ones towards the height of the middle, unless these are far away and have no line. */
function inColumns(placed: readonly PlacedLabel[], disc: Disc, fontSize: number): readonly PlacedLabel[] {
  const heightOf = ({ y }: PlacedLabel): number => Math.abs(disc.y - y);
  const columns = new Map<number, PlacedLabel>();
  return placed
    .toSorted((a, b) => heightOf(a) - heightOf(b))
    .map((label) => {
      const half = Math.sign(disc.y - label.y);
      const inner = columns.get(half) ?? label;
      const isFar = Math.abs(label.y - inner.y) > fontSize * 2 && isBeside(inner, disc);
      const isAligned = isFar || inner.textStart <= label.textStart;
      const aligned = isAligned
        ? label
        : { ...label, ...leaderLine(label, label.y, disc, fontSize, inner.textStart) };
      columns.set(half, aligned);
      return aligned;
    });
}

/** Returns true if the slice is what is nearest to its label, so that the label needs no line. */
function isBeside({ slice, side, y, height, textStart }: PlacedLabel, disc: Disc): boolean {
  const up = disc.y - y;
  const nearestUp = Math.sign(up) * Math.max(0, Math.abs(up) - height / 2);
  const angle = (Math.atan2(side * textStart, nearestUp) + 2 * Math.PI) % (2 * Math.PI);
  return angle > slice.from && angle < slice.to;
}

function textsOf(
  labels: readonly PlacedLabel[],
  disc: Disc,
  { theme, isRightToLeft, sizes: { fontSize } }: Chart,
): readonly Texts[] {
  const placed = labels.flatMap((label) => {
    const { side, lines, y } = label;
    const x = disc.x + side * label.textStart;
    const first = y + (fontSize * capHeight) / 2 - ((lines.length - 1) * fontSize * lineHeight) / 2;
    return lines.map((line, i) => ({ x, y: first + i * fontSize * lineHeight, line }));
  });
  const anchor = labels[0]?.side === -1 ? 'end' : 'start';
  return namedTexts(placed, { size: fontSize, anchor, fill: theme.ink.value }, isRightToLeft);
}

/**
 * A line from the rim of a slice straight to the height of its label, and then horizontally to the label. Labels and
 * bends lie on circles around the disc, so that lines are short. Lines that do not touch the disc connect two half
 * circles in the same order, so they never cross. Undefined if the line would touch the disc, or if the label is above
 * or below these circles, where lines would cross.
 */
function leaderLine(
  { slice: { from, to }, side, height }: SliceLabel,
  y: number,
  disc: Disc,
  fontSize: number,
  column = 0,
): Pick<PlacedLabel, 'textStart' | 'line'> | undefined {
  const start = disc.radius + fontSize * startGap;
  const up = disc.y - y;
  const middleAngle = (from + to) / 2;
  // At the left, angles decrease from top to bottom.
  const middle = side === 1 ? middleAngle : 2 * Math.PI - middleAngle;
  const bends = bendRadius(disc, fontSize);
  if (Math.abs(up) > bends + 1e-9) return undefined;
  const bendLeast = Math.max(across(bends, up), fontSize * bendMin);
  const textStart = Math.max(
    across(bends, Math.max(0, Math.abs(up) - height / 2)),
    bendLeast + fontSize * textGap,
    column,
  );
  const bend = Math.max(bendLeast, textStart - fontSize * (textGap + levelLength));
  // The start is as near as possible to the slice's middle, with a straight way to the bend. NaN if there is none.
  const [toBend, reach] = [Math.atan2(bend, up), Math.acos(start / Math.hypot(bend, up))];
  const angle = Math.max(toBend - reach, Math.min(toBend + reach, middle));
  const half = (to - from) / 2;
  if (!(Math.abs(angle - middle) <= half - Math.min(0.1, half / 2) + 1e-9)) return undefined;
  const x = (distance: number): number => disc.x + side * distance;
  const rim = [x(Math.sin(angle) * start), disc.y - Math.cos(angle) * start];
  return { textStart, line: [...rim, x(bend), y, x(textStart - fontSize * textGap), y] };
}

/** The radius of the circle around the disc on which lines bend. Labels must not be above or below this circle. */
function bendRadius({ radius, room }: Disc, fontSize: number): number {
  return radius + fontSize * (room - textGap);
}

/** Half the length of the chord at a height above or below the middle of a circle; 0 outside the circle. */
function across(radius: number, height: number): number {
  return Math.abs(height) < radius ? Math.sqrt(radius ** 2 - height ** 2) : 0;
}
