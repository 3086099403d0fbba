import { chartKinds } from '../request/chart-kinds.ts';
import type { Chart } from '../request/chart.ts';
import type { Scene, Shape } from '../scene.ts';
import { layoutBars } from './bars/bars.ts';
import { valuesBetweenTimes } from './lines/stacked-areas.ts';
import { description, nameOf } from './description.ts';
import { endSpace, endTextsOf, type EndTexts } from './lines/end-texts.ts';
import { extremesOf, withLines, type Extremes } from './axes/extent.ts';
import { placeHeadings } from './headings.ts';
import { layoutLines } from './lines/lines.ts';
import { layoutPie } from './pie/pie.ts';
import { capHeight, type Box } from './sizes.ts';
import { placeSeriesLegend } from './legend/legend.ts';
import { sumOf } from './pie/slices.ts';
import { hasNumbers } from '../request/series.ts';
import { shortNumber } from '../text/numbers.ts';
import { foreignLanguage, phrasesOf } from '../text/phrases.ts';
import { onOneLine } from '../text/text-fit.ts';
import { textWidth } from '../text/text-width.ts';

type Layout = (chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts) => readonly Shape[];

const layouts: Readonly<Record<Chart['kind'], Layout>> = {
  bar: layoutBars,
  line: layoutLines,
  pie: layoutPie,
};

/** Places every shape of the picture. */
export function layout(chart: Chart, hasSumInTitle = false): Scene {
  const headings = placeHeadings(chart);
  const drawn = chart.isStacked && chart.isArea ? { ...chart, series: valuesBetweenTimes(chart) } : chart;
  const extremes = extremesOf(drawn);
  const range = withLines(extremes, chart);
  const ends = endTextsOf(drawn, headings.bounds, range);
  const legend = ends.some(([name]) => name !== '')
    ? { shapes: [], bounds: headings.bounds }
    : placeSeriesLegend(chart, headings.bounds);
  const right = legend.bounds.right - endSpace(ends, drawn);
  const data = hasData(chart, extremes)
    ? layouts[chart.kind](drawn, { ...legend.bounds, right }, range, ends)
    : noData(chart, legend.bounds);
  const lacksSum =
    chart.isDonut && !data.some((shape) => shape.kind === 'texts' && shape.anchor === 'middle');
  if (lacksSum && chart.sizes.showsTitle && !hasSumInTitle) {
    const sum = shortNumber(sumOf(chart.series), chart.numbers);
    return layout({ ...chart, title: chart.title === '' ? sum : `${sum} · ${chart.title}` }, true);
  }
  return {
    width: chart.sizes.width,
    height: chart.sizes.height,
    scale: chart.scale,
    background: chart.theme.background,
    title: chart.title === '' ? nameOf(chart) : onOneLine(chart.title),
    description: onOneLine(description(chart, extremes)),
    locale: chart.locale,
    shapes: [...headings.shapes, ...legend.shapes, ...data].map(onOneLines),
  };
}

/** Removes the line breaks of texts that were not wrapped. */
function onOneLines(shape: Shape): Shape {
  if (shape.kind !== 'texts' || shape.texts.every(({ text }) => onOneLine(text) === text)) return shape;
  return { ...shape, texts: shape.texts.map((text) => ({ ...text, text: onOneLine(text.text) })) };
}

/** Returns true if there is something to draw. Shares that are all zero have no sum. */
function hasData({ kind, series }: Chart, { highest }: Extremes): boolean {
  return hasNumbers(series) && (!chartKinds[kind].hasShares || highest.value > 0);
}

/** The phrase for "no data" in the middle of the plot, if it fits. */
function noData({ theme, sizes, locale }: Chart, { left, top, right, bottom }: Box): readonly Shape[] {
  const text = phrasesOf(locale).no_data;
  const size = sizes.fontSize * 1.15;
  if (textWidth(text, size) > right - left || size > bottom - top) return [];
  const words = { x: (left + right) / 2, y: (top + bottom + size * capHeight) / 2, text };
  const language = foreignLanguage(locale);
  return [{ kind: 'texts', size, fill: theme.ink.label, anchor: 'middle', language, texts: [words] }];
}
