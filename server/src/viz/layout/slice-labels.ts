import type { Color } from '../color.ts';
import type { Rules, Shape, Text, Texts, Wedges } from '../scene.ts';
import type { Ink } from '../theme.ts';
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

const leaderLength = 1.5;
const widthShareMax = 0.26;

/** Stacks the share below the name, unless one side has too many labels. */
export function labelForm(slices: readonly Slice[], bounds: Box, { fontSize }: Sizes): Form {
  const rightCount = slices.filter((slice) => sideOf(slice) === 1).length;
  const most = Math.max(rightCount, slices.length - rightCount);
  return most * fontSize * lineHeight * 2.3 > bounds.bottom - bounds.top ? 'line' : 'stack';
}

/** The width that labels and leader lines need on one side of the disc. */
export function labelWidth(slices: readonly Slice[], form: Form, bounds: Box, { fontSize }: Sizes): number {
  let widest = 0;
  for (const { label, percent } of slices) {
    const [name, share] = [textWidth(label, fontSize), textWidth(percent, fontSize)];
    widest = Math.max(
      widest,
      form === 'line' ? name + textWidth(' ', fontSize) + share : Math.max(name, share),
    );
  }
  return Math.min(widest, (bounds.right - bounds.left) * widthShareMax) + fontSize * (leaderLength + 0.5);
}

/** Labels slices beside the disc, each at the height of its middle as far as its neighbours allow. */
export function placeSliceLabels(
  slices: readonly Slice[],
  ink: Ink,
  disc: Wedges,
  bounds: Box,
  sizes: Sizes,
): readonly Shape[] {
  const form = labelForm(slices, bounds, sizes);
  const width = (bounds.right - bounds.left) / 2 - disc.radius - sizes.fontSize * leaderLength;
  const labels = slices.map((slice) => labelOf(slice, form, width, disc, sizes));
  const sides = ([1, -1] as const).map((side) => labels.filter((label) => label.side === side));
  for (const side of sides) spread(side, bounds);
  return [
    leaders(labels, disc, sizes, ink.leader),
    ...sides.flatMap((side) => textsOf(side, ink, form, disc, sizes)),
  ];
}

function sideOf({ from, to }: Slice): Side {
  return from + to < 2 * Math.PI + 1e-9 ? 1 : -1;
}

function labelOf(slice: Slice, form: Form, width: number, disc: Wedges, { fontSize }: Sizes): Label {
  const middle = (slice.from + slice.to) / 2;
  const name =
    form === 'line' ? [inLine(slice, width, fontSize)] : wrapped(slice.label, width, 2, { size: fontSize });
  const lines = form === 'line' ? 1 : name.length + 1;
  const y = disc.y - Math.cos(middle) * (disc.radius + fontSize * 0.8);
  return { slice, side: sideOf(slice), name, height: (lines + 0.15) * fontSize * lineHeight, y };
}

function inLine({ label, percent }: Slice, width: number, fontSize: number): string {
  const name = shortened(label, width - textWidth(` ${percent}`, fontSize), { size: fontSize });
  return name === '' ? percent : `${name} ${percent}`;
}

/** Pushes labels down until none touches the next, then up again from the bottom edge. */
function spread(labels: Label[], bounds: Box): void {
  labels.sort((a, b) => a.y - b.y);
  let free = bounds.top;
  for (const label of labels) {
    label.y = Math.max(label.y, free + label.height / 2);
    free = label.y + label.height / 2;
  }
  free = bounds.bottom;
  for (const label of labels.toReversed()) {
    label.y = Math.min(label.y, free - label.height / 2);
    free = label.y - label.height / 2;
  }
}

/** From the rim outwards to the height of the label, then level to its text. */
function leaders(
  labels: readonly Label[],
  disc: Wedges,
  { fontSize, hairline }: Sizes,
  stroke: Color,
): Rules {
  const lines = labels.map(({ slice, side, y }) => {
    const middle = (slice.from + slice.to) / 2;
    const radius = disc.radius + fontSize * 0.25;
    const end = textStart(disc, y, side, fontSize) - side * fontSize * 0.35;
    const rim = [disc.x + Math.sin(middle) * radius, disc.y - Math.cos(middle) * radius];
    return [...rim, end - side * fontSize * 0.5, y, end, y];
  });
  return { kind: 'rules', stroke, width: hairline, lines };
}

/** Texts keep to a circle around the disc, so that leader lines stay short. */
function textStart(disc: Wedges, y: number, side: Side, fontSize: number): number {
  const radius = disc.radius + fontSize * leaderLength;
  const height = Math.min(Math.abs(y - disc.y), radius);
  return disc.x + side * Math.max(Math.sqrt(radius ** 2 - height ** 2), fontSize * 1.2);
}

function textsOf(
  labels: readonly Label[],
  ink: Ink,
  form: Form,
  disc: Wedges,
  { fontSize }: Sizes,
): readonly Texts[] {
  const names: Text[] = [];
  const shares: Text[] = [];
  for (const { slice, side, name, y } of labels) {
    const lines = form === 'line' ? name : [...name, slice.percent];
    const x = textStart(disc, y, side, fontSize);
    const first = y + (fontSize * capHeight) / 2 - ((lines.length - 1) * fontSize * lineHeight) / 2;
    lines.forEach((line, i) => {
      const isShare = form === 'stack' && i === lines.length - 1;
      (isShare ? shares : names).push({ x, y: first + i * fontSize * lineHeight, text: line });
    });
  }
  const anchor = labels[0]?.side === -1 ? 'end' : 'start';
  const style = { kind: 'texts', size: fontSize, weight: 'regular', angle: 0, anchor } as const;
  return [
    { ...style, fill: ink.value, texts: names },
    { ...style, fill: ink.label, texts: shares },
  ];
}
