import { sum } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import { hasNumbers, numbersIn, type Values } from '../../request/series.ts';
import type { Coordinates, Path, Shape } from '../../scene.ts';
import { textColor } from '../../theme.ts';
import type { Plot } from '../plot.ts';
import { barExtent, limitedExtent, type Extremes } from '../axes/extent.ts';
import { pixelWithin } from '../axes/value-axis.ts';
import { seriesColor } from '../legend/series-look.ts';
import { crosses } from '../marks.ts';
import { capHeight, doOverlap, isIn, lineHeight, placeOf, type Box } from '../sizes.ts';
import { namedTexts, namedWidth, type NamedValue } from '../labels/named-value.ts';
import { spread } from '../labels/spread.ts';
import { notationOf } from '../../text/numbers.ts';
import { textWidth } from '../../text/text-width.ts';

/** The texts at the right of a plot, for each series; empty if there are none. */
export type EndTexts = readonly NamedValue[];

/** The distance between the end of a line and its text, in units of the text size. */
const textGap = 0.8;
const [nameShareMax, spaceShareMax, heightShareMax] = [0.25, 0.5, 0.7];

/**
 * The names and last values of lines, or of stacks whose last parts are high enough. Lines have only their last values if
 * the names do not fit. Bars of less than two pixels have none, because one may show several categories.
 */
export function endTextsOf(chart: Chart, bounds: Box, extremes: Extremes): EndTexts {
  const { kind, isStacked, isHorizontal, labels, series, sizes } = chart;
  const { hasBands, hasShares } = chartKinds[kind];
  const { fontSize, showsText } = sizes;
  const [width, height] = [bounds.right - bounds.left, (bounds.bottom - bounds.top) * heightShareMax];
  const hasEnds = hasBands ? isStacked && labels.length * 2 <= width : !hasShares;
  const lineRoom = isStacked ? thinnest(chart, extremes) * height : height / series.length;
  if (!showsText || isHorizontal || !hasEnds || lineRoom < fontSize * lineHeight) return [];
  const doNamesFit = series.every(
    (each) =>
      each.name !== '' && hasNumbers([each]) && textWidth(each.name, fontSize) <= width * nameShareMax,
  );
  const values = doNamesFit || !(isStacked || chart.values === 'always') ? lastValues(chart, width) : [];
  const texts = series.map(({ name }, i): NamedValue => [doNamesFit ? name : '', values[i] ?? '']);
  const space = endSpace(texts, chart);
  return space === 0 || space > width * spaceShareMax ? [] : texts;
}

/** The width of texts at the right of a plot; 0 without texts. */
export function endSpace(texts: EndTexts, chart: Chart): number {
  const width = Math.max(0, ...texts.map((text) => namedWidth(text, sizeOf(text, chart))));
  return width === 0 ? 0 : width + chart.sizes.fontSize * textGap;
}

function sizeOf(text: NamedValue, chart: Chart): number {
  return isLarge(text, chart) ? chart.sizes.title : chart.sizes.fontSize;
}

/** Returns true for the only value of a small picture if it is short. Such a value is as large as a title. */
export function isLarge([name, value]: NamedValue, { series, sizes }: Chart): boolean {
  const isOnly = name === '' && series.length === 1 && !sizes.showsSubtitle;
  return isOnly && textWidth(value, sizes.title) < sizes.width / 4;
}

/** The height of the thinnest part of the last stack, as a share of the axis; 0 if a part is missing or cut off. */
function thinnest({ series, valueAxis }: Chart, extremes: Extremes): number {
  const parts = series.map(({ values }) => values.at(-1) ?? 0);
  const [low, high] = limitedExtent(barExtent(extremes), valueAxis);
  return sum(parts) > high || low === high ? 0 : Math.min(...parts) / (high - low);
}

/** The last values; empty if they are written elsewhere, or if the points are so close that the last means little. */
function lastValues(chart: Chart, width: number): readonly string[] {
  const { series, labels, values: choice, numbers, isStacked, sizes } = chart;
  const isDense = choice !== 'last' && labels.length > width / (sizes.fontSize * 0.3);
  if (choice === 'never' || isDense || (isStacked && choice === 'always')) return series.map(() => '');
  const last = series.map(({ values }) => values.findLast((value) => typeof value === 'number'));
  const all = choice === 'always' ? series.flatMap(({ values }) => values) : last;
  const { write } = notationOf(numbersIn(all), numbers);
  return last.map((value) => (typeof value === 'number' ? write(value) : ''));
}

