import type { Schemas } from '../../server/src/operation.ts';
import { balance, monthly, months } from './data.ts';
import { series } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

const shares = series(['2022', '2023', '2024', '2025', '2026'], [0.18, 0.221, 0.257, 0.31, 0.342]);

/** Charts whose values are written, limited or compared. */
export const valueCases: Readonly<Record<string, Request>> = {
  'values, euros': { title: 'Umsatz', data: monthly, format: 'currency', currency: 'EUR', locale: 'de' },
  'values, millions of dollars': {
    title: 'Revenue',
    data: series(months, [1.2e6, 1.5e6, 1.35e6, 1.8e6, 2.1e6, 2.4e6, 2e6, 2.2e6, 2.6e6, 2.9e6, 3.1e6, 3.4e6]),
    format: 'currency',
    currency: 'USD',
  },
  'values, percent': { title: 'Share of renewable energy', data: shares, format: 'percent' },
  'values, unit': { title: 'Temperature', chart_type: 'line', data: balance, unit: ' °C' },
};
