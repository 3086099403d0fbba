import type { Chart, Point } from '../chart.ts';
import { ink } from '../palette.ts';
import type { Anchor, Text, Texts } from '../scene.ts';
import { lineHeight, type Sizes } from './sizes.ts';
import { shortened, wrapped, wrappedWhole } from './text-fit.ts';
import { textWidth } from './text-width.ts';

/** Equal steps along the category axis: the middle of the first point, and the distance to the next. */
export interface Steps {
  readonly first: number;
  readonly step: number;
}

interface Placed {
  readonly top: number;
  readonly shapes: readonly Texts[];
}

interface Fitting extends Steps {
  readonly points: readonly Point[];
  readonly sizes: Sizes;
  readonly size: number;
  readonly bottom: number;
  readonly heightMax: number;
}

/** The lines of the label of one point. */
interface Lines {
  readonly index: number;
  readonly lines: readonly string[];
}

const turnedBy = 45;
const sine = Math.SQRT1_2;
const linesMax = 3;

/**
 * Writes the labels below the plot in the first way that fits: side by side, wrapped, turned, or only some of them.
 * Points of a long line are an ordered series, whose labels need not all be read.
 */
export function placeCategories(chart: Chart, steps: Steps, bottom: number, sizes: Sizes): Placed {
  const { points } = chart;
  if (!sizes.showsText || points.every(({ label }) => label === '')) return { top: bottom, shapes: [] };
  const size = sizes.text * 0.96;
  const fitting = { ...steps, points, sizes, size, bottom, heightMax: sizes.height * 0.3 };
  const isSeries = chart.kind === 'line' && points.length > 12;
  return (
    sideBySide(fitting) ??
    (isSeries ? undefined : (inLines(fitting) ?? turned(fitting))) ??
    sparse(fitting) ??
    thinned(fitting)
  );
}

function sideBySide(fitting: Fitting): Placed | undefined {
  const { points, step, size } = fitting;
  const room = step - size * 0.6;
  if (room < 0) return undefined;
  if (points.some(({ label }) => textWidth(label, size) > room)) return undefined;
  return below(
    fitting,
    points.map(({ label }, index) => ({ index, lines: [label] })),
  );
}

/** Whole words on up to three lines; when there are few labels, long ones may end in an ellipsis. */
function inLines(fitting: Fitting): Placed | undefined {
  const { points, step, size, heightMax } = fitting;
  const room = step - size * 0.8;
  const lines = Math.min(linesMax, Math.floor(heightMax / (size * lineHeight)));
  if (room < size * 3 || lines < 1) return undefined;
  const whole = points.map(({ label }) => wrappedWhole(label, room, lines, { size }));
  if (whole.every((lines) => lines !== undefined)) {
    return below(
      fitting,
      whole.map((lines, index) => ({ index, lines })),
    );
  }
  if (room < size * 7) return undefined;
  return below(
    fitting,
    points.map(({ label }, index) => ({ index, lines: wrapped(label, room, lines, { size }) })),
  );
}

function turned(fitting: Fitting): Placed | undefined {
  const { points, first, step, size, sizes, bottom, heightMax } = fitting;
  if (step * sine < size || heightMax < size * 4) return undefined;
  const longest = heightMax / sine - size;
  const texts = points.map(({ label }, i) => {
    const roomAtLeft = (first + i * step - sizes.margin / 2) / sine - size;
    return shortened(label, Math.min(longest, roomAtLeft), { size });
  });
  const height = Math.max(...texts.map((text) => textWidth(text, size))) * sine + size;
  const top = bottom - height - size * 0.3;
  const placed = texts.map((text, i) => ({ x: first + i * step + size * 0.35, y: top + size * 1.1, text }));
  return { top, shapes: [style(size, 'end', turnedBy, placed)] };
}

/** Where most points have no label, the caller has chosen those that do: all that have room. */
function sparse(fitting: Fitting): Placed | undefined {
  const { points, size } = fitting;
  let labelled = 0;
  for (let i = 0; i < points.length; i++) {
    if (points[i]?.label !== '') labelled++;
    // Soon so, when all have one.
    if (2 * labelled > points.length) return undefined;
  }
  const longest = longestOf(fitting);
  const labels = points.flatMap(({ label }, index) =>
    label === '' ? [] : [{ index, lines: [shortened(label, longest, { size })] }],
  );
  return below(fitting, labels);
}

/** Every k-th label on one line, k being the least round number with which they are apart. */
function thinned(fitting: Fitting): Placed {
  const { points, step, size } = fitting;
  const longest = longestOf(fitting);
  let every = roundedUp(size / step);
  const touch = (): boolean => Math.min(longest, widest(points, every, size)) + size > every * step;
  while (every < points.length && touch()) every = roundedUp(every + 1);
  const kept: Lines[] = [];
  for (let i = 0; i < points.length; i += every) {
    kept.push({ index: i, lines: [shortened(points[i]?.label ?? '', longest, { size })] });
  }
  return below(fitting, kept);
}

function longestOf({ size, sizes }: Fitting): number {
  return Math.min(size * 9, sizes.width / 4);
}

function widest(points: readonly Point[], every: number, size: number): number {
  let most = 0;
  for (let i = 0; i < points.length; i += every)
    most = Math.max(most, textWidth(points[i]?.label ?? '', size));
  return most;
}

/** Centres each label's lines below its point, inside the picture and apart from its neighbour. */
function below({ first, step, size, sizes, bottom }: Fitting, labels: readonly Lines[]): Placed {
  const height = Math.max(...labels.map(({ lines }) => lines.length)) * size * lineHeight;
  const top = bottom - height - size * 0.35;
  const [left, right] = [sizes.margin / 3, sizes.width - sizes.margin / 3];
  const texts: Text[] = [];
  let free = left;
  for (const { index, lines } of labels) {
    const half = Math.max(...lines.map((line) => textWidth(line, size)), 0) / 2;
    const x = Math.min(Math.max(first + index * step, left + half), right - half);
    if (half === 0 || x - half < free) continue;
    free = x + half + size * 0.4;
    lines.forEach((text, line) => texts.push({ x, y: top + size * (1.35 + line * lineHeight), text }));
  }
  return { top, shapes: [style(size, 'middle', 0, texts)] };
}

function style(size: number, anchor: Anchor, angle: number, texts: readonly Text[]): Texts {
  return { kind: 'texts', size, weight: 'regular', fill: ink.label, anchor, angle, texts };
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return ([1, 2, 5].find((digit) => digit * power >= count) ?? 10) * power;
}
