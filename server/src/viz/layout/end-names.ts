import type { Chart } from '../chart.ts';
import type { Rules, Shape, Texts } from '../scene.ts';
import { textColor } from '../theme.ts';
import { placeOf } from './band-scale.ts';
import { pixelWithin, type Plot } from './plot.ts';
import { seriesColor } from './series-look.ts';
import { capHeight, lineHeight, type Box } from './sizes.ts';
import { spread } from './spread.ts';
import { widest } from './text-width.ts';

const textGap = 1;
const widthShareMax = 0.25;
const heightShareMax = 0.7;

/** The width that the names of lines need at the right of the plot; undefined if some do not fit. */
export function endNamesWidth(
  { kind, isStacked, series, labels, sizes: { fontSize, showsText } }: Chart,
  bounds: Box,
): number | undefined {
  if (kind !== 'line' || isStacked || !showsText || labels.length < 2) return undefined;
  if (series.some(({ name, values }) => name === '' || typeof values.at(-1) !== 'number')) return undefined;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const nameWidth = widest(
    series.map(({ name }) => name),
    fontSize,
  );
  const isTooHigh = series.length * fontSize * lineHeight > height * heightShareMax;
  return nameWidth > width * widthShareMax || isTooHigh ? undefined : nameWidth + fontSize * textGap;
}

/** The names of lines at the ends of the lines. A name that had to move gets a leader line. */
export function placeEndNames(chart: Chart, plot: Plot): readonly Shape[] {
  const { fontSize, hairline } = chart.sizes;
  const { series, labels, theme } = chart;
  const last = labels.length - 1;
  const ends = series
    .map(({ name, values }, index) => ({ name, index, at: pixelWithin(plot, values[last] ?? 0) }))
    .sort((a, b) => a.at - b.at);
  const targets = ends.map(({ at }) => ({ at, length: fontSize * lineHeight }));
  const places = spread(targets, plot.top - fontSize / 2, plot.bottom + fontSize / 2) ?? [];
  const x = plot.right + fontSize * textGap;
  const lineEnd = placeOf(plot.bandScale, last);
  const names = ends.map(({ name, index }, i): Texts => {
    const text = { x, y: (places[i] ?? 0) + (fontSize * capHeight) / 2, text: name };
    const fill = textColor(seriesColor(chart, index), theme);
    return {
      kind: 'texts',
      size: fontSize,

      fill,
      texts: [text],
    };
  });
  const moved = ends.flatMap(({ at }, i) => {
    const place = places[i] ?? 0;
    if (Math.abs(place - at) < fontSize / 2) return [];
    return [[lineEnd + fontSize * 0.5, at, x - fontSize * 0.3, place]];
  });
  const leaders: Rules = { kind: 'rules', stroke: theme.ink.leader, width: hairline, lines: moved };
  return moved.length === 0 ? names : [leaders, ...names];
}
