import { chartKinds } from '../request/chart-kinds.ts';
import type { Chart } from '../request/chart.ts';
import { hasNumbers } from '../request/series.ts';
import type { Scene, Shape, Texts } from '../scene.ts';
import { shortNumber } from '../text/numbers.ts';
import { foreignLanguage, phrasesOf } from '../text/phrases.ts';
import { balanced, ellipsis, onOneLine, wrapped, type Style } from '../text/text-fit.ts';
import { textWidth } from '../text/text-width.ts';
import { extremesOf, withLines, type Extremes } from './axes/value-axis.ts';
import { layoutBars } from './bars/bars.ts';
import { description, nameOf } from './description.ts';
import { placeSeriesLegend } from './legend/legend.ts';
import { endSpace, endTextsOf, type EndTexts } from './lines/end-texts.ts';
import { layoutLines } from './lines/lines.ts';
import { valuesBetweenTimes } from './lines/stacked-areas.ts';
import { layoutPie } from './pie/pie.ts';
import { sumOf } from './pie/slices.ts';
import { capHeight, lineHeight, type Box } from './sizes.ts';

type Layout = (chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts) => readonly Shape[];

const layouts: Readonly<Record<Chart['kind'], Layout>> = {
  bar: layoutBars,
  line: layoutLines,
  pie: layoutPie,
};

/** Places every shape of the picture. `hasSumInTitle` is true if the sum of a donut did not fit into its hole. */
export function layout(chart: Chart, hasSumInTitle = false): Scene {
  const { kind, series } = chart;
  const headings = placeHeadings(chart);
  const drawn = chart.isStacked && chart.isArea ? { ...chart, series: valuesBetweenTimes(chart) } : chart;
  const extremes = extremesOf(drawn, 'up', 'down');
  const range = withLines(extremes, chart);
  const ends = endTextsOf(drawn, headings.bounds, range);
  const legend = ends.some(({ line: [name] }) => name !== '')
    ? { shapes: [], bounds: headings.bounds }
    : placeSeriesLegend(chart, headings.bounds);
  const right = legend.bounds.right - endSpace(ends, drawn);
  // Shares that are all zero have no sum.
  const hasData = hasNumbers(series) && (!chartKinds[kind].hasShares || extremes.highest.value > 0);
  const data = hasData
    ? layouts[kind](drawn, { ...legend.bounds, right }, range, ends)
    : noData(chart, legend.bounds);
  // Of the texts of a donut, only the sum in its hole is centred.
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
    description: onOneLine(description(chart, chart.isStacked ? extremesOf(chart, 'sum') : extremes)),
    locale: chart.locale,
    shapes: [...headings.shapes, ...legend.shapes, ...data].map(withoutBreaks),
  };
}

/**
 * Places the title, the subtitle below it, and the source at the bottom, each in at most two lines, and returns the
 * remaining space. A small picture has only a title or nothing.
 */
function placeHeadings(chart: Chart): { readonly shapes: readonly Texts[]; readonly bounds: Box } {
  const { title, source, isRightToLeft, sizes, theme } = chart;
  const { width, height, margin, fontSize, showsTitle, showsSubtitle } = sizes;
  const bounds = { left: margin, top: margin, right: width - margin, bottom: height - margin };
  if (!showsTitle) return { shapes: [], bounds };
  const shapes: Texts[] = [];
  /** Places lines below `top`, and returns their height. */
  const place = (lines: readonly string[], top: number, style: Style & Pick<Texts, 'fill'>): number => {
    const [x, anchor] = isRightToLeft ? [bounds.right, 'end' as const] : [bounds.left, 'start' as const];
    const texts = lines.map((text, i) => ({ x, y: top + style.size * (0.8 + i * lineHeight), text }));
    shapes.push({ kind: 'texts', ...style, anchor, texts });
    return lines.length * style.size * lineHeight;
  };
  const widthMax = bounds.right - bounds.left;
  const linesMax = height >= 24 * fontSize ? 2 : 1;
  if (title !== '') {
    const style = { size: sizes.title, weight: 'bold', fill: theme.ink.title } as const;
    const lines = balanced(title, widthMax, height >= 20 * fontSize ? 2 : 1, style);
    bounds.top += place(lines, bounds.top, style) + fontSize * 0.6;
  }
  const style = { size: fontSize * 1.08, fill: theme.ink.label };
  const lines = showsSubtitle || title === '' ? underTitle(chart, widthMax, linesMax, style) : [];
  if (lines.length > 0) {
    if (title !== '') bounds.top -= fontSize * 0.35;
    bounds.top += place(lines, bounds.top, style) + fontSize * (linesMax > 1 ? 1 : 0.6);
  }
  if (source !== '' && showsSubtitle) {
    const style = { size: sizes.small, fill: theme.ink.label };
    const lines = wrapped(source, widthMax, linesMax, style);
    // The descenders of the last line may reach into the margin.
    const top = bounds.bottom - (lines.length - 1) * style.size * lineHeight - style.size * 0.8;
    place(lines, top, style);
    bounds.bottom = top - fontSize;
  }
  return { shapes, bounds };
}

/** The subtitle with the unit of the numbers, unless a title already names the unit. */
function underTitle(chart: Chart, width: number, linesMax: number, style: Style): readonly string[] {
  const { subtitle, unitOnce } = chart;
  if (unitOnce === '' || isUnitNamed(chart))
    return subtitle === '' ? [] : wrapped(subtitle, width, linesMax, style);
  if (subtitle === '') return wrapped(unitOnce, width, linesMax, style);
  const lines = wrapped(`${subtitle} (${unitOnce})`, width, linesMax, style);
  if (!lines.at(-1)?.endsWith(ellipsis)) return lines;
  return wrapped(`${unitOnce} · ${subtitle}`, width, linesMax, style);
}

function isUnitNamed({ title, subtitle, yTitle, unitOnce }: Chart): boolean {
  const [before = '', after] = `${title} ${subtitle} ${yTitle}`.split(unitOnce);
  return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
}

/** Removes the line breaks of texts that were not wrapped. */
function withoutBreaks(shape: Shape): Shape {
  if (shape.kind !== 'texts' || shape.texts.every(({ text }) => onOneLine(text) === text)) return shape;
  return { ...shape, texts: shape.texts.map((text) => ({ ...text, text: onOneLine(text.text) })) };
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
