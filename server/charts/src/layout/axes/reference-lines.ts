import { range } from 'd3-array';
import type { Chart, Point } from '../../request/chart.ts';
import type { Bars, Path, Shape } from '../../scene.ts';
import type { Plot } from '../plot.ts';
import { pixelAt } from './value-axis.ts';
import { crosses } from '../marks.ts';
import { boxAt, capHeight, doOverlap, isIn, type Box, type Sizes } from '../sizes.ts';
import { shortened } from '../../text/text-fit.ts';
import { textWidth } from '../../text/text-width.ts';

/** Positions of a label on its line, the best first: from the end of the line, 1, to its start, 0. */
const places = range(16, -1, -1).map((part) => part / 16);

/**
 * Adds the reference lines to the plot. Their labels touch no other text, and hide nothing if possible. Texts interrupt
 * them and the grid.
 */
export function withReferenceLines(
  drawn: readonly Shape[],
  { lines, isArea, theme, sizes }: Chart,
  plot: Plot,
): readonly Shape[] {
  const { fontSize, hairline, small: size, showsText } = sizes;
  if (lines.length === 0 && plot.grid.every((grid) => grid.lines.length === 0)) return drawn;
  // The texts of the axes are outside the plot, where no line can touch them.
  const isNear = (shape: Shape): boolean => shape.kind === 'texts' && !plot.axes.includes(shape);
  const taken = drawn.filter(isNear).flatMap(boxesOf);
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
  const hides = coverOf([...drawn.filter(({ kind }) => kind !== 'texts'), ...strokes]);
  const labels: LabelBox[] = [];
  for (const line of showsText ? lines : []) {
    const place = bestPlace(line, [...taken, ...labels], hides, plot, sizes);
    if (place !== undefined) labels.push(place);
  }
  const pad = fontSize * 0.2;
  // Paper behind labels that are on areas or hide shapes.
  const plates = labels
    .filter((box) => isArea || hides(box, 3))
    .map(({ left, top, right, bottom }): Bars => {
      const [width, height] = [right - left + 2 * pad, bottom - top + 2 * pad];
      const plate = { x: left - pad, y: top - pad, width, height, rounded: 'none' } as const;
      return { kind: 'bars', fill: theme.paper, radius: 0, bars: [plate] };
    });
  const texts = labels.map(({ left, bottom, text }) => ({ x: left, y: bottom, text }));
  const [grid] = plot.grid;
  const gridLines = (grid?.lines ?? []).flatMap(([x = 0, y = 0]) =>
    piecesOf(plot.isHorizontal ? x : y, [...taken, ...labels], plot),
  );
  return [
    ...drawn.map((shape) => (shape === grid ? { ...shape, lines: gridLines } : shape)),
    ...strokes,
    ...plates,
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

type LabelBox = Box & Readonly<{ text: string }>;

/** The first position where a label hides no shape, or else the first where it touches no other text. */
function bestPlace(
  { value, label }: Point,
  taken: readonly Box[],
  hides: (box: Box, gap: number) => boolean,
  plot: Plot,
  { fontSize, small: size }: Sizes,
): LabelBox | undefined {
  const text = shortened(label, (plot.right - plot.left) * 0.6, { size });
  if (text === '') return undefined;
  const [width, height, gap] = [textWidth(text, size), size * capHeight, fontSize * 0.45];
  const at = pixelAt(plot, value);
  const candidates = places.flatMap((share) =>
    [-1, 1].map((side) => {
      const [left, top] = plot.isHorizontal
        ? [side > 0 ? at + gap : at - gap - width, plot.top + (1 - share) * (plot.bottom - plot.top - height)]
        : [plot.left + share * (plot.right - plot.left - width), side > 0 ? at + gap : at - gap - height];
      return { text, ...boxAt(left, top, width, height) };
    }),
  );
  const free = candidates.filter(
    (box) => isIn(box, plot) && taken.every((other) => !doOverlap(box, other, gap / 3)),
  );
  return free.find((box) => !hides(box, 3)) ?? free[0];
}

/** The boxes of bars, dots and texts that are horizontal or upright. Only labels below the plot are at 45 degrees. */
function boxesOf(shape: Shape): readonly Box[] {
  if (shape.kind === 'bars') return shape.bars.map(({ x, y, width, height }) => boxAt(x, y, width, height));
  if (shape.kind === 'dots') {
    const { centers, radius } = shape;
    return range(0, centers.length, 2).map((i) => {
      const [x = 0, y = 0] = centers.slice(i, i + 2);
      return boxAt(x - radius, y - radius, 2 * radius, 2 * radius);
    });
  }
  if (shape.kind !== 'texts') return [];
  const { size, weight, anchor = 'start', angle = 0 } = shape;
  return shape.texts.map(({ x, y, text }) => {
    const [width, height] = [textWidth(text, size, weight), size * capHeight];
    const before = width * { start: 0, middle: 0.5, end: 1 }[anchor];
    if (angle === 0) return boxAt(x - before, y - height, width, height);
    return boxAt(x - height, y + before - width, height, width);
  });
}

/** Returns a function that finds out if a line crosses a box, or if a bar, dot or text is closer to it than a gap. */
export function coverOf(shapes: readonly Shape[]): (box: Box, gap: number) => boolean {
  const lines = shapes.flatMap((shape) => (shape.kind === 'path' ? [shape.points] : []));
  // Computed for the first label, because many charts have none.
  let boxes: readonly Box[] | undefined;
  return (box, gap) => {
    boxes ??= shapes.flatMap(boxesOf);
    return boxes.some((other) => doOverlap(box, other, gap)) || lines.some((line) => crosses(line, box));
  };
}
