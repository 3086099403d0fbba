import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Bar, Path, Shape, Text, Texts } from '../../scene.ts';
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

/**
 * Adds the reference lines to the plot. Their labels touch no other text, and hide nothing if possible. Texts interrupt
 * them and the grid.
 */
export function withReferenceLines(
  drawn: readonly Shape[],
  { lines, theme, sizes }: Chart,
  plot: Plot,
): readonly Shape[] {
  const { fontSize, hairline, small: size, showsText } = sizes;
  if (lines.length === 0 && plot.grid.every((grid) => grid.lines.length === 0)) return drawn;
  const isNear = (box: Box): boolean => doOverlap(box, plot, fontSize * 0.2);
  const taken = drawn.flatMap((shape) => (shape.kind === 'texts' ? boxesOfTexts(shape).filter(isNear) : []));
  const strokes = lines
    .flatMap(({ value }) => piecesOf(Math.round(pixelAt(plot, value)), taken, plot))
    .flatMap((piece): readonly Path[] => {
      const line = { kind: 'path', width: hairline * 1.5, points: Float64Array.from(piece) } as const;
      // Between the dashes is paper, so that one of the two stands out from the shapes that the line crosses.
      const dash = [fontSize * 0.32, fontSize * 0.5];
      return [
        { ...line, stroke: theme.paper },
        { ...line, stroke: theme.ink.title, dash },
      ];
    });
  const marks = drawn.filter(({ kind }) => kind !== 'texts');
  const labels: LabelBox[] = [];
  for (const { value, label } of showsText ? lines : []) {
    const others = { texts: [...taken, ...labels], shapes: [...marks, ...strokes] };
    const place = bestPlace(label, pixelAt(plot, value), others, plot, sizes);
    if (place !== undefined) labels.push(place);
  }
  const texts = labels.map(({ left, bottom, text }): Text => ({ x: left, y: bottom, text }));
  const pad = fontSize * 0.2;
  // Opaque rectangles behind labels that cover shapes.
  const plates = labels
    .filter(({ hides }) => hides)
    .map(({ left, top, right, bottom }): Bar => {
      const [width, height] = [right - left + 2 * pad, bottom - top + 2 * pad];
      return { x: left - pad, y: top - pad, width, height, rounded: 'none' };
    });
  const [grid] = plot.grid;
  const gridLines = (grid?.lines ?? []).flatMap(([x = 0, y = 0]) =>
    piecesOf(plot.isHorizontal ? x : y, [...taken, ...labels], plot),
  );
  return [
    ...drawn.map((shape) => (shape === grid ? { ...shape, lines: gridLines } : shape)),
    ...strokes,
    ...(plates.length > 0 ? [{ kind: 'bars', fill: theme.paper, radius: 0, bars: plates } as const] : []),
    ...(texts.length > 0 ? [{ kind: 'texts', size, fill: theme.ink.value, texts } as const] : []),
  ];
}

/** The parts of a line across the plot that no text is near. */
function piecesOf(at: number, taken: readonly Box[], plot: Plot): readonly (readonly number[])[] {
  const { isHorizontal } = plot;
  const line = isHorizontal ? { ...plot, left: at, right: at } : { ...plot, top: at, bottom: at };
  const spanOf = ({ left, top, right, bottom }: Box, space: number): readonly [from: number, to: number] =>
    isHorizontal ? [top - space, bottom + space] : [left - space, right + space];
  const gaps = taken.filter((box) => doOverlap(box, line, 2)).map((box) => spanOf(box, 3));
  const [begin, end] = spanOf(plot, 0);
  let start = begin;
  return [...gaps.sort(([a], [b]) => a - b), [end, end] as const].flatMap(([from, to]) => {
    const [a, b] = [start, Math.min(from, end)];
    start = Math.max(start, to);
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
    .map((box) => ({ ...box, hides: others.shapes.some((shape) => isBehind(shape, box, 3)) }));
  return free.find(({ hides }) => !hides) ?? free[0];
}

/** The boxes of horizontal and upright texts. Only labels below the plot are at 45 degrees. */
function boxesOfTexts({ size, weight, anchor = 'start', angle = 0, texts }: Texts): readonly Box[] {
  return texts.map(({ x, y, text }) => {
    const width = textWidth(text, size, weight);
    const before = width * { start: 0, middle: 0.5, end: 1 }[anchor];
    const height = size * capHeight;
    if (angle === 0) return { left: x - before, top: y - height, right: x - before + width, bottom: y };
    return { left: x - height, top: y + before - width, right: x, bottom: y + before };
  });
}

/** Returns true if a line goes through a box, or if a bar, a dot or a text is closer to the box than a gap. */
export function isBehind(shape: Shape, box: Box, gap: number): boolean {
  switch (shape.kind) {
    case 'bars':
      return shape.bars.some(({ x, y, width, height }) =>
        doOverlap(box, { left: x, top: y, right: x + width, bottom: y + height }, gap),
      );
    case 'path':
      return crosses(shape.points, box);
    case 'dots':
      return shape.centers.some((x, i, { [i + 1]: y = 0 }) => {
        return i % 2 === 0 && doOverlap(box, { left: x, right: x, top: y, bottom: y }, shape.radius + gap);
      });
    case 'texts':
      return boxesOfTexts(shape).some((other) => doOverlap(box, other, gap));
    default:
      return false;
  }
}
