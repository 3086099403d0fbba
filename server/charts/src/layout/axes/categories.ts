import { max, range } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Rules, Texts } from '../../scene.ts';
import { ticksBelow } from './time-axis.ts';
import { capHeight, lineHeight, type BandScale, type Box } from '../sizes.ts';
import { areApart, distinctTexts, shortenedApart, wrapped, wrappedWhole } from '../../text/text-fit.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';

export interface PlacedCategories {
  readonly top: number;
  readonly shapes: readonly (Texts | Rules)[];
  /** The space at the left of the plot that turned labels need beyond what there is. They are not placed then. */
  readonly inset?: number;
}

interface Fitting extends BandScale {
  readonly chart: Chart;
  /** True if the labels mark points of lines instead of naming bars. */
  readonly hasTicks: boolean;
  readonly size: number;
  readonly fill: Color;
  /** The space for labels that are not turned. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly heightMax: number;
  /** The largest width of a label when only some labels are shown. */
  readonly widthMax: number;
}

/** The index of a label, and its lines. */
type LabelLines = readonly [number, readonly string[]];

/** The largest share of the width that turned labels may take at the left of the plot. */
const insetShareMax = 0.12;
/** The share of a word that must be visible in a narrow column. */
const wordShareMin = 0.8;
/**
 * Writes the labels below the plot, in the first way that fits: side by side, wrapped, turned, shortened (if different
 * labels stay different), or only some labels. Long lines need few labels, so they try only the first and last ways. A
 * card has only its first and its last label.
 */
export function placeCategories(
  chart: Chart,
  bandScale: BandScale,
  { top, bottom }: Box,
  isCard = false,
): PlacedCategories {
  const { labels, sizes, theme } = chart;
  const { start, step } = bandScale;
  const namedCount = labels.filter((label) => label !== '').length;
  const named = (): number[] => range(labels.length).filter((index) => labels[index] !== '');
  if (namedCount === 0) return { top: bottom, shapes: [] };
  const isLine = !chartKinds[chart.kind].hasBands;
  const [size, fill] = isLine ? [sizes.small, theme.ink.label] : [sizes.fontSize, theme.ink.value];
  const [left, right] = isCard
    ? [start, sizes.width - sizes.margin]
    : [sizes.margin / 3, sizes.width - sizes.margin / 3];
  const heightMax = Math.min(sizes.height * 0.3, (bottom - top) * 0.45);
  const widthMax = isCard
    ? (right - left) / (chart.times === undefined ? 2.1 : 1)
    : Math.min(size * 9, sizes.width / 4);
  const hasTicks = isLine && !isCard;
  const fitting = { chart, start, step, size, fill, left, right, bottom, heightMax, widthMax, hasTicks };
  if (isCard)
    return onOneLine(
      fitting,
      named().filter((_, i) => i === 0 || i === namedCount - 1),
    );
  const all = isLine && labels.length > 12 ? inLines(fitting, 1) : allLabels(fitting);
  // If most points have no label, the request chose which points to label: every label that fits is shown.
  return all ?? onOneLine(fitting, 2 * namedCount > labels.length ? thinned(fitting) : named());
}

/** All labels, in the first way that shows them whole, otherwise shortened. */
function allLabels(fitting: Fitting): PlacedCategories | undefined {
  const { step, size, heightMax } = fitting;
  // Names broken after every word would be harder to read than turned ones.
  const isNarrow = step < size * 4;
  const linesMax = isNarrow ? 1 : Math.max(1, Math.floor(heightMax / (size * lineHeight)));
  const placed = (mayShorten: boolean): PlacedCategories | undefined =>
    inLines(fitting, linesMax, mayShorten && !isNarrow) ??
    turned(fitting, 45, mayShorten) ??
    turned(fitting, 90, mayShorten);
  return placed(false) ?? placed(true);
}

/** Labels on one line or more. With `mayShorten`, the last line may be shortened if whole words fit into a line. */
function inLines(fitting: Fitting, linesMax: number, mayShorten = false): PlacedCategories | undefined {
  const { step, size } = fitting;
  const { labels } = fitting.chart;
  const widthMax = step - size * 0.8;
  if (widthMax < 0) return undefined;
  const lines: LabelLines[] = [];
  let areWhole = true;
  for (const [index, label] of labels.entries()) {
    const whole = wrappedWhole(label, widthMax, linesMax, { size });
    const doWordsFit = (): boolean =>
      wrappedWhole(label, widthMax / wordShareMin, label.length, { size }) !== undefined;
    if (whole === undefined && !(mayShorten && (widthMax >= size * 7 || doWordsFit()))) return undefined;
    lines.push([index, whole ?? wrapped(label, widthMax, linesMax, { size })]);
    areWhole &&= whole !== undefined;
  }
  if (areWhole) return below(fitting, lines);
  const texts = lines.map(([, each]) => each.join(' '));
  const areShown = texts.every((text, i) => text !== '' || labels[i] === '');
  return areShown && areApart(labels, texts) ? below(fitting, lines) : undefined;
}

