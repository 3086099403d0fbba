import { ink } from '../palette.ts';
import type { Rules, Shape, Text, Texts, Wedges } from '../scene.ts';
import { percentage } from './numbers.ts';
import type { Slice } from './slices.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { shortened } from './text-fit.ts';
import { textWidth } from './text-width.ts';

interface Label {
  readonly slice: Slice;
  readonly side: -1 | 1;
  /** Where the label would stand without neighbours, and where it does. */
  readonly wanted: number;
  y: number;
}

const reach = 1.5;

/** The width that the widest label needs on one side of the disc, with its leader line. */
export function labelRoom(slices: readonly Slice[], { text }: Sizes): number {
  const widths = beside(slices).map(({ label, share }) =>
    Math.max(textWidth(label, text), textWidth(percentage(share), text)),
  );
  return Math.max(0, ...widths) + text * (reach + 0.5);
}

/** Names slices beside the disc, each at the height of its middle as far as its neighbours allow. */
export function placeSliceLabels(
  slices: readonly Slice[],
  disc: Wedges,
  room: Box,
  sizes: Sizes,
): readonly Shape[] {
  const labels = beside(slices).map((slice) => labelOf(slice, disc, sizes));
  const sides = ([1, -1] as const).map((side) => labels.filter((label) => label.side === side));
  const lines = sides.some((each) => each.length * sizes.text * lineHeight * 2.1 > room.bottom - room.top)
    ? 1
    : 2;
  for (const each of sides) spread(each, room, sizes.text * lineHeight * (lines === 2 ? 2.1 : 1.1));
  return [leaders(labels, disc, sizes), ...sides.flatMap((each) => textsOf(each, disc, room, sizes, lines))];
}

function beside(slices: readonly Slice[]): Slice[] {
  return slices.filter(({ place }) => place === 'beside');
}

function labelOf(slice: Slice, disc: Wedges, { text }: Sizes): Label {
  const middle = (slice.from + slice.to) / 2;
  const wanted = disc.y - Math.cos(middle) * (disc.radius + text * 0.8);
  return { slice, side: Math.sin(middle) < -1e-9 ? -1 : 1, wanted, y: wanted };
}

/** Pushes labels down until none is closer than `distance` to the next, then up again from the bottom edge. */
function spread(labels: Label[], room: Box, distance: number): void {
  labels.sort((a, b) => a.wanted - b.wanted);
  let free = room.top + distance / 2;
  for (const label of labels) {
    label.y = Math.max(label.wanted, free);
    free = label.y + distance;
  }
  free = room.bottom - distance / 2;
  for (const label of labels.toReversed()) {
    label.y = Math.min(label.y, free);
    free = label.y - distance;
  }
}

/** From the rim outwards to the height of the label, then level to its text. */
function leaders(labels: readonly Label[], disc: Wedges, { text, hair }: Sizes): Rules {
  const lines = labels.map(({ slice, side, y }) => {
    const middle = (slice.from + slice.to) / 2;
    const [rimX, rimY] = [Math.sin(middle), -Math.cos(middle)].map(
      (each) => each * (disc.radius + text * 0.25),
    );
    const end = textStart(disc, y, side, text) - side * text * 0.35;
    return [disc.x + (rimX ?? 0), disc.y + (rimY ?? 0), end - side * text * 0.5, y, end, y];
  });
  return { kind: 'rules', stroke: ink.leader, width: hair, lines };
}

/** Texts keep to a circle around the disc, so that leader lines stay short. */
function textStart(disc: Wedges, y: number, side: -1 | 1, text: number): number {
  const radius = disc.radius + text * reach;
  const height = Math.min(Math.abs(y - disc.y), radius * 0.98);
  return disc.x + side * Math.max(Math.sqrt(radius ** 2 - height ** 2), text * 0.9);
}

function textsOf(
  labels: readonly Label[],
  disc: Wedges,
  room: Box,
  { text }: Sizes,
  lines: 1 | 2,
): readonly Texts[] {
  const names: Text[] = [];
  const shares: Text[] = [];
  for (const { slice, side, y } of labels) {
    const x = textStart(disc, y, side, text);
    const free = side > 0 ? room.right - x : x - room.left;
    const share = percentage(slice.share);
    const baseline = y + (text * capHeight) / 2;
    if (lines === 1) {
      names.push({ x, y: baseline, text: oneLine(slice.label, share, free, text) });
      continue;
    }
    const name = shortened(slice.label, free, { size: text });
    const offset = name === '' ? 0 : (text * lineHeight) / 2;
    if (name !== '') names.push({ x, y: baseline - offset, text: name });
    shares.push({ x, y: baseline + offset, text: share });
  }
  const style = { kind: 'texts', size: text, weight: 'regular', angle: 0 } as const;
  const anchor = labels[0]?.side === -1 ? 'end' : 'start';
  return [
    { ...style, anchor, fill: ink.value, texts: names },
    { ...style, anchor, fill: ink.label, texts: shares },
  ];
}

function oneLine(label: string, share: string, room: number, text: number): string {
  const name = shortened(label, room - textWidth(` ${share}`, text), { size: text });
  return name === '' ? share : `${name} ${share}`;
}
