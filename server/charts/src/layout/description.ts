import type { Chart, Point } from '../request/chart.ts';
import { chartName, filled, phrasesOf } from '../text/phrases.ts';
import { hasNumbers } from '../request/series.ts';
import type { Extremes } from './axes/value-axis.ts';
import { fullNumber } from '../text/numbers.ts';

const listedMax = 40;

/** The subtitle, the data, the reference lines and the source as text for screen readers. */
export function description(chart: Chart, extremes: Extremes): string {
  const { subtitle, lines, source, numbersInWords } = chart;
  const inWords = ({ label, value }: Point): string => {
    const text = fullNumber(value, numbersInWords);
    return label === '' ? text : `${label}: ${text}`;
  };
  const sentences = [subtitle, dataInWords(chart, extremes, inWords), lines.map(inWords).join('; '), source];
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?\u2026\u3002]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}

/** The data in words. Long lists are summarized. */
function dataInWords(chart: Chart, { lowest, highest }: Extremes, inWords: (point: Point) => string): string {
  const { labels, series, locale, numbersInWords: numbers } = chart;
  const phrases = phrasesOf(locale);
  const length = numbers.digits(labels.length, 0);
  const count = numbers.digits(series.length, 0);
  const facts = { chart: nameOf(chart), series: count, points: length, labels: length };
  if (!hasNumbers(series)) return filled(phrases.without_data, facts);
  const isUnnamed = series.length === 1 && series[0]?.name === '';
  if (labels.length * series.length > listedMax)
    return [
      filled(isUnnamed ? phrases.of_points : phrases.of_series_and_labels, facts),
      filled(phrases.lowest, { point: inWords(lowest) }),
      filled(phrases.highest, { point: inWords(highest) }),
    ].join(' ');
  const start = isUnnamed ? `${facts.chart}.` : filled(phrases.of_series, facts);
  const lists = series.map(({ name, values }) => {
    const points = labels.map((label, i) => ({ label, value: values[i] }));
    const words = points.flatMap(({ label, value }) =>
      typeof value === 'number' ? inWords({ label, value }) : [],
    );
    return (name === '' ? '' : `${name}: `) + words.join('; ');
  });
  return `${start} ${lists.filter((words) => words !== '').join('. ')}.`;
}

/** The name of the kind of chart, which replaces a missing title. */
export function nameOf({ kind, isArea, locale }: Chart): string {
  return chartName(isArea ? 'area' : kind, locale);
}
