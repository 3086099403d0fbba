import { bar, pie, size, type Cases, type Request } from './charts.ts';
import { series } from './series.ts';

const routes = series(
  ['orders', 'invoices', 'payments', 'shipments', 'returns', 'products', 'users'].map(
    (name) => `/api/v1/customers/${name}`,
  ),
  [120, 96, 80, 61, 44, 23, 9],
);
const answers = series(
  [
    'I found another product that does what I need at a lower price',
    'The product was too difficult to use for my whole team',
    'My company closed or stopped the project',
    'Something else entirely, please tell us what',
  ],
  [41, 27, 18, 9],
);
const parties = series(
  [
    'Christian Democratic Union',
    'Social Democratic Party of Germany',
    'Alternative for Germany',
    'Alliance 90/The Greens',
    'The Left',
    'Free Democratic Party',
    'Sahra Wagenknecht Alliance',
    'Free Voters',
    'Human Environment Animal Protection Party',
    'Volt Germany',
    'Die PARTEI',
    'Ecological Democratic Party',
    'Pirate Party',
    'Grassroots Democratic Party',
  ],
  [28.5, 16.4, 20.8, 11.6, 8.8, 4.3, 4.98, 1.5, 1, 0.7, 0.5, 0.2, 0.1, 0.2],
);
const sizes = [
  [300, 200],
  [400, 300],
  [500, 500],
  [800, 600],
] as const;

/** Long names, and names that differ only at their ends. */
export const names: Cases = Object.fromEntries(
  sizes.flatMap(([width, height]): [string, Request][] => [
    [`names, routes, ${width} × ${height}`, bar('Requests by route', routes, size(width, height))],
    [`names, answers, ${width} × ${height}`, bar('Why did you leave?', answers, size(width, height))],
    [`names, parties, ${width} × ${height}`, pie('Votes by party', parties, size(width, height))],
  ]),
);
