import type { Schemas } from '../../server/src/operation.ts';
import { balance, market, monthly, sources } from './data.ts';
import { numbered, series, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

/** Charts on backgrounds other than white. */
export const looks: Readonly<Record<string, Request>> = {
  'bar, scale 2': { title: 'Monthly revenue, 2026', data: monthly, scale: 2 },
  'line, 1,000, scale 2': {
    chart_type: 'line',
    title: 'Latency over a day, in milliseconds',
    data: numbered(1000, wave),
    scale: 2,
  },
  'pie, scale 3, transparent': {
    chart_type: 'pie',
    title: 'Traffic by source',
    data: sources,
    scale: 3,
    background: 'transparent',
  },
  'bar, axis titles': {
    title: 'Monthly revenue, 2026',
    data: monthly,
    x_title: 'Month',
    y_title: 'Revenue in thousands of euros',
  },
  'bar, German': {
    title: 'Einwohner',
    data: series(['Berlin', 'Hamburg', 'Köln'], [3_878_100, 1_910_160.5, 1_084_831]),
    x_title: 'Stadt',
    y_title: 'Einwohner',
    locale: 'de',
  },
  'line, French': {
    chart_type: 'line',
    title: 'Température',
    data: series(['lundi', 'mardi', 'mercredi'], [1234.5, 2345.25, 9876.5]),
    y_title:
      'Une très longue dénomination de l’axe vertical, qui ne tient pas dans toute la hauteur de l’image',
    locale: 'fr',
  },
  'pie, Turkish': { chart_type: 'pie', title: 'Kaynaklar', data: sources, locale: 'tr', x_title: 'x' },
  'bar, Japanese': { title: '人口', data: series(['東京', '大阪'], [14_100_000, 8_800_000]), locale: 'ja' },
  'bar, Egyptian Arabic': {
    title: 'المبيعات',
    data: series(['القاهرة', 'الجيزة'], [1234.5, -800]),
    locale: 'ar-EG',
    y_title: 'المبيعات',
  },
  '320 × 200, line, axis titles': {
    chart_type: 'line',
    title: 'Revenue',
    width: 320,
    height: 200,
    data: monthly,
    x_title: 'Month',
    y_title: 'Revenue in thousands of euros',
  },
  Thai: { title: 'ยอดขายตามเมือง', data: series(['กรุงเทพ', 'เชียงใหม่'], [12, 7]) },
  Bengali: { title: 'শহর অনুযায়ী বিক্রয়', data: series(['ঢাকা', 'চট্টগ্রাম'], [12, 7]) },
  Tamil: { title: 'நகரவாரியாக விற்பனை', data: series(['சென்னை', 'மதுரை'], [12, 7]) },
  Japanese: { title: '都市別売上', data: series(['東京', '大阪'], [12, 7]) },
  Korean: { title: '도시별 매출', data: series(['서울', '부산'], [12, 7]) },
  'bar, dark': { title: 'Monthly revenue, 2026', data: monthly, theme: 'dark' },
  'bar, negative, dark': { title: 'Cash flow by month', data: balance, theme: 'dark' },
  'bar, on cream': { title: 'Monthly revenue, 2026', data: monthly, background: '#fff8e7' },
  'bar, on its own blue': { title: 'Monthly revenue, 2026', data: monthly, background: '#5b9df0' },
  'line, dark': { chart_type: 'line', title: 'Monthly revenue, 2026', data: monthly, theme: 'dark' },
  'line, 1,000, dark': {
    chart_type: 'line',
    title: 'Latency over a day, in milliseconds',
    data: numbered(1000, wave),
    theme: 'dark',
  },
  'line, on navy': { chart_type: 'line', title: 'Revenue', data: monthly, background: 'navy' },
  'pie, dark': { chart_type: 'pie', title: 'Traffic by source', data: sources, theme: 'dark' },
  'pie, small slices, dark': { chart_type: 'pie', title: 'Market share', data: market, theme: 'dark' },
  'pie, on grey': { chart_type: 'pie', title: 'Traffic by source', data: sources, background: '#808080' },
  'pie, transparent': {
    chart_type: 'pie',
    title: 'Traffic by source',
    data: sources,
    background: 'transparent',
  },
  'line, transparent': {
    chart_type: 'line',
    title: 'Temperature, °C',
    data: balance,
    background: 'transparent',
  },
  'line, translucent dark': {
    chart_type: 'line',
    title: 'Temperature, °C',
    data: balance,
    theme: 'dark',
    background: 'rgb(20 24 31 / 70%)',
  },
  'Greek, dark': { title: 'Πωλήσεις', data: series(['Αθήνα', 'Πάτρα', 'Βόλος'], [12, 7, 5]), theme: 'dark' },
};
