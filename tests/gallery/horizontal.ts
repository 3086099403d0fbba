import type { Schemas } from '../../server/src/operation.ts';
import { balance, monthly, months } from './data.ts';
import { numbered, series, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

const answers = [
  'The service answered all of my questions, and I would recommend it to my colleagues',
  'It was easy to find what I was looking for',
  'I had to ask more than once before somebody understood what I wanted',
  'Neither agree nor disagree',
  'I have never used it',
];
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
  { name: 'Agree', data: series(answers, [34, 28, 19, 12, 7]) },
  { name: 'Disagree', data: series(answers, [12, 22, 31, 8, 3]) },
  { name: 'No answer', data: series(answers, [4, 5, 2, 9, 40]) },
];
const horizontal = { orientation: 'horizontal' } as const;

/** Bars from left to right. */
export const horizontalBars: Readonly<Record<string, Request>> = {
  'horizontal, countries': {
    ...horizontal,
    title: 'Emissions of carbon dioxide in 2024, in million tonnes',
    data: series(countries, [12289, 4904, 3193, 2549, 1935, 961, 481, 470]),
    x_title: 'Country',
    y_title: 'Million tonnes',
  },
  'horizontal, survey': {
    ...horizontal,
    title: 'What do you think?',
    data: series(answers, [34, 28, 19, 12, 7]),
  },
  'horizontal, survey, 300 × 200': {
    ...horizontal,
    title: 'What do you think?',
    width: 300,
    height: 200,
    data: series(answers, [34, 28, 19, 12, 7]),
  },
  'horizontal, paths': {
    ...horizontal,
    title: 'Requests a second',
    data: series(paths, [34, 28, 19, 12, 7, 5, 2]),
  },
  'horizontal, negative': { ...horizontal, title: 'Cash flow by month', data: balance },
  'horizontal, groups': { ...horizontal, title: 'What do you think?', series: shares, theme: 'dark' },
  'horizontal, stacked': { ...horizontal, title: 'What do you think?', series: shares, stacked: true },
  'horizontal, stacked negative': {
    ...horizontal,
    title: 'Cash flow',
    stacked: true,
    series: [
      { name: 'In', data: series(months.slice(0, 4), [12, 9, 15, 11]) },
      { name: 'Out', data: series(months.slice(0, 4), [-8, -10, -4, -12]) },
    ],
  },
  'horizontal, sixty': { ...horizontal, title: 'Sixty categories', data: numbered(60, wave) },
  'horizontal, 1,000': { ...horizontal, title: 'A thousand categories', data: numbered(1000, wave) },
  'horizontal, one': { ...horizontal, title: 'A single bar', data: series(['Only'], [42]) },
  'horizontal, millions': {
    ...horizontal,
    title: 'Population',
    data: series(['Oslo', 'Rome', 'Paris'], [-70903700, 2746984, 2102650]),
    locale: 'de',
  },
  'horizontal, 1600 × 900': {
    ...horizontal,
    title: 'Monthly revenue',
    width: 1600,
    height: 900,
    data: monthly,
  },
  '64 × 40, horizontal': { ...horizontal, width: 64, height: 40, data: balance },
};
