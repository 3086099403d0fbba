import { numbered, series } from './series.ts';

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const monthly = series(
  months,
  [1200, 2062, 2924, 3786, 4648, 5510, 6372, 1631, 2493, 3355, 4217, 5079],
);
export const sources = series(
  ['Search', 'Direct', 'Email', 'Social', 'Affiliate', 'Referral', 'Video', 'Display'],
  [1048, 335, 310, 251, 234, 147, 135, 102],
);
export const balance = series(months, [12, -4, 7.5, -9, 3, 15, -2, 0, 6, -12, 8, 10]);
export const market = numbered(16, (i) => Math.round(300 / (i + 1) ** 1.4 + 1));
