import type { Shape, Text, Texts } from '../../scene.ts';
import type { Ink } from '../../theme.ts';
import { leaderLine, type Disc, type Leader, type SliceLabel } from './leader-lines.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from '../sizes.ts';
import { spread } from '../labels/spread.ts';
import { wrappedWhole } from '../../text/text-fit.ts';

/** Names are not wrapped to narrower lines, in units of the text size. Such lines would have one word each. */
const wrappedMin = 5;

interface Placed extends SliceLabel {
  readonly y: number;
  readonly leader: Leader;
}

/** The label of a slice with its whole name; undefined if it would be wider than `widthMax`. */
export function sliceLabel(slice: Slice, widthMax: number, { fontSize }: Sizes): SliceLabel | undefined {
  const { label, percent, from, to } = slice;
  const side = from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
  const linesMax = widthMax < fontSize * wrappedMin ? 1 : 2;
  const name = label === '' ? [] : wrappedWhole(label, widthMax, linesMax, { size: fontSize });
  if (name === undefined) return undefined;
  const lines = percent === '' ? name : [...name, percent];
  return { slice, side, lines, height: (lines.length + 0.15) * fontSize * lineHeight };
}

/** The shapes of the labels, or the slices whose label has no place or no leader line. */
export function placeSliceLabels(
  labels: readonly SliceLabel[],
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
    return some.flatMap((label, i) => {
      const y = places[i] ?? 0;
      const leader = leaderLine(label, y, disc, sizes.fontSize);
      if (leader !== undefined) return [{ ...label, y, leader }];
      unplaced.push(label.slice);
      return [];
    });
  });
  if (unplaced.length > 0) return { unplaced };
  const texts = sides.flatMap((side) => textsOf(side, ink, disc, sizes));
  const lines = sides.flat().map(({ leader }) => leader.line);
  return { shapes: [{ kind: 'rules', stroke: ink.leader, width: sizes.hairline, lines }, ...texts] };
}

/** A label should be at the height of the middle of its slice. */
function targetOf({ slice: { from, to } }: SliceLabel, { y, radius }: Disc, { fontSize }: Sizes): number {
  return y - Math.cos((from + to) / 2) * (radius + fontSize * 0.8);
}

function textsOf(labels: readonly Placed[], ink: Ink, disc: Disc, { fontSize }: Sizes): readonly Texts[] {
  const names: Text[] = [];
  const shares: Text[] = [];
  for (const { slice, side, lines, y, leader } of labels) {
    const x = disc.x + side * leader.textStart;
    const first = y + (fontSize * capHeight) / 2 - ((lines.length - 1) * fontSize * lineHeight) / 2;
    lines.forEach((text, i) => {
      const isShare = slice.percent !== '' && i === lines.length - 1;
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
