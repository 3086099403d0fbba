import { dark, horizontal, size, stacked, type Cases } from './charts.ts';
import { balance, numbered, series, wave } from './series.ts';

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

/** Bars from left to right. */
export const horizontalBars: Cases = {
  'horizontal, survey, 300 × 200': horizontal(question, survey, size(300, 200)),
  'horizontal, negative': horizontal('Cash flow by month', balance),
  'horizontal, groups': horizontal(question, shares, dark),
  'horizontal, stacked': horizontal(question, shares, stacked),
  'horizontal, 1,000': horizontal('A thousand categories', numbered(1000, wave)),
  '64 × 40, horizontal': horizontal(undefined, balance, size(64, 40)),
};
