import type { Chart, Point } from '../request/chart.ts';
import { chartName, filled, phrasesOf } from '../text/phrases.ts';
import { hasNumbers, type Series } from '../request/series.ts';
import type { Extremes } from './axes/extent.ts';
import type { NumberFormats } from '../text/number-formats.ts';
import { fullNumber } from '../text/numbers.ts';

const listedMax = 40;

/** The data and everything that the picture says about it, as text for screen readers. */
export function description(chart: Chart, extremes: Extremes): string {
  const { subtitle, lines, source, numbersInWords: numbers } = chart;
  const linesInWords = lines.map((line) => pointInWords(line, numbers)).join('; ');
  const sentences = [subtitle, dataInWords(chart, extremes), linesInWords, source];
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?\u2026\u3002]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}

/** The data in words. Long lists are summarized. */
function dataInWords(chart: Chart, { lowest, highest }: Extremes): string {
  const { labels, series, locale, numbersInWords: numbers } = chart;
  const phrases = phrasesOf(locale);
  const length = numbers.digits(labels.length, 0);
  const count = numbers.digits(series.length, 0);
  const facts = { chart: nameOf(chart), series: count, points: length, labels: length };
  if (!hasNumbers(series)) return filled(phrases.without_data, facts);
  const isUnnamed = series.length === 1 && series[0]?.name === '';
  if (labels.length * series.length <= listedMax) {
    const start = isUnnamed ? `${facts.chart}.` : filled(phrases.of_series, facts);
    const values = series.map((each) => seriesInWords(each, labels, numbers));
    return `${start} ${values.filter((words) => words !== '').join('. ')}.`;
  }
  return [
    filled(isUnnamed ? phrases.of_points : phrases.of_series_and_labels, facts),
    filled(phrases.lowest, { point: pointInWords(lowest, numbers) }),
    filled(phrases.highest, { point: pointInWords(highest, numbers) }),
  ].join(' ');
}

/** The name of the kind of chart, which replaces a missing title. */
export function nameOf({ kind, isArea, locale }: Chart): string {
  return chartName(isArea ? 'area' : kind, locale);
}

function seriesInWords({ name, values }: Series, labels: readonly string[], numbers: NumberFormats): string {
  const words = labels.flatMap((label, i) => {
    const value = values[i];
    return typeof value === 'number' ? [pointInWords({ label, value }, numbers)] : [];
  });
  return (name === '' ? '' : `${name}: `) + words.join('; ');
}

function pointInWords({ label, value }: Point, numbers: NumberFormats): string {
  const text = fullNumber(value, numbers);
  return label === '' ? text : `${label}: ${text}`;
}
