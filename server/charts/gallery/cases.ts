import { chartKindNames, withDefaults, type FullRequest } from '../src/svg.ts';
import {
  bar,
  dark,
  donut,
  line,
  ofKind,
  pie,
  size,
  transparent,
  type Cases,
  type Request,
} from './charts.ts';
import { scripts } from './scripts.ts';
import { balance, market, monthly, noise, numbered, series, sources, wave } from './series.ts';
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
const temperature = 'Temperature, °C';
const latency = 'Latency over a day, in milliseconds';
const axisTitles = { x_title: 'Month', y_title: 'Revenue in thousands of euros' };
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
  'bar, ±1e300': bar('The largest numbers', huge),
  'bar, 10,000': bar('Ten thousand bars', numbered(10_000, wave)),
  'bar, colours': bar('Three colours in turn', monthly, {
    colors: ['#0f766e', 'orange', 'rgb(190 24 93 / 60%)'],
  }),
  'bar, markup': bar('<script>alert("1")</script> & more', series(['<b>bold</b>', 'a & b'], [3, 4])),
  'no data': bar('Nothing yet', []),
  'line, 1,000': line(latency, numbered(1000, wave)),
  'line, 10,000': line('Ten thousand points', numbered(10_000, noise)),
  'line, one point': line('One point', series(['Now'], [3])),
  'line, negative': line(temperature, balance),
  'pie, sources': pie(traffic, sources),
  'pie, one slice': pie('Everything', series(['All of it'], [3])),
  'pie, nearly all': pie('Nearly everything', series(['Most', 'Rest'], [9999, 1])),
  'pie, small slices': pie('Market share', market),
  'pie, 10,000': pie('Ten thousand slices', numbered(10_000, wave)),
  'pie, long labels': pie('Budget by department', long),
  'pie, zeros': pie('Nothing sold', series(['a', 'b'], [0, 0])),
  Cyrillic: bar('Продажи по городам', series(['Москва', 'Казань', 'Томск'], [12, 7, 5])),
  Greek: pie('Πωλήσεις ανά πόλη', greekCities),
  Chinese: bar('各城市销售额', series(['北京', '上海', '广州市天河区珠江新城'], [12, 7, 5])),
  Hebrew: pie('מכירות לפי עיר', series(['תל אביב', 'חיפה', 'ירושלים'], [12, 7, 5])),
  'Latin, with a Czech word': bar(
    'Größe „Übung“ – naïve façade, 5 €',
    series(['Žluť', 'Œuvre', 'Ñandú'], [3, 4, 5]),
  ),
  '16 × 16, bar': bar('x', monthly, size(16, 16)),
  '16 × 16, pie': pie(sources, size(16, 16)),
  '64 × 40, bar': bar(balance, size(64, 40)),
  '320 × 200, bar': bar(revenue, monthly, size(320, 200)),
  '300 × 900, pie': pie(traffic, sources, size(300, 900)),
  '4096 × 4096, bar': bar(revenueOfYear, monthly, size(4096, 4096)),
  '4096 × 4096, pie': pie(traffic, sources, size(4096, 4096)),
  'line, 1,000, scale 2': line(latency, numbered(1000, wave), { scale: 2 }),
  'bar, axis titles': bar(revenueOfYear, monthly, axisTitles),
  '320 × 200, line, axis titles': line('Revenue', monthly, { ...size(320, 200), ...axisTitles }),
  'bar, dark': bar(revenueOfYear, monthly, dark),
  'bar, auto': bar(revenueOfYear, monthly, { theme: 'auto' }),
  'bar, on cream': bar(revenueOfYear, monthly, { background: '#fff8e7' }),
  donut: donut(traffic, sources),
  'pie, transparent': pie(traffic, sources, transparent),
  'line, transparent': line(temperature, balance, transparent),
  'line, translucent dark': line(temperature, balance, { ...dark, background: 'rgb(20 24 31 / 70%)' }),
  'pie, forty, Polish': pie('Udziały', numbered(200, wave), { locale: 'pl' }),
  ...several,
  ...scripts,
};

/** All requests of the gallery, by name. */
export const cases: Cases = { ...paintedCases, ...times, ...valueCases };

/** A case with the contract's defaults. */
export function requestOf(request: Request): FullRequest {
  const data = request.series === undefined ? { data: [] } : {};
  return withDefaults({ ...data, ...request });
}
