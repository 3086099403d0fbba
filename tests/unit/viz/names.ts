import fc from 'fast-check';

const words = [
  'Customer',
  'success',
  'of',
  'Environmental',
  'and',
  'Sales',
  'North',
  'R&D',
  'Budget',
  'Oslo',
];
const resources = ['customers', 'orders', 'invoices', 'payments', 'shipments', 'returns', 'products'];
const small = fc.integer({ min: 0, max: 99 });

/** Names as people give them: words, paths, addresses, identifiers, codes and other scripts. */
export const anyName = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((some) => some.join(' ')),
  fc
    .tuple(fc.constantFrom(...resources), fc.constantFrom(...resources), small)
    .map(([a, b, n]) => `/api/v1/${a}/${b}/${n}`),
  fc.tuple(fc.constantFrom(...resources), small).map(([a, n]) => `${a}-${n}@example.com`),
  fc.tuple(fc.constantFrom(...resources), fc.constantFrom(...resources)).map(([a, b]) => `find${a}By_${b}`),
  small.map((n) => `2026-01-${n}`),
  fc.constantFrom('x', 'Москва', '广州市天河区珠江新城', 'Größe', 'Internationalization', 'W'.repeat(60)),
);