/** Turned labels that end below their points. Undefined if they do not fit or two different labels would look alike. */
function turned(fitting: Fitting, angle: 45 | 90, mayShorten: boolean): PlacedCategories | undefined {
  const { start, step, size, bottom, heightMax } = fitting;
  const { labels, sizes } = fitting.chart;
  const [sine, cosine] = angle === 90 ? [1, 0] : [Math.SQRT1_2, Math.SQRT1_2];
  if (step * sine < size) return undefined;
  // From the plot to the end of the baseline: half an em, and the height of letters that lean towards the plot.
  const down = size * (0.5 + capHeight * cosine);
  const byHeight = (heightMax - down) / sine - size * 0.3;
  const widthMax = (index: number): number =>
    angle === 90 ? byHeight : Math.min(byHeight, (start + index * step - sizes.margin / 2) / sine - size);
  const excess = labels.map((label, i) => textWidth(label, size) - widthMax(i));
  if (!mayShorten && excess.some((each) => each > 0)) {
    const inset = Math.max(...excess) * sine + size;
    const fits = angle === 45 && inset <= sizes.width * insetShareMax && widest(labels, size) <= byHeight;
    return fits ? { top: bottom, shapes: [], inset } : undefined;
  }
  // Turned upright, the first labels have as much room as the others.
  if (excess.some((each, i) => each > 0 && widthMax(i) < size * 4)) return undefined;
  const short = shortenedApart(labels, widthMax, { size });
  if (short === undefined) return undefined;
  const top = bottom - widest(short, size) * sine - down - size * 0.3;
  const texts = short.map((text, i) => ({
    x: start + i * step + (size * capHeight) / 2,
    y: top + down,
    text,
  }));
  return { top, shapes: [{ kind: 'texts', size, fill: fitting.fill, anchor: 'end', angle, texts }] };
}

/** Every k-th point. k is the smallest round number that keeps the labels apart. */
function thinned({ chart: { labels }, step, size, widthMax }: Fitting): readonly number[] {
  const first = Number(labels[0]);
  const areCounted = labels.every((label, i) => label === String(first + i));
  for (let every = roundedUp(size / step); ; every = roundedUp(every + 1)) {
    const isEnough = every >= labels.length;
    // Of consecutive whole numbers, round ones are shown: 5, 10, 15, not 1, 6, 11.
    const start = areCounted && !isEnough ? (every - (first % every)) % every : 0;
    const shown = range(start, labels.length, every);
    const texts = shown.map((index) => labels[index] ?? '');
    const width = Math.min(widthMax, widest(texts, size)) + size * (areCounted ? 2 : 1.2);
    if (isEnough || width <= every * step) return shown;
  }
}

/** The labels of some points, shortened. */
function onOneLine(fitting: Fitting, indexes: readonly number[]): PlacedCategories {
  const { chart, size, widthMax } = fitting;
  const texts = distinctTexts(labelsAt(chart, indexes), widthMax, { size });
  return below(
    fitting,
    indexes.map((index, i) => [index, [texts[i] ?? '']]),
  );
}

/** The labels of some points. A label that is a time shows only what differs from the previous label. */
export function labelsAt({ labels, times, locale }: Chart, indexes: readonly number[]): readonly string[] {
  if (times === undefined) return indexes.map((index) => labels[index] ?? '');
  const at = indexes.map((index) => times.wall[index] ?? 0);
  return timeTexts(at, times.unit, locale).map(({ whole }) => whole);
}

/**
 * Centres the lines of each label below its point, but between `left` and `right`. Labels that touch the previous label
 * are left out, but the last label, which is often the newest, replaces the labels that it touches.
 */
function below(fitting: Fitting, labels: readonly LabelLines[]): PlacedCategories {
  const { chart, start, step, size, left, right, bottom } = fitting;
  const entries = labels
    .map(([index, lines]) => {
      const at = start + index * step;
      const half = widest(lines, size) / 2;
      return { at, half, lines, x: Math.min(Math.max(at, left + half), right - half) };
    })
    .filter(({ half }) => half > 0);
  const shown: typeof entries = [];
  for (const entry of entries) {
    const isFree = (previous = shown.at(-1)): boolean =>
      previous === undefined || entry.x - entry.half >= previous.x + previous.half + size * 0.4;
    while (entry === entries.at(-1) && !isFree()) shown.pop();
    if (isFree()) shown.push(entry);
  }
  const lineCount = max(labels, ([, { length }]) => length) ?? 0;
  const top = bottom - lineCount * size * lineHeight - size * 0.35;
  const texts = shown.flatMap(({ x, lines }) =>
    lines.map((text, line) => ({ x, y: top + size * (1.35 + line * lineHeight), text })),
  );
  const places = shown.map(({ at }) => at);
  const ticks = fitting.hasTicks ? [ticksBelow(places, top, chart)] : [];
  return { top, shapes: [...ticks, { kind: 'texts', size, fill: fitting.fill, anchor: 'middle', texts }] };
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `count`. */
export function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return ([1, 2, 5].find((digit) => digit * power >= count) ?? 10) * power;
}
