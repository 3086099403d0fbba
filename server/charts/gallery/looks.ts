import { bar, dark, donut, line, pie, size, transparent, type Cases } from './charts.ts';
import { balance, monthly, numbered, series, sources, wave } from './series.ts';

const revenue = 'Monthly revenue, 2026';
const latency = 'Latency over a day, in milliseconds';
const traffic = 'Traffic by source';
const temperature = 'Temperature, °C';
const auto = { theme: 'auto' } as const;
const axisTitles = { x_title: 'Month', y_title: 'Revenue in thousands of euros' };

/** Charts in other sizes, languages and themes, and on backgrounds other than white. */
export const looks: Cases = {
  'line, 1,000, scale 2': line(latency, numbered(1000, wave), { scale: 2 }),
  'pie, scale 3, transparent': pie(traffic, sources, { scale: 3, ...transparent }),
  'bar, axis titles': bar(revenue, monthly, axisTitles),
  'bar, Japanese': bar('人口', series(['東京', '大阪'], [14_100_000, 8_800_000]), { locale: 'ja' }),
  '320 × 200, line, axis titles': line('Revenue', monthly, { ...size(320, 200), ...axisTitles }),
  'bar, dark': bar(revenue, monthly, dark),
  'bar, auto': bar(revenue, monthly, auto),
  'line, transparent auto': line(temperature, balance, { ...auto, ...transparent }),
  'bar, on cream': bar(revenue, monthly, { background: '#fff8e7' }),
  'pie, dark': pie(traffic, sources, dark),
  donut: donut(traffic, sources),
  'donut, Cyrillic, transparent': donut(
    'Продажи по городам',
    series(['Москва', 'Казань', 'Томск'], [12, 7, 5]),
    transparent,
  ),
  'pie, on grey': pie(traffic, sources, { background: '#808080' }),
  'pie, transparent': pie(traffic, sources, transparent),
  'line, transparent': line(temperature, balance, transparent),
  'line, translucent dark': line(temperature, balance, { ...dark, background: 'rgb(20 24 31 / 70%)' }),
  'no data, Russian': bar(undefined, [], { locale: 'ru' }),
  'pie, forty, Polish': pie('Udziały', numbered(200, wave), { locale: 'pl' }),
};
