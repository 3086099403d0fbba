import { range } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import { labelsBelow, type AxisLabel, type PlacedLabels } from './labels-below.ts';
import { capHeight, lineHeight, type BandScale, type Box } from '../sizes.ts';
import { areApart, distinctTexts, shortenedApart, wrapped, wrappedWhole } from '../../text/text-fit.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';

interface Fitting extends BandScale {
  readonly chart: Chart;
  /** True if the labels mark points of lines instead of naming bars. */
  readonly hasTicks: boolean;
  readonly size: number;
  readonly fill: Color;
  readonly bottom: number;
  readonly heightMax: number;
  /** The largest width of a label when only some labels are shown. */
  readonly widthMax: number;
}

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
): PlacedLabels {
  const { labels, sizes, theme } = chart;
  const { start, step } = bandScale;
  const named = range(labels.length).filter((index) => labels[index] !== '');
  if (named.length === 0) return { top: bottom, shapes: [] };
  const isLine = !chartKinds[chart.kind].hasBands;
  const [size, fill] = isLine ? [sizes.small, theme.ink.label] : [sizes.fontSize, theme.ink.value];
  const heightMax = Math.min(sizes.height * 0.3, (bottom - top) * 0.45);
  const widthMax = isCard
    ? sizes.width / (chart.times === undefined ? 2.5 : 1)
    : Math.min(size * 9, sizes.width / 4);
  const hasTicks = isLine && !isCard;
  const fitting = { chart, start, step, size, fill, bottom, heightMax, widthMax, hasTicks };
  if (isCard) {
    const ends = [...new Set([...named.slice(0, 1), ...named.slice(-1)])];
    return onOneLine(fitting, ends, 0.4) ?? thinned(fitting, named.slice(-1), 1);
  }
  const all = isLine && labels.length > 12 ? inLines(fitting, 1) : allLabels(fitting);
  return all ?? thinned(fitting, named, roundedUp((size / step) * (named.length / labels.length)));
}

/** All labels, in the first way that shows them whole, otherwise shortened. */
function allLabels(fitting: Fitting): PlacedLabels | undefined {
  const { step, size, heightMax } = fitting;
  // Names broken after every word would be harder to read than turned ones.
  const isNarrow = step < size * 4;
  const linesMax = isNarrow ? 1 : Math.max(1, Math.floor(heightMax / (size * lineHeight)));
  const placed = (mayShorten: boolean): PlacedLabels | undefined =>
    inLines(fitting, linesMax, mayShorten && !isNarrow) ??
    turned(fitting, 45, mayShorten) ??
    turned(fitting, 90, mayShorten);
  return placed(false) ?? placed(true);
}

/** Labels on one line or more. With `mayShorten`, the last line may be shortened if whole words fit into a line. */
function inLines(fitting: Fitting, linesMax: number, mayShorten = false): PlacedLabels | undefined {
  const { chart, start, step, size, bottom } = fitting;
  const widthMax = step - size * 0.8;
  if (widthMax < 0) return undefined;
  const placed: AxisLabel[] = [];
  for (const [index, label] of chart.labels.entries()) {
    if (label === '') continue;
    const whole = wrappedWhole(label, widthMax, linesMax, { size });
    const doWordsFit = (): boolean =>
      wrappedWhole(label, widthMax / wordShareMin, label.length, { size }) !== undefined;
    if (whole === undefined && !(mayShorten && (widthMax >= size * 7 || doWordsFit()))) return undefined;
    const lines = whole ?? wrapped(label, widthMax, linesMax, { size });
    placed.push({ at: start + index * step, lines });
  }
  const names = chart.labels.filter((label) => label !== '');
  const texts = placed.map(({ lines }) => lines.join(' '));
  const areDistinct = !mayShorten || (!texts.includes('') && areApart(names, texts));
  return areDistinct ? labelsBelow(placed, { ...fitting, gap: size * 0.4 }, chart, bottom) : undefined;
}

/** Turned labels that end below their points. Undefined if they do not fit or two different labels would look alike. */
function turned(fitting: Fitting, angle: 45 | 90, mayShorten: boolean): PlacedLabels | undefined {
  const { start, step, size, bottom, heightMax } = fitting;
  const { labels, sizes } = fitting.chart;
  const [sine, cosine] = angle === 90 ? [1, 0] : [Math.SQRT1_2, Math.SQRT1_2];
  if (step * sine < size) return undefined;
  // From the plot to the end of the baseline: half an em, and the height of letters that lean towards the plot.
  const down = size * (0.5 + capHeight * cosine);
  const widthMax = (heightMax - down) / sine - size * 0.3;
  const short = mayShorten && widthMax >= size * 4 ? shortenedApart(labels, widthMax, { size }) : labels;
  if (short === undefined || widest(short, size) > widthMax) return undefined;
  const inset = Math.max(
    ...short.map(
      (text, i) => (textWidth(text, size) + size) * cosine - (start + i * step - sizes.margin / 2),
    ),
  );
  if (inset > sizes.width * insetShareMax) return undefined;
  if (inset > 0) return { top: bottom, shapes: [], inset: inset + size };
  const top = bottom - widest(short, size) * sine - down - size * 0.3;
  const texts = short.map((text, i) => ({
    x: start + i * step + (size * capHeight) / 2,
    y: top + down,
    text,
  }));
  return { top, shapes: [{ kind: 'texts', size, fill: fitting.fill, anchor: 'end', angle, texts }] };
}

/** The labels of every k-th named point. k is the smallest round number that keeps the labels apart. */
function thinned(fitting: Fitting, named: readonly number[], every: number): PlacedLabels {
  const { labels } = fitting.chart;
  const first = Number(labels[0]);
  const areCounted = Number.isInteger(first) && labels.every((label, i) => label === String(first + i));
  // Of consecutive whole numbers, round ones are shown: 5, 10, 15, not 1, 6, 11. Of few labels, the newest is shown.
  const newest = 2 * named.length > labels.length ? 0 : (named.length - 1) % every;
  const start = areCounted && every < labels.length ? (every - (first % every)) % every : newest;
  const shown = range(start, named.length, every).flatMap((i) => named[i] ?? []);
  return onOneLine(fitting, shown, areCounted ? 2 : 0.6) ?? thinned(fitting, named, roundedUp(every + 1));
}

/** The labels of some points, shortened, with a gap in units of the text size. */
function onOneLine(fitting: Fitting, indexes: readonly number[], gap: number): PlacedLabels | undefined {
  const { chart, start, step, size, bottom, widthMax } = fitting;
  const texts = distinctTexts(labelsAt(chart, indexes), widthMax, { size });
  const labels = indexes.map((index, i) => ({ at: start + index * step, lines: [texts[i] ?? ''] }));
  return labelsBelow(labels, { ...fitting, gap: size * gap }, chart, bottom);
}

/** The labels of some points. A label that is a time shows only what differs from the previous label. */
export function labelsAt({ labels, times, locale }: Chart, indexes: readonly number[]): readonly string[] {
  if (times === undefined) return indexes.map((index) => labels[index] ?? '');
  const at = indexes.map((index) => times.wall[index] ?? 0);
  return timeTexts(at, times.unit, locale).map(({ whole }) => whole);
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `count`. */
export function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return ([1, 2, 5].find((digit) => digit * power >= count) ?? 10) * power;
}
