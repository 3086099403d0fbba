import { area, bar, dark, horizontal, line, pie, size, stacked, type Cases } from './charts.ts';
import { balance, monthly, numbered, ofRegions, series, sources } from './series.ts';

const renewable = series(['2022', '2023', '2024', '2025', '2026'], [0.18, 0.221, 0.257, 0.31, 0.342]);
const latencies = numbered(8, (i) => 0.02 * 5 ** i);
const regions = ofRegions(3);
const always = { values: 'always' } as const;
const logarithmic = { y_scale: 'log' } as const;
const target = {
  lines: [
    { value: 5000, label: 'Target' },
    { value: 3589, label: 'Average' },
  ],
};
const ofEuros = {
  subtitle: 'In thousands of euros, without one-off effects',
  source: 'Source: annual report 2026, own calculation',
};

const answers = [
  'The service answered all of my questions, and I would recommend it to my colleagues',
  'It was easy to find what I was looking for',
  'I had to ask more than once before somebody understood what I wanted',
  'Neither agree nor disagree',
  'I have never used it',
];
const survey = series(answers, [34, 28, 19, 12, 7]);
const shares = [
  { name: 'Agree', data: survey },
  { name: 'Disagree', data: series(answers, [12, 22, 31, 8, 3]) },
  { name: 'No answer', data: series(answers, [4, 5, 2, 9, 40]) },
];
const question = 'What do you think?';

/** Charts whose values are written, limited or compared, and bars from left to right. */
export const valueCases: Cases = {
  'horizontal, survey, 300 × 200': horizontal(question, survey, size(300, 200)),
  'horizontal, negative': horizontal('Cash flow by month', balance),
  'horizontal, groups': horizontal(question, shares, dark),
  'horizontal, stacked': horizontal(question, shares, stacked),
  'values, euros': bar('Umsatz', monthly, { format: 'currency', currency: 'EUR', locale: 'de' }),
  'values, line': line('Revenue', monthly, always),
  'values, groups, 320 × 200': bar('Revenue', regions, { ...always, ...size(320, 200) }),
  'values, stacked, dark': bar('Revenue', regions, { ...stacked, ...always, ...dark }),
  'values, pie': pie('Traffic by source', sources, always),
  'axis, bars cut off': bar('Outlier', [...monthly, { label: 'X', value: 90_000 }], { y_max: 8000 }),
  'axis, line between limits': line('Cut', balance, { y_min: -5, y_max: 5 }),
  'axis, stacked areas cut off': area('Revenue', regions, { ...stacked, y_max: 100 }),
  'axis, percent from 0 to 100': bar('Renewable energy', renewable, {
    format: 'percent',
    y_min: 0,
    y_max: 1,
  }),
  'axis, logarithmic line': line(
    'Transistors',
    numbered(12, (i) => 2300 * 3.4 ** i),
    logarithmic,
  ),
  'axis, logarithmic bars, horizontal': horizontal('Latency', latencies, { ...logarithmic, unit: ' ms' }),
  'lines, bars': bar('Revenue', monthly, target),
  'lines, horizontal bars': horizontal('Revenue', monthly, target),
  'lines, above all values': line('Temperature', balance, {
    lines: [{ value: 20, label: 'Limit' }, { value: -10, label: 'Frost' }, { value: 2.5 }],
  }),
  'lines, several lines, dark': line('Revenue', regions, {
    ...always,
    ...dark,
    lines: [
      { value: 30, label: 'Average' },
      { value: 31, label: 'Target' },
      { value: 45, label: 'Capacity of the plant' },
    ],
  }),
  'captions, bars': bar('Revenue by month', monthly, ofEuros),
  'values, losses': bar('Profit', balance, { negative_color: '#b23b2e' }),
  'values, last, card': line('Open tasks', monthly, { values: 'last', axes: 'none', ...size(240, 120) }),
};
