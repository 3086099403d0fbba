import { max, permute, range } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import type { Texts } from '../../scene.ts';
import {
  areApart,
  balanced,
  distinctTexts,
  shortenedApart,
  wrapped,
  wrappedWhole,
} from '../../text/text-fit.ts';
import { textWidth, widest } from '../../text/text-width.ts';
import { timeTexts } from '../../text/time-texts.ts';
import { capHeight, lineHeight, placeOf, type BandScale, type Box } from '../sizes.ts';
import {
  labelsBelow,
  labelStyle,
  linesOfTimes,
  placeTimes,
  thinning,
  type PlacedLabels,
} from './axis-labels.ts';

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
  isCard: boolean,
): PlacedLabels {
  const { kind, labels, times, sizes } = chart;
  const indexes = range(labels.length);
  const hasAll = times !== undefined || !labels.includes('');
  const named = hasAll ? indexes : indexes.filter((index) => labels[index] !== '');
  if (!sizes.showsAxes || named.length === 0) return { top: bottom, shapes: [] };
  const { places, step } = bandScale;
  if (times !== undefined && places !== undefined && !isCard) return placeTimes(chart, times, places, bottom);
  const { size } = labelStyle(chart);
  const heightMax = Math.min(sizes.height * 0.3, (bottom - top) * 0.45);
  const room = { ...bandScale, chart, named, size, bottom, heightMax };
  const isThinned = isCard || times !== undefined;
  const isLong = !chartKinds[kind].hasBands && labels.length > 12;
  const all = isThinned ? undefined : isLong ? inLines(room, 1) : allLabels(room);
  if (all !== undefined) return all;
  const first = isThinned ? NaN : Number(labels[0]);
  const areCounted = Number.isInteger(first) && labels.every((label, i) => label === String(first + i));
  const areFew = isCard || 2 * named.length <= labels.length;
  const widthMax = isCard ? sizes.width / 2.5 : Math.min(size * 9, sizes.width / 4);
  const densest = thinning(chart, (size / step) * (named.length / labels.length));
  for (let every = isCard ? Math.max(1, named.length - 1) : densest; ; every = thinning(chart, every + 1)) {
    // Of consecutive whole numbers, round ones are shown, as in 5, 10, 15. If most labels are empty, the last is shown.
    const kept = areFew ? named.length - 1 : 0;
    const offset = (areCounted && every < labels.length ? every - (first % every) : kept) % every;
    const shown = range(offset, named.length, every).map((i) => named[i] ?? 0);
    const names = shown.map((index) => labels[index] ?? '');
    const lines =
      times === undefined
        ? distinctTexts(names, widthMax, { size }).map((text) => [text])
        : linesOfTimes(chart, times.unit, permute(times.wall, shown));
    const at = shown.map((index) => placeOf(bandScale, index));
    const placed = labelsBelow(at, lines, chart, bottom, isCard, areCounted ? 2 : undefined);
    if (placed !== undefined) return placed;
  }
}

/** What all ways to write labels below the plot depend on. */
interface Room extends BandScale {
  readonly chart: Chart;
  /** The indexes of the labels that are not empty. */
  readonly named: readonly number[];
  readonly size: number;
  readonly bottom: number;
  readonly heightMax: number;
}

/** All labels, in the first way that shows them whole, otherwise shortened. */
function allLabels(room: Room): PlacedLabels | undefined {
  const { step, size, heightMax } = room;
  // Names broken after every word would be harder to read than turned ones.
  const isNarrow = step < size * 4;
  const linesMax = isNarrow ? 1 : Math.max(1, Math.floor(heightMax / (size * lineHeight)));
  const placed = (mayShorten: boolean): PlacedLabels | undefined =>
    inLines(room, linesMax, mayShorten && !isNarrow) ??
    turned(room, 45, mayShorten) ??
    turned(room, 90, mayShorten);
  return placed(false) ?? placed(true);
}

