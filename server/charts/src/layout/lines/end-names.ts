import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import { numbersIn, type Values } from '../../request/series.ts';
import type { Coordinates, Rules, Shape } from '../../scene.ts';
import { textColor } from '../../theme.ts';
import type { Plot } from '../plot.ts';
import { pixelWithin } from '../axes/value-axis.ts';
import { seriesColor } from '../legend/series-look.ts';
import { crosses, type Label } from '../marks.ts';
import { capHeight, doOverlap, isIn, lineHeight, placeOf, type Box } from '../sizes.ts';
import { spread } from '../labels/spread.ts';
import { notationOf } from '../../text/numbers.ts';
import { textWidth, widest } from '../../text/text-width.ts';

/** The distance between the end of a line and its name, in units of the text size. */
const textGap = 0.8;
// Only the name is limited to a quarter: a value needs its space at the end of the line even without a name.
const [nameShareMax, spaceShareMax, heightShareMax] = [0.25, 0.5, 0.7];

/** The width that the names of lines need at the right of the plot; undefined if some do not fit. */
export function endNamesWidth(chart: Chart, bounds: Box): number | undefined {
  const { kind, isStacked, series, labels, sizes } = chart;
  const { fontSize, showsText } = sizes;
  if (chartKinds[kind].hasBands || isStacked || !showsText || labels.length < 2) return undefined;
  if (series.some(({ name, values }) => name === '' || numbersIn(values).length === 0)) return undefined;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const names = series.map(({ name }) => name);
  const isTooHigh = series.length * fontSize * lineHeight > height * heightShareMax;
  const space = widest(endTexts(chart), fontSize, 'bold') + fontSize * textGap;
  const isTooWide = widest(names, fontSize, 'bold') > width * nameShareMax || space > width * spaceShareMax;
  return isTooWide || isTooHigh ? undefined : space;
}

/** The name of each line, with its last value if the request asks for values. */
function endTexts({ series, values: choice, numbers }: Chart): readonly string[] {
  if (choice !== 'always' && choice !== 'last') return series.map(({ name }) => name);
  const rows = series.map(({ values }) => numbersIn(values));
  const { write } = notationOf(rows.flat(), numbers);
  return series.map(({ name }, i) => `${name} ${write(rows[i]?.at(-1) ?? 0)}`);
}

/**
 * The names of lines at their last points, in the order of the lines. A name is next to a line that ends early if
 * nothing is in its way, and otherwise at the right of the plot. Names that are moved up or down get leader lines.
 */
export function placeEndNames(chart: Chart, plot: Plot, lines: readonly Coordinates[]): readonly Shape[] {
  const { fontSize, hairline } = chart.sizes;
  const { series, theme } = chart;
  const right = plot.right + fontSize * textGap;
  const texts = endTexts(chart);
  const ends = series
    .map(({ values }, index) => {
      const last = values.findLastIndex((value) => typeof value === 'number');
      const at = pixelWithin(plot, values[last] ?? 0);
      return { text: texts[index] ?? '', values, index, at, x: placeOf(plot.bandScale, last) };
    })
    .sort((a, b) => a.at - b.at || lastDifference(b.values, a.values));
  const nameAt = (x: number, middle: number, { text, index }: (typeof ends)[number]): Label => {
    const fill = textColor(seriesColor(chart, index), theme);
    const [top, bottom] = [middle - fontSize / 2, middle + fontSize / 2];
    const y = middle + (fontSize * capHeight) / 2;
    const right = x + textWidth(text, fontSize, 'bold');
    return { anchor: 'start', text, fill, x, y, left: x, right, top, bottom };
  };
  const inside: Label[] = [];
  const atRight = ends.filter((end) => {
    if (end.x > plot.right - fontSize) return true;
    const name = [end.at, end.at - fontSize, end.at + fontSize]
      .map((middle) => nameAt(end.x + fontSize * textGap, middle, end))
      .find(
        (each) =>
          isIn(each, { ...plot, top: plot.top - fontSize / 2 }) &&
          !lines.some((line) => crosses(line, each)) &&
          !inside.some((other) => doOverlap(each, other, 2)),
      );
    if (name !== undefined) inside.push(name);
    return name === undefined;
  });
  const targets = atRight.map(({ at }) => ({ at, length: fontSize * lineHeight }));
  // If the names need more height than the plot has, they continue below it.
  const top = plot.top - fontSize / 2;
  const length = Math.max(plot.bottom - plot.top + fontSize, targets.length * fontSize * lineHeight);
  const places = spread(targets, top, top + length) ?? [];
  const style = { kind: 'texts', size: fontSize, weight: 'bold' } as const;
  const leaders = atRight.flatMap(({ at, x, index }, i): Rules[] => {
    const place = places[i] ?? 0;
    if (Math.abs(place - at) < fontSize / 2 || x < plot.right - fontSize) return [];
    const lines = [[x + fontSize * 0.15, at, right - fontSize * 0.25, place]];
    return [{ kind: 'rules', stroke: seriesColor(chart, index), width: hairline, lines }];
  });
  const names = [...inside, ...atRight.map((end, i) => nameAt(right, places[i] ?? 0, end))];
  return [...leaders, ...names.map((name) => ({ ...style, fill: name.fill, texts: [name] }))];
}

/** The difference between two lines where they last differ. */
function lastDifference(some: Values, others: Values): number {
  const differences = some.map((value, i) => (value ?? NaN) - (others[i] ?? NaN));
  return differences.findLast((difference) => Math.abs(difference) > 0) ?? 0;
}
