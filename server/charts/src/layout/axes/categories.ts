import { range } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Rules, Texts } from '../../scene.ts';
import { ticksBelow } from './time-axis.ts';
import { capHeight, lineHeight, type BandScale, type Box } from '../sizes.ts';
import { areApart, shortenedApart, shortened, wrapped, wrappedWhole } from '../../text/text-fit.ts';
import { textWidth, widest } from '../../text/text-width.ts';

export interface PlacedCategories {
  readonly top: number;
  readonly shapes: readonly (Texts | Rules)[];
  /** The space at the left of the plot that turned labels need beyond what there is. They are not placed then. */
  readonly inset?: number;
}

interface Fitting extends BandScale, Pick<Chart, 'labels' | 'sizes' | 'theme'> {
  /** True if the labels mark points of lines instead of naming bars. */
  readonly hasTicks: boolean;
  readonly size: number;
  readonly fill: Color;
  readonly bottom: number;
  readonly heightMax: number;
  /** The largest width of a label when only some labels are shown. */
  readonly widthMax: number;
}

/** The lines of one label. */
interface Lines {
  readonly index: number;
  readonly lines: readonly string[];
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
): PlacedCategories {
  const { labels, sizes, theme } = chart;
  if (!sizes.showsAxes || labels.every((label) => label === '')) return { top: bottom, shapes: [] };
  const hasTicks = !chartKinds[chart.kind].hasBands;
  const [size, fill] = hasTicks ? [sizes.small, theme.ink.label] : [sizes.fontSize, theme.ink.value];
  const heightMax = Math.min(sizes.height * 0.3, (bottom - top) * 0.45);
  const widthMax = Math.min(size * 9, sizes.width / 4);
  const fitting = { ...bandScale, labels, sizes, theme, size, fill, bottom, heightMax, widthMax, hasTicks };
  if (isCard) return atEnds(fitting);
  const isInOrder = hasTicks && labels.length > 12;
  return (
    sideBySide(fitting) ?? (isInOrder ? undefined : allLabels(fitting)) ?? sparse(fitting) ?? thinned(fitting)
  );
}

function sideBySide(fitting: Fitting): PlacedCategories | undefined {
  const { labels, step, size, hasTicks } = fitting;
  const widthMax = step - size * (hasTicks ? 1 : 0.6);
  if (widthMax < 0) return undefined;
  if (labels.some((label) => textWidth(label, size) > widthMax || label.includes('\n'))) return undefined;
  const lines = labels.map((label, index) => ({ index, lines: [label] }));
  return below(fitting, lines);
}

/** All labels, in the first way that shows them whole, otherwise shortened. */
function allLabels(fitting: Fitting): PlacedCategories | undefined {
  const placed = (mayShorten: boolean): PlacedCategories | undefined =>
    inLines(fitting, mayShorten) ?? turned(fitting, 45, mayShorten) ?? turned(fitting, 90, mayShorten);
  return placed(false) ?? placed(true);
}

/** Labels on as many lines as fit. With `mayShorten`, the last line may be shortened if whole words fit into a line. */
function inLines(fitting: Fitting, mayShorten: boolean): PlacedCategories | undefined {
  const { labels, step, size, heightMax } = fitting;
  const widthMax = step - size * 0.8;
  const linesMax = Math.floor(heightMax / (size * lineHeight));
  if (widthMax < size * 3 || linesMax < 1) return undefined;
  const placed: Lines[] = [];
  for (const [index, label] of labels.entries()) {
    const whole = wrappedWhole(label, widthMax, linesMax, { size });
    const doWordsFit = (): boolean =>
      wrappedWhole(label, widthMax / wordShareMin, label.length, { size }) !== undefined;
    if (whole === undefined && !(mayShorten && (widthMax >= size * 7 || doWordsFit()))) return undefined;
    placed.push({ index, lines: whole ?? wrapped(label, widthMax, linesMax, { size }) });
  }
  const texts = placed.map(({ lines }) => lines.join(' '));
  const areShown = texts.every((text, i) => text !== '' || labels[i] === '');
  return areShown && areApart(labels, texts) ? below(fitting, placed) : undefined;
}

