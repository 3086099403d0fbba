import { chartKinds } from '../../chart-kinds.ts';
import type { Chart, Point } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Anchor, Text, Texts } from '../scene.ts';
import { lineHeight, type Sizes } from './sizes.ts';
import { shortened, wrapped, wrappedWhole } from './text-fit.ts';
import { textWidth } from './text-width.ts';

/** Equal steps along the category axis: the middle of the first point and the distance between points. */
export interface BandScale {
  readonly start: number;
  readonly step: number;
}

interface Placed {
  readonly top: number;
  readonly shapes: readonly Texts[];
}

interface Fitting extends BandScale {
  readonly points: readonly Point[];
  readonly sizes: Sizes;
  readonly fill: Color;
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
 * A long chart whose points are in order need not show every label.
 */
export function placeCategories(chart: Chart, bandScale: BandScale, bottom: number, sizes: Sizes): Placed {
  const { points } = chart;
  if (!sizes.showsText || points.every(({ label }) => label === '')) return { top: bottom, shapes: [] };
  const size = sizes.fontSize * 0.96;
  const fitting = {
    ...bandScale,
    points,
    sizes,
    fill: chart.theme.ink.label,
    size,
    bottom,
    heightMax: sizes.height * 0.3,
  };
  const isInOrder = chartKinds[chart.kind].isOrdered && points.length > 12;
  return (
    sideBySide(fitting) ??
    (isInOrder ? undefined : (inLines(fitting) ?? turned(fitting))) ??
    sparse(fitting) ??
    thinned(fitting)
  );
}

function sideBySide(fitting: Fitting): Placed | undefined {
  const { points, step, size } = fitting;
  const widthMax = step - size * 0.6;
  if (widthMax < 0) return undefined;
  if (points.some(({ label }) => textWidth(label, size) > widthMax)) return undefined;
  return below(
    fitting,
    points.map(({ label }, index) => ({ index, lines: [label] })),
  );
}

/** Whole words on up to three lines; when there are few labels, long ones may end in an ellipsis. */
function inLines(fitting: Fitting): Placed | undefined {
  const { points, step, size, heightMax } = fitting;
  const widthMax = step - size * 0.8;
  const lines = Math.min(linesMax, Math.floor(heightMax / (size * lineHeight)));
  if (widthMax < size * 3 || lines < 1) return undefined;
  const whole = points.map(({ label }) => wrappedWhole(label, widthMax, lines, { size }));
  if (whole.every((lines) => lines !== undefined)) {
    return below(
      fitting,
      whole.map((lines, index) => ({ index, lines })),
    );
  }
  if (widthMax < size * 7) return undefined;
  return below(
    fitting,
    points.map(({ label }, index) => ({ index, lines: wrapped(label, widthMax, lines, { size }) })),
  );
}

function turned(fitting: Fitting): Placed | undefined {
  const { points, start, step, size, sizes, fill, bottom, heightMax } = fitting;
  if (step * sine < size || heightMax < size * 4) return undefined;
  const widthMax = heightMax / sine - size;
  const texts = points.map(({ label }, i) => {
    const widthAtLeft = (start + i * step - sizes.margin / 2) / sine - size;
    return shortened(label, Math.min(widthMax, widthAtLeft), { size });
  });
  const height = Math.max(...texts.map((text) => textWidth(text, size))) * sine + size;
  const top = bottom - height - size * 0.3;
  const placed = texts.map((text, i) => ({ x: start + i * step + size * 0.35, y: top + size * 1.1, text }));
  return { top, shapes: [style({ size, fill }, 'end', turnedBy, placed)] };
}

/** If most points have no label, the request chose the points to label: show every label that has room. */
function sparse(fitting: Fitting): Placed | undefined {
  const { points, size } = fitting;
  let labelled = 0;
  for (let i = 0; i < points.length; i++) {
    if (points[i]?.label !== '') labelled++;
    if (2 * labelled > points.length) return undefined;
  }
  const widthMax = widthMaxOf(fitting);
  const labels = points.flatMap(({ label }, index) =>
    label === '' ? [] : [{ index, lines: [shortened(label, widthMax, { size })] }],
  );
  return below(fitting, labels);
}

/** Every k-th label on one line; k is the least round number that keeps the labels apart. */
function thinned(fitting: Fitting): Placed {
  const { points, step, size } = fitting;
  const widthMax = widthMaxOf(fitting);
  let every = roundedUp(size / step);
  const wouldTouch = (): boolean => Math.min(widthMax, widest(points, every, size)) + size > every * step;
  while (every < points.length && wouldTouch()) every = roundedUp(every + 1);
  const kept: Lines[] = [];
  for (let i = 0; i < points.length; i += every) {
    kept.push({ index: i, lines: [shortened(points[i]?.label ?? '', widthMax, { size })] });
  }
  return below(fitting, kept);
}

/** The largest width of a label if only some labels are shown. */
function widthMaxOf({ size, sizes }: Fitting): number {
  return Math.min(size * 9, sizes.width / 4);
}

function widest(points: readonly Point[], every: number, size: number): number {
  let most = 0;
  for (let i = 0; i < points.length; i += every)
    most = Math.max(most, textWidth(points[i]?.label ?? '', size));
  return most;
}

/** Centres each label's lines below its point, inside the picture and apart from its neighbour. */
function below({ start, step, size, sizes, fill, bottom }: Fitting, labels: readonly Lines[]): Placed {
  const lineCount = labels.reduce((most, { lines }) => Math.max(most, lines.length), 0);
  const top = bottom - lineCount * size * lineHeight - size * 0.35;
  const [left, right] = [sizes.margin / 3, sizes.width - sizes.margin / 3];
  const texts: Text[] = [];
  let free = left;
  for (const { index, lines } of labels) {
    const half = lines.reduce((most, line) => Math.max(most, textWidth(line, size)), 0) / 2;
    const x = Math.min(Math.max(start + index * step, left + half), right - half);
    if (half === 0 || x - half < free) continue;
    free = x + half + size * 0.4;
    lines.forEach((text, line) => texts.push({ x, y: top + size * (1.35 + line * lineHeight), text }));
  }
  return { top, shapes: [style({ size, fill }, 'middle', 0, texts)] };
}

function style(
  look: Pick<Fitting, 'size' | 'fill'>,
  anchor: Anchor,
  angle: number,
  texts: readonly Text[],
): Texts {
  return { kind: 'texts', ...look, weight: 'regular', anchor, angle, texts };
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return ([1, 2, 5].find((digit) => digit * power >= count) ?? 10) * power;
}