/** Labels on one line or more. With `mayShorten`, the last line may be shortened if whole words fit into a line. */
function inLines(room: Room, linesMax: number, mayShorten = false): PlacedLabels | undefined {
  const { chart, named, start, step, size, bottom } = room;
  const widthMax = step - size * 0.8;
  if (widthMax < 0) return undefined;
  const names = named.map((index) => chart.labels[index] ?? '');
  const placed: string[][] = [];
  for (const name of names) {
    const whole = wrappedWhole(name, widthMax, linesMax, { size });
    const doWordsFit = (): boolean =>
      wrappedWhole(name, widthMax / wordShareMin, name.length, { size }) !== undefined;
    if (whole === undefined && !(mayShorten && (widthMax >= size * 7 || doWordsFit()))) return undefined;
    placed.push(whole ?? wrapped(name, widthMax, linesMax, { size }));
  }
  const texts = placed.map((lines) => lines.join(' '));
  if (mayShorten && (texts.includes('') || !areApart(names, texts))) return undefined;
  const places = named.map((index) => start + index * step);
  return labelsBelow(places, placed, chart, bottom);
}

/** Turned labels that end below their points. Undefined if they do not fit or two different labels would look alike. */
function turned(room: Room, angle: 45 | 90, mayShorten: boolean): PlacedLabels | undefined {
  const { chart, start, step, size, bottom, heightMax } = room;
  const { labels, sizes } = chart;
  const [sine, cosine] = angle === 90 ? [1, 0] : [Math.SQRT1_2, Math.SQRT1_2];
  if (step * sine < size) return undefined;
  // From the plot to the end of the baseline: half an em, and the height of letters that lean towards the plot.
  const down = size * (0.5 + capHeight * cosine);
  const widthMax = (heightMax - down) / sine - size * 0.3;
  const short = mayShorten && widthMax >= size * 4 ? shortenedApart(labels, widthMax, { size }) : labels;
  if (short === undefined || widest(short, size) > widthMax) return undefined;
  const insetOf = (text: string, i: number): number =>
    (textWidth(text, size) + size) * cosine - (start + i * step - sizes.margin / 2);
  const inset = max(short, insetOf) ?? 0;
  if (inset > sizes.width * insetShareMax) return undefined;
  if (inset > 0) return { top: bottom, shapes: [], inset: inset + size };
  const top = bottom - widest(short, size) * sine - down - size * 0.3;
  const x = start + (size * capHeight) / 2;
  const texts = short.map((text, i) => ({ x: x + i * step, y: top + down, text }));
  return { top, shapes: [{ kind: 'texts', ...labelStyle(chart), anchor: 'end', angle, texts }] };
}

/**
 * Writes the labels at the left of the plot, wrapped to as many lines as fit into a band. If bands are lower than a
 * line, only every k-th label is written. `right` is where the plot may begin.
 */
export function placeCategoriesBeside(
  chart: Chart,
  { start, step }: BandScale,
  bounds: Box,
): { readonly right: number; readonly shapes: readonly Texts[] } {
  const { isRightToLeft, labels, times, locale, theme, sizes } = chart;
  const { fontSize: size } = sizes;
  if (!sizes.showsAxes || labels.every((label) => label === '')) return { right: bounds.left, shapes: [] };
  const height = size * lineHeight;
  const every = thinning(chart, height / step);
  const linesMax = Math.max(1, Math.floor(step / height));
  const indexes = range(0, labels.length, every);
  const shown =
    times === undefined
      ? permute(labels, indexes)
      : timeTexts(permute(times.wall, indexes), times.unit, locale).map(({ whole }) => whole);
  const width = bounds.right - bounds.left;
  // Bars have more room if all labels fit into two short lines.
  const [narrow, wide] = [width * 0.18, width * 0.45];
  const doFit = shown.every((label) => wrappedWhole(label, narrow, Math.min(2, linesMax), { size }));
  const widthMax = doFit ? narrow : wide;
  const inLines = shown.map((label) => balanced(label, widthMax, linesMax, { size }));
  const joined = inLines.map((lines) => lines.join(' '));
  // If different labels would look alike when wrapped, they are shortened to one line.
  const written = areApart(shown, joined)
    ? inLines
    : distinctTexts(shown, widthMax, { size }).map((text) => [text]);
  const right = bounds.left + widest(written.flat(), size);
  const [x, anchor] = isRightToLeft ? ([right, 'end'] as const) : ([bounds.left, 'start'] as const);
  const texts = written.flatMap((lines, k) => {
    const first = start + k * every * step + (size * capHeight - (lines.length - 1) * height) / 2;
    return lines.map((text, i) => ({ x, y: first + i * height, text }));
  });
  return {
    right: right + size * 0.8,
    shapes: [{ kind: 'texts', size, fill: theme.ink.value, anchor, texts }],
  };
}
