import { dark, horizontal, size, stacked, type Cases } from './charts.ts';
import { balance, monthly, months, numbered, series, wave } from './series.ts';

const answers = [
  'The service answered all of my questions, and I would recommend it to my colleagues',
  'It was easy to find what I was looking for',
  'I had to ask more than once before somebody understood what I wanted',
  'Neither agree nor disagree',
  'I have never used it',
];
const survey = series(answers, [34, 28, 19, 12, 7]);
const countries = [
  'China',
  'United States',
  'India',
  'European Union',
  'Russia',
  'Japan',
  'Brazil',
  'Mexico',
];
const paths = ['orders', 'invoices', 'addresses', 'payments', 'contacts', 'returns', 'notes'].map(
  (name) => `/api/v1/customers/${name}`,
);
const shares = [
  { name: 'Agree', data: survey },
  { name: 'Disagree', data: series(answers, [12, 22, 31, 8, 3]) },
  { name: 'No answer', data: series(answers, [4, 5, 2, 9, 40]) },
];
const quarter = months.slice(0, 4);
const signed = [
  { name: 'In', data: series(quarter, [12, 9, 15, 11]) },
  { name: 'Out', data: series(quarter, [-8, -10, -4, -12]) },
];
const question = 'What do you think?';

/** Bars from left to right. */
export const horizontalBars: Cases = {
  'horizontal, countries': horizontal(
    'Emissions of carbon dioxide in 2024, in million tonnes',
    series(countries, [12289, 4904, 3193, 2549, 1935, 961, 481, 470]),
    { x_title: 'Country', y_title: 'Million tonnes' },
  ),
  'horizontal, survey': horizontal(question, survey),
  'horizontal, survey, 300 × 200': horizontal(question, survey, size(300, 200)),
  'horizontal, paths': horizontal('Requests a second', series(paths, [34, 28, 19, 12, 7, 5, 2])),
  'horizontal, negative': horizontal('Cash flow by month', balance),
  'horizontal, groups': horizontal(question, shares, dark),
  'horizontal, stacked': horizontal(question, shares, stacked),
  'horizontal, stacked negative': horizontal('Cash flow', signed, stacked),
  'horizontal, sixty': horizontal('Sixty categories', numbered(60, wave)),
  'horizontal, 1,000': horizontal('A thousand categories', numbered(1000, wave)),
  'horizontal, millions': horizontal(
    'Population',
    series(['Oslo', 'Rome', 'Paris'], [-70903700, 2746984, 2102650]),
    { locale: 'de' },
  ),
  'horizontal, 1600 × 900': horizontal('Monthly revenue', monthly, size(1600, 900)),
  '64 × 40, horizontal': horizontal(undefined, balance, size(64, 40)),
};
