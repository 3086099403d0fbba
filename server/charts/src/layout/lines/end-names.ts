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

const textGap = 1;
const widthShareMax = 0.25;
const heightShareMax = 0.7;

/** The width that the names of lines need at the right of the plot; undefined if some do not fit. */
export function endNamesWidth(
  { kind, isStacked, series, labels, sizes: { fontSize, showsText } }: Chart,
  bounds: Box,
): number | undefined {
  if (chartKinds[kind].marks !== 'lines' || isStacked || !showsText || labels.length < 2) return undefined;
  if (series.some(({ name, values }) => name === '' || numbersIn(values).length === 0)) return undefined;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const nameWidth = widest(
    series.map(({ name }) => name),
    fontSize,
  );
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
  const taken: Box[] = [];
  const atRight = ends.filter(({ x }) => x > plot.right - fontSize);
  const names: Texts[] = [];
  for (const end of ends) {
    if (atRight.includes(end)) continue;
    const { name, index, at, x } = end;
    const y = [at, at - fontSize, at + fontSize].find((place) => {
      const left = x + fontSize * textGap;
      const [top, bottom] = [place - fontSize / 2, place + fontSize / 2];
      const box = { left, top, right: left + textWidth(name, fontSize), bottom };
      const isInside =
        box.right < plot.right && box.top > plot.top - fontSize / 2 && box.bottom < plot.bottom;
      const isFree = isInside && !lines.some((line) => crosses(line, box));
      if (!isFree || taken.some((other) => doOverlap(box, other, 2))) return false;
      return taken.push(box) > 0;
    });
    if (y === undefined) atRight.push(end);
    else names.push(nameAt(x + fontSize * textGap, y, name, index));
  }
  atRight.sort((a, b) => a.at - b.at || a.before - b.before);
  const targets = atRight.map(({ at }) => ({ at, length: fontSize * lineHeight }));
  const places = spread(targets, plot.top - fontSize / 2, plot.bottom + fontSize / 2) ?? [];
  const moved = atRight.flatMap(({ at, x }, i) => {
    const place = places[i] ?? 0;
    if (Math.abs(place - at) < fontSize / 2 && x > plot.right - fontSize) return [];
    return [[x + fontSize * 0.5, at, right - fontSize * 0.3, place]];
  });
  const leaders: Rules = { kind: 'rules', stroke: theme.ink.leader, width: hairline, lines: moved };
  return [
    ...(moved.length === 0 ? [] : [leaders]),
    ...names,
    ...atRight.map(({ name, index }, i) => nameAt(right, places[i] ?? 0, name, index)),
  ];
}