/** Places the names of stacked series at the height of the parts of the last stack. */
export function placeStackNames(chart: Chart, plot: Plot, texts: EndTexts): readonly Shape[] {
  let base = 0;
  return texts.flatMap((text, index) => {
    const value = chart.series[index]?.values.at(-1) ?? 0;
    base += value;
    return placed(text, index, plot.right, pixelWithin(plot, base - value / 2), chart);
  });
}

/** A text with its middle at this height, right of `x`, in the colour of its series. */
function placed(text: NamedValue, index: number, x: number, middle: number, chart: Chart): readonly Shape[] {
  const { theme, series, isRightToLeft, sizes } = chart;
  const size = sizeOf(text, chart);
  const isAlone = text[0] === '' && series.length === 1;
  const fill = isAlone ? theme.ink.value : textColor(seriesColor(chart, index), theme);
  const line = { line: text, x: x + sizes.fontSize * textGap, y: middle + (size * capHeight) / 2 };
  return namedTexts([line], { size, anchor: 'start', fill }, isRightToLeft);
}

/**
 * Places texts at the last points of lines, in the order of the lines. A text is next to a line that ends early if
 * nothing is in its way, and otherwise at the right of the plot. A dotted leader line connects a text that is not next
 * to its point.
 */
export function placeEndTexts(
  chart: Chart,
  plot: Plot,
  texts: EndTexts,
  lines: readonly Coordinates[],
): readonly Shape[] {
  const { fontSize, hairline } = chart.sizes;
  const ends = texts
    .map((text, index) => {
      const { values = [] } = chart.series[index] ?? {};
      const last = values.findLastIndex((value) => typeof value === 'number');
      const at = pixelWithin(plot, values[last] ?? 0);
      return { text, index, values, at, x: placeOf(plot.bandScale, last) };
    })
    .filter(({ text }) => namedWidth(text, fontSize) > 0)
    .sort((a, b) => a.at - b.at || lastDifference(b.values, a.values));
  const inside: Box[] = [];
  const shapes: Shape[] = [];
  const atRight = ends.filter(({ text, index, at, x }) => {
    const size = sizeOf(text, chart);
    const [left, top, bottom] = [x + fontSize * textGap, at - size / 2, at + size / 2];
    const box = { left, top, right: left + namedWidth(text, size), bottom };
    const isFree =
      isIn(box, { ...plot, top: plot.top - fontSize / 2, right: plot.right - fontSize }) &&
      !lines.some((line) => crosses(line, box)) &&
      !inside.some((other) => doOverlap(box, other, 2));
    if (!isFree) return true;
    inside.push(box);
    shapes.push(...placed(text, index, x, at, chart));
    return false;
  });
  const targets = atRight.map(({ at, text }) => ({ at, length: sizeOf(text, chart) * lineHeight }));
  // If the texts need more height than the plot has, they continue below it.
  const [line, least] = [fontSize * lineHeight, sum(targets, ({ length }) => length)];
  const top = plot.top - Math.max(line, targets[0]?.length ?? 0) / 2;
  const places = spread(targets, top, top + Math.max(plot.bottom - plot.top + line, least)) ?? [];
  const outside = atRight.flatMap(({ text, index, at, x }, i): readonly Shape[] => {
    const place = places[i] ?? 0;
    const name = placed(text, index, plot.right, place, chart);
    const points = Float64Array.of(x, at, plot.right + fontSize * (textGap - 0.3), place);
    const isNextToPoint = Math.abs(place - at) < fontSize / 2 && x > plot.right - fontSize;
    if (isNextToPoint || inside.some((box) => crosses(points, box))) return name;
    return [{ kind: 'path', stroke: seriesColor(chart, index), ...dotsAlong(hairline), points }, ...name];
  });
  return [...shapes, ...outside];
}

/** The look of a dotted line. */
export function dotsAlong(width: number): Pick<Path, 'width' | 'dash'> {
  return { width, dash: [0.1, 2.7].map((length) => length * width) };
}

/** The difference between two lines where they last differ. */
function lastDifference(some: Values, others: Values): number {
  const differences = some.map((value, i) => (value ?? NaN) - (others[i] ?? NaN));
  return differences.findLast((difference) => Math.abs(difference) > 0) ?? 0;
}
