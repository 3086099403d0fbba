import { max } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape, Wedges } from '../../scene.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box } from '../sizes.ts';
import { namedTexts, namedWidth, type NamedValue } from '../labels/named-value.ts';
import { spread } from '../labels/spread.ts';
import { balanced, wrappedWhole } from '../../text/text-fit.ts';

// All distances are in units of the text size.
/** The distance from the disc to each label, and the least distance from a label to the vertical through its middle. */
const gap = 0.6;
/** The distance from the disc to a leader line. */
const startGap = 0.15;
/** The distance from a leader line to its label. */
const lineGap = 0.3;
/** The least distance between labels, one above the other. */
const rowGap = 0.4;
/** The width of the widest label, as a share of the width of disc and labels. */
const widthShareMax = 0.26;

export type Disc = Pick<Wedges, 'x' | 'y' | 'radius'>;

/** The label of a slice. The angles of slices at the left are mirrored, so that all middles are in the right half. */
interface SliceLabel {
  readonly side: -1 | 1;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly NamedValue[];
  readonly width: number;
  readonly height: number;
}

/** The labels of all slices, with their whole names. Undefined if a label is too wide. */
export function labelsOf(
  slices: readonly Slice[],
  pieWidth: number,
  fontSize: number,
): readonly SliceLabel[] | undefined {
  const labels = slices.flatMap(({ label, percent, from, to }): SliceLabel[] => {
    const lines = linesOf(label, percent, pieWidth * widthShareMax, fontSize);
    if (lines === undefined) return [];
    const side = from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
    const angles = side === 1 ? { from, to } : { from: 2 * Math.PI - to, to: 2 * Math.PI - from };
    const width = max(lines, (line) => namedWidth(line, fontSize)) ?? 0;
    return [{ side, ...angles, lines, width, height: ((lines.length - 1) * lineHeight + 1) * fontSize }];
  });
  return labels.length < slices.length ? undefined : labels;
}

/** The name and the percentage on one line, or the percentage below the name. */
function linesOf(
  name: string,
  percent: string,
  widthMax: number,
  size: number,
): readonly NamedValue[] | undefined {
  const fits = (line: NamedValue): boolean => namedWidth(line, size) <= widthMax;
  if (!name.includes('\n') && fits([name, percent])) return [[name, percent]];
  if (wrappedWhole(name, widthMax, 2, { size }) === undefined || !fits(['', percent])) return undefined;
  const names = balanced(name, widthMax, 2, { size }).map((line): NamedValue => [line, '']);
  return percent === '' ? names : [...names, ['', percent]];
}

/** The texts and leader lines of all labels around a disc. Undefined if a label has no place. */
export function placeSliceLabels(
  labels: readonly SliceLabel[],
  disc: Disc,
  bounds: Box,
  { theme, isRightToLeft, sizes: { fontSize, hairline } }: Chart,
): readonly Shape[] | undefined {
  const reach = disc.radius + fontSize * gap;
  const sides = ([1, -1] as const).map((side) => {
    const clockwise = labels.filter((label) => label.side === side);
    const some = side === 1 ? clockwise : clockwise.toReversed();
    // A label is best next to the middle of its slice.
    const targets = some.map(({ from, to, height }) => {
      const at = disc.y - Math.cos((from + to) / 2) * (reach + height / 2);
      return { at, length: height + fontSize * rowGap };
    });
    const places = spread(
      targets,
      Math.max(bounds.top, disc.y - reach - (targets[0]?.length ?? 0) / 2),
      Math.min(bounds.bottom, disc.y + reach + (targets.at(-1)?.length ?? 0) / 2),
    );
    return some.flatMap((label, i) => placeAt(label, places?.[i] ?? NaN, disc, fontSize) ?? []);
  });
  const placed = sides.flat();
  const widthMax = (bounds.right - bounds.left) / 2;
  if (placed.length < labels.length || placed.some(({ start, width }) => start + width > widthMax))
    return undefined;
  const lines = placed.map(({ leader }) => leader).filter(({ length }) => length > 0);
  const texts = sides.flatMap((side) => {
    const rows = side.flatMap(({ side, start, y, height, lines }) =>
      lines.map((line, i) => ({
        x: disc.x + side * start,
        y: y + fontSize * (i * lineHeight + (1 + capHeight) / 2) - height / 2,
        line,
      })),
    );
    const anchor = side[0]?.side === -1 ? 'end' : 'start';
    return namedTexts(rows, { size: fontSize, anchor, fill: theme.ink.value }, isRightToLeft);
  });
  return [{ kind: 'rules', stroke: theme.ink.zero, width: hairline, lines }, ...texts];
}

/**
 * Places a label at a height, so that its nearest corner or side has the usual distance to the disc. A leader line goes
 * from the nearest point of its slice to the nearest line of the label. Undefined if the line would touch the disc.
 * `start` is the horizontal distance from the disc's middle, which is positive at the left too.
 */
function placeAt(label: SliceLabel, y: number, disc: Disc, fontSize: number) {
  const { side, from, to, height } = label;
  const up = disc.y - y;
  const reach = disc.radius + fontSize * gap;
  const towardsMiddle = (by: number): number => Math.sign(up) * Math.max(0, Math.abs(up) - by);
  const nearest = towardsMiddle(height / 2);
  const start = Math.max(across(reach, nearest), fontSize * gap);
  const angle = Math.atan2(start, nearest);
  if (angle > from && angle < to) return { ...label, y, start, leader: [] };
  const [end, endUp] = [start - fontSize * lineGap, towardsMiddle((height - fontSize) / 2)];
  // No label is inside the circle with the radius `reach`, so a line that bends there crosses no other label.
  const bend = Math.min(end, across(reach, endUp));
  const startRadius = disc.radius + fontSize * startGap;
  const toBend = Math.atan2(bend, endUp);
  // The line starts inside its slice, not at the border of the next one.
  const pad = Math.min(0.1, (to - from) / 4);
  const rim = Math.max(from + pad, Math.min(to - pad, toBend));
  if (!(Math.abs(rim - toBend) < Math.acos(startRadius / Math.hypot(bend, endUp)))) return undefined;
  const leader = [
    disc.x + side * Math.sin(rim) * startRadius,
    disc.y - Math.cos(rim) * startRadius,
    disc.x + side * bend,
    disc.y - endUp,
    disc.x + side * end,
    disc.y - endUp,
  ];
  return { ...label, y, start, leader };
}

/** Half the length of the chord at a height above or below the middle of a circle; 0 outside the circle. */
function across(radius: number, height: number): number {
  return Math.abs(height) < radius ? Math.sqrt(radius ** 2 - height ** 2) : 0;
}
