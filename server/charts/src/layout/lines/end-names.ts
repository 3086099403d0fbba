import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart } from '../../request/chart.ts';
import { numbersIn } from '../../request/series.ts';
import type { Coordinates, Rules, Shape, Texts } from '../../scene.ts';
import { textColor } from '../../theme.ts';
import type { Plot } from '../plot.ts';
import { pixelWithin } from '../axes/value-axis.ts';
import { seriesColor } from '../legend/series-look.ts';
import { crosses } from '../marks.ts';
import { capHeight, doOverlap, lineHeight, placeOf, type Box } from '../sizes.ts';
import { spread } from '../labels/spread.ts';
import { textWidth, widest } from '../../text/text-width.ts';

/** The distance between the end of a line and its name, in units of the text size. */
const textGap = 0.8;
const widthShareMax = 0.25;
const heightShareMax = 0.7;

/** The width that the names of lines need at the right of the plot; undefined if some do not fit. */
export function endNamesWidth(
  { kind, isStacked, series, labels, sizes: { fontSize, showsText } }: Chart,
  bounds: Box,
): number | undefined {
  if (chartKinds[kind].legend !== 'lines' || isStacked || !showsText || labels.length < 2) return undefined;
  if (series.some(({ name, values }) => name === '' || numbersIn(values).length === 0)) return undefined;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const names = series.map(({ name }) => name);
  const nameWidth = widest(names, fontSize);
  const isTooHigh = series.length * fontSize * lineHeight > height * heightShareMax;
  return nameWidth > width * widthShareMax || isTooHigh ? undefined : nameWidth + fontSize * textGap;
}

/**
 * The names of lines at their last points, in the order of the lines. A name is next to a line that ends early if
 * nothing is in its way, and otherwise at the right of the plot. A name that had to move gets a leader line.
 */
export function placeEndNames(chart: Chart, plot: Plot, lines: readonly Coordinates[]): readonly Shape[] {
  const { fontSize, hairline } = chart.sizes;
  const { series, theme } = chart;
  const right = plot.right + fontSize * textGap;
  const nameAt = (x: number, y: number, text: string, index: number): Texts => ({
    kind: 'texts',
    size: fontSize,
    fill: textColor(seriesColor(chart, index), theme),
    texts: [{ x, y: y + (fontSize * capHeight) / 2, text }],
  });
  const ends = series
    .map(({ name, values }, index) => {
      const last = values.findLastIndex((value) => typeof value === 'number');
      const at = pixelWithin(plot, values[last] ?? 0);
      const before = pixelWithin(plot, values[last - 1] ?? values[last] ?? 0);
      return { name, index, at, before, x: placeOf(plot.bandScale, last) };
    })
    .sort((a, b) => a.at - b.at || a.before - b.before);
  const inside = new Map<(typeof ends)[number], Texts>();
  const taken: Box[] = [];
  for (const end of ends.filter(({ x }) => x <= plot.right - fontSize)) {
    const left = end.x + fontSize * textGap;
    const right = left + textWidth(end.name, fontSize);
    const boxAt = (y: number): Box => ({ left, right, top: y - fontSize / 2, bottom: y + fontSize / 2 });
    const isFree = (box: Box): boolean =>
      box.right < plot.right &&
      box.top > plot.top - fontSize / 2 &&
      box.bottom < plot.bottom &&
      !lines.some((line) => crosses(line, box)) &&
      !taken.some((other) => doOverlap(box, other, 2));
    const y = [end.at, end.at - fontSize, end.at + fontSize].find((each) => isFree(boxAt(each)));
    if (y === undefined) continue;
    taken.push(boxAt(y));
    inside.set(end, nameAt(left, y, end.name, end.index));
  }
  const atRight = ends.filter((end) => !inside.has(end));
  const targets = atRight.map(({ at }) => ({ at, length: fontSize * lineHeight }));
  // If the names need more height than the plot has, they continue below it.
  const top = plot.top - fontSize / 2;
  const length = Math.max(plot.bottom - plot.top + fontSize, targets.length * fontSize * lineHeight);
  const places = spread(targets, top, top + length) ?? [];
  const leaders = atRight.flatMap(({ at, x, index }, i): Rules[] => {
    const place = places[i] ?? 0;
    if (Math.abs(place - at) < fontSize / 2 && x > plot.right - fontSize) return [];
    const lines = [[x + fontSize * 0.15, at, right - fontSize * 0.25, place]];
    return [{ kind: 'rules', stroke: seriesColor(chart, index), width: hairline, lines }];
  });
  return [
    ...leaders,
    ...inside.values(),
    ...atRight.map(({ name, index }, i) => nameAt(right, places[i] ?? 0, name, index)),
  ];
}
