import { chartKindNames, withDefaults, type FullRequest } from '../src/svg.ts';
import { bar, line, ofKind, pie, size, type Cases, type Request } from './charts.ts';
import { horizontalBars } from './horizontal.ts';
import { looks } from './looks.ts';
import { scripts } from './scripts.ts';
import { balance, days, market, monthly, months, noise, numbered, series, sources, wave } from './series.ts';
import { several } from './several.ts';
import { times } from './times.ts';
import { valueCases } from './values.ts';

const longNames = [
  'Department of Environmental Protection',
  'Office of Management and Budget',
  'Research & Development',
  'Sales',
  'Customer Success and Professional Services',
  'Internationalization',
];
const long = series(longNames, [42, 31, 27, 56, 18, 23]);
const huge = series(['low', 'small', 'zero', 'high'], [-1e300, 5, 0, 1e300]);
const revenue = 'Monthly revenue';
const revenueOfYear = 'Monthly revenue, 2026';
const traffic = 'Traffic by source';
const latency = 'Latency over a day, in milliseconds';
const greekCities = series(['Αθήνα', 'Πάτρα', 'Βόλος'], [12, 7, 5]);

/** The same data in every kind of chart. */
export const casesOfKinds: Cases = Object.fromEntries(
  chartKindNames.map((name) => [`${name}, months`, ofKind(name)(revenueOfYear, monthly)]),
);

/** Requests with every kind of shape, script, size and background. */
export const paintedCases: Cases = {
  ...casesOfKinds,
  'bar, forty': bar('Forty categories', numbered(40, wave)),
  'bar, long labels': bar('Headcount by department', long),
  'bar, negative': bar('Cash flow by month', balance),
  'bar, all negative': bar('Losses', series(['North', 'South', 'East'], [-31, -12, -24])),
  'bar, tiny values': bar('Tiny values', series(['a', 'b', 'c'], [2e-7, 3.5e-7, 1e-7])),
  'bar, millions': bar('Population', series(['Oslo', 'Rome', 'Paris'], [709037, 2746984, 2102650])),
  'bar, ±1e300': bar('The largest numbers', huge),
  'bar, 10,000': bar('Ten thousand bars', numbered(10_000, wave)),
  'bar, colours': bar('Three colours in turn', monthly, {
    colors: ['#0f766e', 'orange', 'rgb(190 24 93 / 60%)'],
  }),
  'bar, equal labels': bar('Equal labels are kept apart', series(['a', 'a', 'a'], [1, 2, 3])),
  'bar, no title': bar(undefined, monthly),
  'bar, long title': bar('A title that goes on and on, '.repeat(12), monthly),
  'bar, markup': bar('<script>alert("1")</script> & more', series(['<b>bold</b>', 'a & b'], [3, 4])),
  'no data': bar('Nothing yet', []),
  'line, 1,000': line(latency, numbered(1000, wave)),
  'line, 10,000': line('Ten thousand points', numbered(10_000, noise)),
  'line, one point': line('One point', series(['Now'], [3])),
  'line, flat': line('A flat line', series(months, Array<number>(12).fill(5))),
  'line, negative': line('Temperature, °C', balance),
  'line, far from zero': line(
    'Air pressure, hPa',
    numbered(24, (i) => 1010 + 6 * Math.sin(i / 4)),
  ),
  'line, dates': line('Sign-ups a day', days(90)),
  'line, ±1e300': line('The largest numbers', huge),
  'pie, sources': pie(traffic, sources),
  'pie, one slice': pie('Everything', series(['All of it'], [3])),
  'pie, nearly all': pie('Nearly everything', series(['Most', 'Rest'], [9999, 1])),
  'pie, small slices': pie('Market share', market),
  'pie, forty': pie('Forty slices', numbered(40, wave)),
  'pie, 10,000': pie('Ten thousand slices', numbered(10_000, wave)),
  'pie, long labels': pie('Budget by department', long),
  'pie, zeros': pie('Nothing sold', series(['a', 'b'], [0, 0])),
  'pie, one zero': pie('Tasks by status', series(['done', 'todo', 'failed'], [12, 7, 0])),
  Cyrillic: bar('Продажи по городам', series(['Москва', 'Казань', 'Томск'], [12, 7, 5])),
  Greek: pie('Πωλήσεις ανά πόλη', greekCities),
  Chinese: bar('各城市销售额', series(['北京', '上海', '广州市天河区珠江新城'], [12, 7, 5])),
  Hebrew: pie('מכירות לפי עיר', series(['תל אביב', 'חיפה', 'ירושלים'], [12, 7, 5])),
  'Latin, with a Czech word': bar(
    'Größe „Übung“ – naïve façade, 5 €',
    series(['Žluť', 'Œuvre', 'Ñandú'], [3, 4, 5]),
  ),
  '16 × 16, bar': bar('x', monthly, size(16, 16)),
  '16 × 16, line': line(undefined, monthly, size(16, 16)),
  '16 × 16, pie': pie(undefined, sources, size(16, 16)),
  '64 × 40, bar': bar(undefined, balance, size(64, 40)),
  '320 × 200, bar': bar(revenue, monthly, size(320, 200)),
  '320 × 200, line': line(revenue, monthly, size(320, 200)),
  '320 × 200, pie': pie(traffic, sources, size(320, 200)),
  '300 × 900, bar': bar('Monthly revenue in a narrow column', monthly, size(300, 900)),
  '300 × 900, pie': pie(traffic, sources, size(300, 900)),
  '1600 × 200, bar': bar(revenue, monthly, size(1600, 200)),
  '4096 × 4096, bar': bar(revenueOfYear, monthly, size(4096, 4096)),
  '4096 × 4096, pie': pie(traffic, sources, size(4096, 4096)),
  '4096 × 100, line': line('A ribbon', numbered(1000, wave), size(4096, 100)),
  ...looks,
  ...several,
  ...scripts,
};

/** All requests of the gallery, by name. */
export const cases: Cases = { ...paintedCases, ...times, ...horizontalBars, ...valueCases };

/** A case with the contract's defaults. */
export function requestOf(request: Request): FullRequest {
  const data = request.series === undefined ? { data: [] } : {};
  return withDefaults({ ...data, ...request });
}