/** Turned labels that end below their points. Undefined if they do not fit or two different labels would look alike. */
function turned(fitting: Fitting, angle: 45 | 90, mayShorten: boolean): PlacedCategories | undefined {
  const { labels, start, step, size, sizes, bottom, heightMax } = fitting;
  const sine = Math.sin((angle * Math.PI) / 180);
  const letterHeight = size * (angle === 45 ? 1 : 0.3);
  if (step * sine < size || heightMax < size * 4) return undefined;
  const byHeight = (heightMax - letterHeight) / sine - size * 0.3;
  const widthMax = (index: number): number =>
    angle === 90 ? byHeight : Math.min(byHeight, (start + index * step - sizes.margin / 2) / sine - size);
  const excess = labels.map((label, i) => textWidth(label, size) - widthMax(i));
  if (!mayShorten && excess.some((each) => each > 0)) {
    const inset = Math.max(...excess) * sine + size;
    const fits = angle === 45 && inset <= sizes.width * insetShareMax && widest(labels, size) <= byHeight;
    return fits ? { top: bottom, shapes: [], inset } : undefined;
  }
  // Turned upright, the first labels have as much room as the others.
  if (angle === 45 && excess.some((each, i) => each > 0 && widthMax(i) < size * 5)) return undefined;
  const short = shortenedApart(labels, widthMax, { size });
  if (short?.every((text, i) => text !== '' || labels[i] === '') !== true) return undefined;
  const top = bottom - widest(short, size) * sine - letterHeight - size * 0.3;
  const [right, down] = angle === 45 ? [size * 0.35, size * 1.1] : [(size * capHeight) / 2, size * 0.45];
  const texts = short.map((text, i) => ({ x: start + i * step + right, y: top + down, text }));
  return { top, shapes: [{ kind: 'texts', size, fill: fitting.fill, anchor: 'end', angle, texts }] };
}

/** The first and the last label, without ticks. */
function atEnds(fitting: Fitting): PlacedCategories {
  const { labels, start, step } = fitting;
  const isNamed = (label: string): boolean => label !== '';
  const ends = new Set([labels.findIndex(isNamed), labels.findLastIndex(isNamed)]);
  const right = start + (labels.length - 1) * step;
  return below({ ...fitting, hasTicks: false }, onOneLine(fitting, [...ends]), start, right);
}

/** If most points have no label, the request chose which points to label: show every label that fits. */
function sparse(fitting: Fitting): PlacedCategories | undefined {
  const { labels } = fitting;
  if (2 * labels.filter((label) => label !== '').length > labels.length) return undefined;
  const named = [...labels.keys()].filter((index) => labels[index] !== '');
  return below(fitting, onOneLine(fitting, named));
}

/** Every k-th label on one line. k is the smallest round number that keeps the labels apart. */
function thinned(fitting: Fitting): PlacedCategories {
  const { labels, step, size, widthMax } = fitting;
  let every = roundedUp(size / step);
  // Of consecutive whole numbers, round ones are shown: 5, 10, 15, not 1, 6, 11.
  const first = Number(labels[0]);
  const areCounted = labels.every((label, i) => label === String(first + i));
  const start = (): number => (areCounted && every < labels.length ? ((-first % every) + every) % every : 0);
  const shown = (): number[] => range(start(), labels.length, every);
  const wouldTouch = (): boolean => {
    const texts = shown().map((i) => labels[i] ?? '');
    return Math.min(widthMax, widest(texts, size)) + size * (areCounted ? 2 : 1.2) > every * step;
  };
  while (every < labels.length && wouldTouch()) every = roundedUp(every + 1);
  return below(fitting, onOneLine(fitting, shown()));
}

/** Shortens the labels of some points, and leaves out labels whose shortened text an earlier label already has. */
function onOneLine(fitting: Fitting, indexes: readonly number[]): readonly Lines[] {
  const { size, widthMax } = fitting;
  const labels = indexes.map((index) => fitting.labels[index] ?? '');
  const texts =
    shortenedApart(labels, () => widthMax, { size }) ??
    labels.map((label) => shortened(label, widthMax, { size }));
  const lines = indexes.map((index, i) => ({ index, lines: [texts[i] ?? ''] }));
  return lines.filter((_, i) => labels[texts.indexOf(texts[i] ?? '')] === labels[i]);
}

/**
 * Centres the lines of each label below its point, but between `left` and `right`. Labels that touch the previous label are left
 * out, but the last label, which is often the newest, replaces the labels that it touches.
 */
function below(
  fitting: Fitting,
  labels: readonly Lines[],
  left = fitting.sizes.margin / 3,
  right = fitting.sizes.width - left,
): PlacedCategories {
  const { start, step, size, bottom } = fitting;
  const shown: (Lines & { readonly x: number; readonly end: number })[] = [];
  labels.forEach(({ index, lines }, i) => {
    const half = widest(lines, size) / 2;
    if (half === 0) return;
    const x = Math.min(Math.max(start + index * step, left + half), right - half);
    const isFree = (): boolean => x - half >= (shown.at(-1)?.end ?? -Infinity);
    while (i === labels.length - 1 && !isFree()) shown.pop();
    if (isFree()) shown.push({ index, lines, x, end: x + half + size * 0.4 });
  });
  const lineCount = labels.reduce((most, { lines }) => Math.max(most, lines.length), 0);
  const top = bottom - lineCount * size * lineHeight - size * 0.35;
  const texts = shown.flatMap(({ x, lines }) =>
    lines.map((text, line) => ({ x, y: top + size * (1.35 + line * lineHeight), text })),
  );
  const places = shown.map(({ index }) => start + index * step);
  const ticks = fitting.hasTicks ? [ticksBelow(places, top, fitting)] : [];
  return { top, shapes: [...ticks, { kind: 'texts', size, fill: fitting.fill, anchor: 'middle', texts }] };
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `count`. */
export function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return ([1, 2, 5].find((digit) => digit * power >= count) ?? 10) * power;
}
