import { chartKinds } from '../request/chart-kinds.ts';
import type { Chart } from '../request/chart.ts';
import type { Scene, Shape } from '../scene.ts';
import { layoutBars } from './bars/bars.ts';
import { valuesBetweenTimes } from './lines/stacked-areas.ts';
import { description, nameOf } from './description.ts';
import { endNamesWidth } from './lines/end-names.ts';
import { extremesOf, withLines, type Extremes } from './axes/extent.ts';
import { placeHeadings } from './headings.ts';
import { layoutLines } from './lines/lines.ts';
import { layoutPie } from './pie/pie.ts';
import { capHeight, type Box } from './sizes.ts';
import { placeSeriesLegend } from './legend/series-legend.ts';
import { sumOf } from './pie/slices.ts';
import { hasNumbers } from '../request/series.ts';
import { shortNumber } from '../text/numbers.ts';
import { onOneLine } from '../text/text-fit.ts';
import { textWidth } from '../text/text-width.ts';

type Layout = (chart: Chart, bounds: Box, extremes: Extremes, endSpace: number) => readonly Shape[];

const layouts: Readonly<Record<Chart['kind'], Layout>> = {
  bar: layoutBars,
  line: layoutLines,
  pie: layoutPie,
};

/** Places every shape of the picture. */
export function layout(chart: Chart): Scene {
  const headings = placeHeadings(chart);
  const endSpace = endNamesWidth(chart, headings.bounds) ?? 0;
  const legend =
    endSpace === 0 ? placeSeriesLegend(chart, headings.bounds) : { shapes: [], bounds: headings.bounds };
  const isStackedArea = chart.isStacked && chart.isArea;
  const drawn = isStackedArea ? { ...chart, series: valuesBetweenTimes(chart) } : chart;
  const extremes = extremesOf(drawn);
  const data = hasData(chart, extremes)
    ? layouts[chart.kind](drawn, legend.bounds, withLines(extremes, chart), endSpace)
    : noData(chart, legend.bounds);
  const sum = chart.isDonut ? shortNumber(sumOf(chart.series), chart.numbers) : '';
  const lacksSum = chart.isDonut && !data.some((shape) => shape.kind === 'texts' && shape.weight === 'bold');
  if (lacksSum && chart.sizes.showsTitle && !chart.title.startsWith(sum))
    return layout({ ...chart, title: chart.title === '' ? sum : `${sum} · ${chart.title}` });
  return {
    width: chart.width,
    height: chart.height,
    scale: chart.scale,
    background: chart.theme.background,
    title: chart.title === '' ? nameOf(chart) : onOneLine(chart.title),
    description: onOneLine(description(chart, extremes)),
    locale: chart.locale,
    shapes: [...headings.shapes, ...legend.shapes, ...data].map(onOneLines),
  };
}

/** Texts that were not wrapped have no line breaks. */
function onOneLines(shape: Shape): Shape {
  if (shape.kind !== 'texts' || shape.texts.every(({ text }) => onOneLine(text) === text)) return shape;
  return { ...shape, texts: shape.texts.map((text) => ({ ...text, text: onOneLine(text.text) })) };
}

/** Values that are all zero have no shares. */
function hasData({ kind, series }: Chart, { highest }: Extremes): boolean {
  return hasNumbers(series) && (chartKinds[kind].marks !== 'slices' || highest.value > 0);
}

/** The phrase for "no data" in the middle of the plot, or a dash if it does not fit. */
function noData(
  { phrases, theme: { ink }, sizes: { fontSize, hairline } }: Chart,
  bounds: Box,
): readonly Shape[] {
  const x = (bounds.left + bounds.right) / 2;
  const y = (bounds.top + bounds.bottom) / 2;
  const size = fontSize * 1.15;
  if (textWidth(phrases.no_data, size) > bounds.right - bounds.left || size > bounds.bottom - bounds.top) {
    const halfLength = (bounds.right - bounds.left) / 4;
    return [
      { kind: 'rules', stroke: ink.zero, width: hairline, lines: [[x - halfLength, y, x + halfLength, y]] },
    ];
  }
  const words = { x, y: y + (size * capHeight) / 2, text: phrases.no_data };
  return [{ kind: 'texts', size, fill: ink.label, anchor: 'middle', texts: [words] }];
}
