import { ink } from '../palette.ts';
import type { Rules, Shape, Text, Texts, Wedges } from '../scene.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { shortened, wrapped } from './text-fit.ts';
import { textWidth } from './text-width.ts';

interface Label {
  readonly slice: Slice;
  readonly side: Side;
  readonly name: readonly string[];
  readonly height: number;
  y: number;
}

type Side = -1 | 1;

/** The share stands in the last line of a name, or in a line of its own below it. */
type Form = 'line' | 'stack';

const reach = 1.5;
const widthMax = 0.26;

/** Names in stacks, unless one side has too many of them. */
export function linesBeside(slices: readonly Slice[], room: Box, { text }: Sizes): Form {
  const rightCount = slices.filter((slice) => sideOf(slice) === 1).length;
  const most = Math.max(rightCount, slices.length - rightCount);
  return most * text * lineHeight * 2.3 > room.bottom - room.top ? 'line' : 'stack';
}

/** The width that names need on one side of the disc, with their leader lines. */
export function labelRoom(slices: readonly Slice[], form: Form, room: Box, { text }: Sizes): number {
  let widest = 0;
  for (const { label, percent } of slices) {
    const [name, share] = [textWidth(label, text), textWidth(percent, text)];
    widest = Math.max(widest, form === 'line' ? name + textWidth(' ', text) + share : Math.max(name, share));
  }
  return Math.min(widest, (room.right - room.left) * widthMax) + text * (reach + 0.5);
}

/** Names slices beside the disc, each at the height of its middle as far as its neighbours allow. */
export function placeSliceLabels(
  slices: readonly Slice[],
  disc: Wedges,
  room: Box,
  sizes: Sizes,
): readonly Shape[] {
  const form = linesBeside(slices, room, sizes);
  const width = (room.right - room.left) / 2 - disc.radius - sizes.text * reach;
  const labels = slices.map((slice) => labelOf(slice, form, width, disc, sizes));
  const sides = ([1, -1] as const).map((side) => labels.filter((label) => label.side === side));
  for (const side of sides) spread(side, room);
  return [leaders(labels, disc, sizes), ...sides.flatMap((side) => textsOf(side, form, disc, sizes))];
}

function sideOf({ from, to }: Slice): Side {
  return from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
}

function labelOf(slice: Slice, form: Form, width: number, disc: Wedges, { text }: Sizes): Label {
  const middle = (slice.from + slice.to) / 2;
  const name =
    form === 'line' ? [inLine(slice, width, text)] : wrapped(slice.label, width, 2, { size: text });
  const lines = form === 'line' ? 1 : name.length + 1;
  const y = disc.y - Math.cos(middle) * (disc.radius + text * 0.8);
  return { slice, side: sideOf(slice), name, height: (lines + 0.15) * text * lineHeight, y };
}

function inLine({ label, percent }: Slice, width: number, text: number): string {
  const name = shortened(label, width - textWidth(` ${percent}`, text), { size: text });
  return name === '' ? percent : `${name} ${percent}`;
}

/** Pushes labels down until none touches the next, then up again from the bottom edge. */
function spread(labels: Label[], room: Box): void {
  labels.sort((a, b) => a.y - b.y);
  let free = room.top;
  for (const label of labels) {
    label.y = Math.max(label.y, free + label.height / 2);
    free = label.y + label.height / 2;
  }
  free = room.bottom;
  for (const label of labels.toReversed()) {
    label.y = Math.min(label.y, free - label.height / 2);
    free = label.y - label.height / 2;
  }
}

/** From the rim outwards to the height of the label, then level to its text. */
function leaders(labels: readonly Label[], disc: Wedges, { text, hair }: Sizes): Rules {
  const lines = labels.map(({ slice, side, y }) => {
    const middle = (slice.from + slice.to) / 2;
    const radius = disc.radius + text * 0.25;
    const end = textStart(disc, y, side, text) - side * text * 0.35;
    const rim = [disc.x + Math.sin(middle) * radius, disc.y - Math.cos(middle) * radius];
    return [...rim, end - side * text * 0.5, y, end, y];
  });
  return { kind: 'rules', stroke: ink.leader, width: hair, lines };
}

/** Texts keep to a circle around the disc, so that leader lines stay short. */
function textStart(disc: Wedges, y: number, side: Side, text: number): number {
  const radius = disc.radius + text * reach;
  const height = Math.min(Math.abs(y - disc.y), radius);
  return disc.x + side * Math.max(Math.sqrt(radius ** 2 - height ** 2), text * 1.2);
}

function textsOf(labels: readonly Label[], form: Form, disc: Wedges, { text }: Sizes): readonly Texts[] {
  const names: Text[] = [];
  const shares: Text[] = [];
  for (const { slice, side, name, y } of labels) {
    const lines = form === 'line' ? name : [...name, slice.percent];
    const x = textStart(disc, y, side, text);
    const first = y + (text * capHeight) / 2 - ((lines.length - 1) * text * lineHeight) / 2;
    lines.forEach((line, i) => {
      const isShare = form === 'stack' && i === lines.length - 1;
      (isShare ? shares : names).push({ x, y: first + i * text * lineHeight, text: line });
    });
  }
  const anchor = labels[0]?.side === -1 ? 'end' : 'start';
  const style = { kind: 'texts', size: text, weight: 'regular', angle: 0, anchor } as const;
  return [
    { ...style, fill: ink.value, texts: names },
    { ...style, fill: ink.label, texts: shares },
  ];
}
