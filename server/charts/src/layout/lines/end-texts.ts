import { max, sum } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import { hasNumbers, numbersIn, type Values } from '../../request/series.ts';
import type { Coordinates, Path, Shape } from '../../scene.ts';
import { textColor } from '../../theme.ts';
import type { Plot } from '../plot.ts';
import { extentOf, pixelWithin, type Extremes } from '../axes/value-axis.ts';
import { seriesColor } from '../legend/legend.ts';
import { crosses } from '../marks.ts';
import { boxAt, capHeight, doOverlap, isIn, lineHeight, placeOf, type Box } from '../sizes.ts';
import { namedTexts, namedWidth, type NamedValue } from '../labels/named-value.ts';
import { spread } from '../labels/spread.ts';
import { notationOf } from '../../text/numbers.ts';
import { textWidth } from '../../text/text-width.ts';

/** The texts at the right of a plot, for each series; empty if there are none. */
export type EndTexts = readonly EndText[];

interface EndText {
  readonly line: NamedValue;
  readonly size: number;
}

/** The distance between the end of a line and its text, in units of the text size. */
const textGap = 0.8;
/** The shares of the width that a name and all texts may have, and the share of the height for the texts of lines. */
const [nameShareMax, spaceShareMax, heightShareMax] = [0.25, 0.5, 0.7];

/**
 * The names and last values of lines, or of stacks whose last parts are high enough. Lines have only their last values
 * if the names do not fit. Bars of less than two pixels have none, because one may show several categories.
 */
export function endTextsOf(chart: Chart, bounds: Box, extremes: Extremes): EndTexts {
  const { kind, isStacked, isHorizontal, labels, series, values: choice, numbers, sizes } = chart;
  const { hasBands, hasShares } = chartKinds[kind];
  const { fontSize, title, showsText, showsSubtitle } = sizes;
  const [width, height] = [bounds.right - bounds.left, (bounds.bottom - bounds.top) * heightShareMax];
  const hasEnds = hasBands ? isStacked && labels.length * 2 <= width : !hasShares;
  const lineRoom = isStacked ? thinnest(chart, extremes) * height : height / series.length;
  if (!showsText || isHorizontal || !hasEnds || lineRoom < fontSize * lineHeight) return [];
  const doNamesFit = series.every(
    (each) =>
      each.name !== '' && hasNumbers([each]) && textWidth(each.name, fontSize) <= width * nameShareMax,
  );
  // The values of parts and points are written elsewhere if the request wants all of them.
  const isElsewhere = choice === 'always' && (isStacked || !doNamesFit);
  // If points are this close, the last value means little.
  const isDense = choice !== 'last' && labels.length > width / (fontSize * 0.3);
  const hasValues = choice !== 'never' && !isDense && !isElsewhere && (doNamesFit || !isStacked);
  const last = series.map(({ values }) => values.findLast((value) => typeof value === 'number'));
  const written = hasValues && choice === 'always' ? series.flatMap(({ values }) => values) : last;
  const { write } = notationOf(numbersIn(written), numbers);
  const texts = series.map((each, i): EndText => {
    const name = doNamesFit ? each.name : '';
    const value = hasValues && typeof last[i] === 'number' ? write(last[i]) : '';
    // The only value of a small picture is as large as a title if it is short.
    const isOnly = name === '' && series.length === 1 && !showsSubtitle;
    const isLarge = isOnly && textWidth(value, title) < sizes.width / 4;
    return { line: [name, value], size: isLarge ? title : fontSize };
  });
  const space = endSpace(texts, chart);
  return space === 0 || space > width * spaceShareMax ? [] : texts;
}

/** The width of texts at the right of a plot; 0 without texts. */
export function endSpace(texts: EndTexts, { sizes }: Chart): number {
  const width = max(texts, ({ line, size }) => namedWidth(line, size)) ?? 0;
  return width === 0 ? 0 : width + sizes.fontSize * textGap;
}

