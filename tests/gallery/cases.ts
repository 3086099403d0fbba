import type { Schemas } from '../../server/src/operation.ts';
import { balance, market, monthly, months, sources } from './data.ts';
import { horizontalBars } from './horizontal.ts';
import { several } from './several.ts';
import { looks } from './looks.ts';
import { names } from './names.ts';
import { scripts } from './scripts.ts';
import { times } from './times.ts';
import { valueCases } from './values.ts';
import { days, noise, numbered, repeated, series, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

const longNames = [
  'Department of Environmental Protection',
  'Office of Management and Budget',
  'Research & Development',
  'Sales',
  'Customer Success and Professional Services',
  'Internationalization',
];
const long = series(longNames, [42, 31, 27, 56, 18, 23]);
const huge = series(['low', 'small', 'zero', 'high'], [-1e308, 5, 0, 1e308]);

/** The requests that every format must render, by name. */
export const cases: Readonly<Record<string, Request>> = {
  'bar, months': { title: 'Monthly revenue, 2026', data: monthly },
  'bar, one': { title: 'A single bar', data: series(['Only'], [42]) },
  'bar, two': { title: 'Tasks by status', data: series(['todo', 'done'], [7, 12]) },
  'bar, forty': { title: 'Forty categories', data: numbered(40, wave) },
  'bar, long labels': { title: 'Headcount by department', data: long },
  'bar, twenty long labels': { title: 'Twenty long labels', data: repeated(long, 20) },
  'bar, negative': { title: 'Cash flow by month', data: balance },
  'bar, all negative': { title: 'Losses', data: series(['North', 'South', 'East'], [-31, -12, -24]) },
  'bar, tiny values': { title: 'Tiny values', data: series(['a', 'b', 'c'], [2e-7, 3.5e-7, 1e-7]) },
  'bar, millions': {
    title: 'Population',
    data: series(['Oslo', 'Rome', 'Paris'], [709037, 2746984, 2102650]),
  },
  'bar, ±1e308': { title: 'The largest numbers there are', data: huge },
  'bar, smallest': { title: 'The smallest numbers there are', data: series(['a', 'b'], [5e-324, 2e-323]) },
  'bar, 10,000': { title: 'Ten thousand bars', data: numbered(10_000, wave) },
  'bar, 300': { title: 'Three hundred bars', data: numbered(300, wave) },
  'bar, colours': {
    title: 'Three colours in turn',
    data: monthly,
    colors: ['#0f766e', 'orange', 'rgb(190 24 93 / 60%)'],
  },
  'bar, equal labels': { title: 'Equal labels are kept apart', data: series(['a', 'a', 'a'], [1, 2, 3]) },
  'bar, zeros': { title: 'Only zeros', data: series(['a', 'b', 'c'], [0, 0, 0]) },
  'bar, no title': { data: monthly },
  'bar, long title': { title: 'A title that goes on and on, '.repeat(12), data: monthly },
  'bar, markup': {
    title: '<script>alert("1")</script> & more',
    data: series(['<b>bold</b>', 'a & b'], [3, 4]),
  },
  'no data': { title: 'Nothing yet', data: [] },
  'line, months': { chart_type: 'line', title: 'Monthly revenue, 2026', data: monthly },
  'line, 1,000': {
    chart_type: 'line',
    title: 'Latency over a day, in milliseconds',
    data: numbered(1000, wave),
  },
  'line, 10,000': { chart_type: 'line', title: 'Ten thousand points', data: numbered(10_000, noise) },
  'line, one point': { chart_type: 'line', title: 'One point', data: series(['Now'], [3]) },
  'line, two points': { chart_type: 'line', title: 'Two points', data: series(['Before', 'After'], [3, 8]) },
  'line, flat': { chart_type: 'line', title: 'A flat line', data: series(months, Array<number>(12).fill(5)) },
  'line, negative': { chart_type: 'line', title: 'Temperature, °C', data: balance },
  'line, far from zero': {
    chart_type: 'line',
    title: 'Air pressure, hPa',
    data: numbered(24, (i) => 1010 + 6 * Math.sin(i / 4)),
  },
  'line, long labels': { chart_type: 'line', title: 'Long labels', data: long },
  'line, dates': { chart_type: 'line', title: 'Sign-ups a day', data: days(90) },
  'line, ±1e308': { chart_type: 'line', title: 'The largest numbers there are', data: huge },
  'line, colours': {
    chart_type: 'line',
    title: 'Dots in two colours',
    data: monthly,
    colors: ['teal', 'crimson'],
  },
  'pie, sources': { chart_type: 'pie', title: 'Traffic by source', data: sources },
  'pie, one slice': { chart_type: 'pie', title: 'Everything', data: series(['All of it'], [3]) },
  'pie, nearly all': {
    chart_type: 'pie',
    title: 'Nearly everything',
    data: series(['Most', 'Rest'], [9999, 1]),
  },
  'pie, small slices': { chart_type: 'pie', title: 'Market share', data: market },
  'pie, forty': { chart_type: 'pie', title: 'Forty slices', data: numbered(40, wave) },
  'pie, 10,000': { chart_type: 'pie', title: 'Ten thousand slices', data: numbered(10_000, wave) },
  'pie, long labels': { chart_type: 'pie', title: 'Budget by department', data: long },
  'pie, zeros': { chart_type: 'pie', title: 'Nothing sold', data: series(['a', 'b'], [0, 0]) },
  'pie, one zero': {
    chart_type: 'pie',
    title: 'Tasks by status',
    data: series(['done', 'todo', 'failed'], [12, 7, 0]),
  },
  'pie, 1e308': { chart_type: 'pie', title: 'Two halves', data: series(['a', 'b'], [1e308, 1e308]) },
  'pie, colours': {
    chart_type: 'pie',
    title: 'Own colours',
    data: sources,
    colors: ['steelblue', '#ffa500', 'seagreen'],
  },
  'pie, equal': { chart_type: 'pie', title: 'Twenty equal slices', data: numbered(20, () => 5) },
  Cyrillic: { title: 'Продажи по городам', data: series(['Москва', 'Казань', 'Томск'], [12, 7, 5]) },
  Greek: {
    chart_type: 'pie',
    title: 'Πωλήσεις ανά πόλη',
    data: series(['Αθήνα', 'Πάτρα', 'Βόλος'], [12, 7, 5]),
  },
  Chinese: { title: '各城市销售额', data: series(['北京', '上海', '广州市天河区珠江新城'], [12, 7, 5]) },
  Arabic: { title: 'المبيعات حسب المدينة', data: series(['القاهرة', 'الرياض', 'الدار البيضاء'], [12, 7, 5]) },
  Hebrew: {
    chart_type: 'pie',
    title: 'מכירות לפי עיר',
    data: series(['תל אביב', 'חיפה', 'ירושלים'], [12, 7, 5]),
  },
  Hindi: { title: 'शहर के अनुसार बिक्री', data: series(['दिल्ली', 'मुंबई', 'चेन्नई'], [12, 7, 5]) },
  emoji: { title: 'Mood 🎉 of the week', data: series(['😀 good', '😐 fair', '👩‍👩‍👧 family'], [12, 7, 5]) },
  'Latin, with a Czech word': {
    title: 'Größe „Übung“ – naïve façade, 5 €',
    data: series(['Žluť', 'Œuvre', 'Ñandú'], [3, 4, 5]),
  },
  '16 × 16, bar': { title: 'x', width: 16, height: 16, data: monthly },
  '16 × 16, line': { chart_type: 'line', width: 16, height: 16, data: monthly },
  '16 × 16, pie': { chart_type: 'pie', width: 16, height: 16, data: sources },
  '64 × 40, bar': { width: 64, height: 40, data: balance },
  '160 × 100, bar': { title: 'Revenue', width: 160, height: 100, data: monthly },
  '160 × 100, pie': { chart_type: 'pie', title: 'Sources', width: 160, height: 100, data: sources },
  '320 × 200, bar': { title: 'Monthly revenue', width: 320, height: 200, data: monthly },
  '320 × 200, line': { chart_type: 'line', title: 'Monthly revenue', width: 320, height: 200, data: monthly },
  '320 × 200, pie': { chart_type: 'pie', title: 'Traffic by source', width: 320, height: 200, data: sources },
  '300 × 900, bar': { title: 'Monthly revenue in a narrow column', width: 300, height: 900, data: monthly },
  '300 × 900, pie': { chart_type: 'pie', title: 'Traffic by source', width: 300, height: 900, data: sources },
  '1600 × 200, bar': { title: 'Monthly revenue', width: 1600, height: 200, data: monthly },
  '1600 × 200, pie': {
    chart_type: 'pie',
    title: 'Traffic by source',
    width: 1600,
    height: 200,
    data: sources,
  },
  '1920 × 1080, line': {
    chart_type: 'line',
    title: 'Monthly revenue, 2026',
    width: 1920,
    height: 1080,
    data: monthly,
  },
  '4096 × 4096, bar': { title: 'Monthly revenue, 2026', width: 4096, height: 4096, data: monthly },
  '4096 × 4096, pie': {
    chart_type: 'pie',
    title: 'Traffic by source',
    width: 4096,
    height: 4096,
    data: sources,
  },
  '4096 × 100, line': {
    chart_type: 'line',
    title: 'A ribbon',
    width: 4096,
    height: 100,
    data: numbered(1000, wave),
  },
  ...looks,
  ...several,
  ...times,
  ...horizontalBars,
  ...names,
  ...scripts,
  ...valueCases,
};

/** A case as the contract's defaults complete it. */
export function requestOf(request: Request): Schemas['ChartRequest'] {
  const data = request.series === undefined ? { data: [] } : {};
  const looks = {
    theme: 'light',
    scale: 1,
    locale: 'en',
    stacked: false,
    orientation: 'vertical',
    x_type: 'auto',
  } as const;
  return { chart_type: 'bar', width: 800, height: 600, ...data, ...looks, ...request };
}
