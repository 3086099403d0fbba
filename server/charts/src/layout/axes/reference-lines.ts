import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Bar, Path, Shape, Text, Texts } from '../../scene.ts';
import type { Theme } from '../../theme.ts';
import type { Plot } from '../plot.ts';
import { pixelAt } from './value-axis.ts';
import { crosses } from '../marks.ts';
import { capHeight, doOverlap, isIn, type Box, type Sizes } from '../sizes.ts';
import { shortened } from '../../text/text-fit.ts';
import { textWidth } from '../../text/text-width.ts';

/** Positions of a label on its line, from 0 at the start of the plot to 1 at its end, the best first. */
const places = [
  1,
  0,
  ...[2, 4, 8, 16].flatMap((parts) => range(1, parts, 2).map((part) => 1 - part / parts)),
];

/** Adds the reference lines to the plot. Their labels touch no other text, and hide nothing if possible. */
export function withReferenceLines(
  drawn: readonly Shape[],
  { lines, theme, sizes }: Chart,
  plot: Plot,
): readonly Shape[] {
  const { fontSize, showsText } = sizes;
  if (lines.length === 0 && plot.grid.every((grid) => grid.lines.length === 0)) return drawn;
  const isNear = (box: Box): boolean => doOverlap(box, plot, fontSize * 0.2);
  const taken = drawn.flatMap((shape) => (shape.kind === 'texts' ? boxesOfTexts(shape).filter(isNear) : []));
  if (lines.length === 0) return withGaps(drawn, taken, plot);
  const strokes = lines.flatMap(({ value }) => strokesOf(pixelAt(plot, value), taken, theme, plot, sizes));
  if (!showsText) return [...drawn, ...strokes];
  const texts: LabelBox[] = [];
  for (const { value, label } of lines) {
    const others = { texts: [...taken, ...texts], shapes: [...drawn, ...strokes] };
    const place = bestPlace(label, pixelAt(plot, value), others, plot, sizes);
    if (place !== undefined) texts.push(place);
  }
  const labels = texts.map(({ left, bottom, text }): Text => ({ x: left, y: bottom, text }));
  const pad = fontSize * 0.2;
  // Opaque rectangles behind labels that cover shapes.
  const plates = texts
    .filter(({ hides }) => hides)
    .map(({ left, top, right, bottom }): Bar => {
      const [width, height] = [right - left + 2 * pad, bottom - top + 2 * pad];
      return { x: left - pad, y: top - pad, width, height, rounded: 'none' };
    });
  return [
    ...withGaps(drawn, [...taken, ...texts], plot),
    ...strokes,
    ...(plates.length > 0 ? [{ kind: 'bars', fill: theme.paper, radius: 0, bars: plates } as const] : []),
    { kind: 'texts', size: sizes.small, fill: theme.ink.value, texts: labels },
  ];
}

/** A dashed line across the plot, with gaps for the texts in its way. */
function strokesOf(
  value: number,
  taken: readonly Box[],
  { ink, paper }: Theme,
  plot: Plot,
  { fontSize, hairline }: Sizes,
): readonly Path[] {
  const dash = [fontSize * 0.32, fontSize * 0.5];
  const line = { kind: 'path', stroke: ink.title, width: hairline * 1.5 } as const;
  // Between the dashes is paper, so that one of the two stands out from the shapes that the line crosses.
  return piecesOf(Math.round(value), taken, plot).flatMap((piece) => {
    const points = Float64Array.from(piece);
    return [
      { ...line, stroke: paper, points },
      { ...line, dash, points },
    ];
  });
}

/** The drawn shapes, with gaps in the grid where texts are. */
function withGaps(drawn: readonly Shape[], taken: readonly Box[], plot: Plot): readonly Shape[] {
  const [grid] = plot.grid;
  const lines = (grid?.lines ?? []).flatMap(([x = 0, y = 0]) =>
    piecesOf(plot.isHorizontal ? x : y, taken, plot),
  );
  return drawn.map((shape) => (shape === grid ? { ...shape, lines } : shape));
}

/** The parts of a line across the plot that no text is near. */
function piecesOf(
  at: number,
  taken: readonly Box[],
  { isHorizontal, left, top, right, bottom }: Plot,
): readonly (readonly number[])[] {
  const [from, to] = isHorizontal ? [top, bottom] : [left, right];
  const gaps = taken
    .filter((box) =>
      isHorizontal ? box.left < at + 2 && box.right > at - 2 : box.top < at + 2 && box.bottom > at - 2,
    )
    .map((box) => (isHorizontal ? [box.top - 3, box.bottom + 3] : [box.left - 3, box.right + 3]))
    .sort(([a = 0], [b = 0]) => a - b);
  let start = from;
  return [...gaps, [to, to]].flatMap(([first = 0, last = 0]) => {
    const [a, b] = [start, Math.min(first, to)];
    start = Math.max(start, last);
    return b > a ? [isHorizontal ? [at, a, at, b] : [a, at, b, at]] : [];
  });
}

interface LabelBox extends Box {
  readonly text: string;
  /** True if a shape is behind the label. */
  readonly hides: boolean;
}

/** The first position where a label hides nothing, or else only touches no other text. */
function bestPlace(
  label: string,
  at: number,
  others: { readonly texts: readonly Box[]; readonly shapes: readonly Shape[] },
  plot: Plot,
  { fontSize, small: size }: Sizes,
): LabelBox | undefined {
  const text = shortened(label, (plot.right - plot.left) * 0.6, { size });
  if (text === '') return undefined;
  const [width, height, gap] = [textWidth(text, size), size * capHeight, fontSize * 0.45];
  const candidates = places.flatMap((share) =>
    [-1, 1].map((side) => {
      const [left, top] = plot.isHorizontal
        ? [side > 0 ? at + gap : at - gap - width, plot.top + (1 - share) * (plot.bottom - plot.top - height)]
        : [plot.left + share * (plot.right - plot.left - width), side > 0 ? at + gap : at - gap - height];
      return { text, left, top, right: left + width, bottom: top + height };
    }),
  );
  const free = candidates
    .filter((box) => isIn(box, plot) && others.texts.every((other) => !doOverlap(box, other, gap / 3)))
    .map((box) => ({ ...box, hides: others.shapes.some((shape) => isBehind(shape, box)) }));
  return free.find(({ hides }) => !hides) ?? free[0];
}

/** The boxes of texts. They are exact for horizontal and vertical texts, and too large for texts at 45 degrees. */
export function boxesOfTexts({ size, weight, anchor = 'start', angle = 0, texts }: Texts): readonly Box[] {
  return texts.map(({ x, y, text }) => {
    const width = textWidth(text, size, weight);
    const before = width * { start: 0, middle: 0.5, end: 1 }[anchor];
    const height = size * capHeight;
    if (angle === 0) return { left: x - before, top: y - height, right: x - before + width, bottom: y };
    if (angle === 90) return { left: x - height, top: y + before - width, right: x, bottom: y + before };
    return { left: x - width, top: y - height, right: x + width, bottom: y + width };
  });
}

function isBehind(shape: Shape, box: Box): boolean {
  switch (shape.kind) {
    case 'bars':
      return shape.bars.some(({ x, y, width, height }) =>
        doOverlap(box, { left: x, top: y, right: x + width, bottom: y + height }, 3),
      );
    case 'path':
      return crosses(shape.points, box);
    default:
      return false;
  }
}