/** The height of the thinnest part of the last stack, as a share of the axis; 0 if a part is missing or cut off. */
function thinnest(chart: Chart, extremes: Extremes): number {
  const parts = chart.series.map(({ values }) => values.at(-1) ?? 0);
  const [low, high] = extentOf(chart, extremes);
  return sum(parts) > high || low === high ? 0 : Math.min(...parts) / (high - low);
}

/**
 * Places texts at the last points of lines, or at the parts of the last stack, in their order. A text is next to a line
 * that ends early if nothing is in its way, and otherwise at the right of the plot. If it is not next to its point, a
 * dotted leader line connects them.
 */
export function placeEndTexts(
  chart: Chart,
  plot: Plot,
  texts: EndTexts,
  lines: readonly Coordinates[] = [],
): readonly Shape[] {
  const { isStacked, sizes } = chart;
  const { fontSize, hairline } = sizes;
  let sumBefore = 0;
  const ends = texts
    .map((text, index) => {
      const { values = [] } = chart.series[index] ?? {};
      const last = values.findLastIndex((value) => typeof value === 'number');
      const value = values[last] ?? 0;
      const at = pixelWithin(plot, isStacked ? sumBefore + value / 2 : value);
      sumBefore += value;
      return { ...text, index, values, at, x: isStacked ? plot.right : placeOf(plot.bandScale, last) };
    })
    .filter(({ line }) => namedWidth(line, fontSize) > 0)
    .sort((a, b) => a.at - b.at || lastDifference(b.values, a.values));
  const inside: Box[] = [];
  const shapes: Shape[] = [];
  const atRight = ends.filter((end) => {
    const { line, size, at, x } = end;
    const box = boxAt(x + fontSize * textGap, at - size / 2, namedWidth(line, size), size);
    const isFree =
      isIn(box, { ...plot, top: plot.top - fontSize / 2, right: plot.right - fontSize }) &&
      !lines.some((other) => crosses(other, box)) &&
      !inside.some((other) => doOverlap(box, other, 2));
    if (!isFree) return true;
    inside.push(box);
    shapes.push(...placed(end, x, at, chart));
    return false;
  });
  const line = fontSize * lineHeight;
  // Texts that need more height than the plot has are set closer. If they still do not fit, they continue below it.
  const room = (plot.bottom - plot.top + line) / atRight.length;
  const lengthOf = (size: number): number => Math.max(size, Math.min(size * lineHeight, room));
  const targets = atRight.map(({ at, size }) => ({ at, length: lengthOf(size) }));
  const least = sum(targets, ({ length }) => length);
  const top = plot.top - Math.max(line, targets[0]?.length ?? 0) / 2;
  const places = spread(targets, top, top + Math.max(plot.bottom - plot.top + line, least)) ?? [];
  const outside = atRight.flatMap((end, i): readonly Shape[] => {
    const [{ index, at, x }, place] = [end, places[i] ?? 0];
    const name = placed(end, plot.right, place, chart);
    const points = Float64Array.of(x, at, plot.right + fontSize * (textGap - 0.3), place);
    const isNextToPoint = Math.abs(place - at) < fontSize / 2 && x > plot.right - fontSize;
    if (isNextToPoint || inside.some((box) => crosses(points, box))) return name;
    return [{ kind: 'path', stroke: seriesColor(chart, index), ...dotsAlong(hairline), points }, ...name];
  });
  return [...shapes, ...outside];
}

/** A text with its middle at this height, right of `x`, in the colour of its series. */
function placed(
  { line, size, index }: EndText & { readonly index: number },
  x: number,
  middle: number,
  chart: Chart,
): readonly Shape[] {
  const { theme, series, isRightToLeft, sizes } = chart;
  const isAlone = line[0] === '' && series.length === 1;
  const fill = isAlone ? theme.ink.value : textColor(seriesColor(chart, index), theme);
  const row = { line, x: x + sizes.fontSize * textGap, y: middle + (size * capHeight) / 2 };
  return namedTexts([row], { size, anchor: 'start', fill }, isRightToLeft);
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
