import fc from 'fast-check';
import { chartKindNames, chartKinds, type ChartKind } from '../src/request/chart-kinds.ts';
import { chartErrors } from '../src/request/chart-errors.ts';
import { requestOf } from '../gallery/cases.ts';
import type { Request } from '../gallery/charts.ts';
import type { Data } from '../gallery/series.ts';
import { sceneOf } from './layout/shapes.ts';

const options: readonly Request[] = [
  { stacked: true },
  { area: true },
  { donut: true },
  { orientation: 'horizontal' },
];

/** Charts of these kinds, with every valid combination of the options that change their form. */
function formsOf(kinds: readonly ChartKind[]): fc.Arbitrary<Request> {
  const plain = kinds.map((kind): Request => ({ chart_type: kind }));
  const forms = options.reduce(
    (some, option) => [...some, ...some.map((each) => ({ ...each, ...option }))],
    plain,
  );
  return fc.constantFrom(...forms.filter(isValid));
}

/** Charts with axes. */
export const anyAxes = formsOf(chartKindNames.filter((kind) => chartKinds[kind].options.y_min !== undefined));
export const anyLocale = fc.constantFrom('en', 'de', 'fr', 'hi', 'ja', 'ru', 'ar-EG');
/** Sizes in which every text must be legible. */
export const anySize = fc
  .constantFrom([300, 200], [400, 300], [500, 500], [800, 600], [1600, 900] as const)
  .map(([width = 0, height = 0]) => ({ width, height }));
export const measures = {
  width: fc.integer({ min: 300, max: 1600 }),
  height: fc.integer({ min: 200, max: 900 }),
};

const words = 'Customer success of Environmental and Sales North R&D Budget Oslo'.split(' ');
const resource = fc.constantFrom('customers', 'orders', 'invoices', 'payments', 'shipments', 'returns');
const small = fc.integer({ min: 0, max: 99 });

/** Realistic names: words, paths, addresses, identifiers, codes and other scripts. */
export const anyName = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((some) => some.join(' ')),
  fc.tuple(resource, resource, small).map(([a, b, n]) => `/api/v1/${a}/${b}/${n}`),
  fc.tuple(resource, small).map(([a, n]) => `${a}-${n}@example.com`),
  fc.tuple(resource, resource).map(([a, b]) => `find${a}By_${b}`),
  small.map((n) => `2026-01-${n}`),
  fc.constantFrom('x', 'Москва', '广州市天河区珠江新城', 'Größe', 'Internationalization', 'W'.repeat(60)),
);

/** Any text that XML can contain. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.lorem({ maxCount: 8 }),
    fc.constantFrom('', ' ', 'W'.repeat(200), '北京市', '👩‍👩‍👧', 'שלום', 'x'),
  )
  .filter((text) => text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text));
const anyNumber = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
  fc.constantFrom(0, -0, 1e300, -1e300, 5e-324),
);
const [minute, day] = [60_000, 86_400_000];
/** Points at increasing times. */
export const anyTimes = fc
  .record({
    start: fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) }),
    unit: fc.constantFrom(1000, minute, 60 * minute, day, 7 * day, 30 * day, 365 * day),
    gaps: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 59 }),
  })
  .map(({ start, unit, gaps }): Data => {
    let at = Math.floor(start / unit) * unit;
    return gaps.map((gap, i) => {
      at += gap * unit;
      return { label: new Date(at).toISOString(), value: (i * 37) % 101 };
    });
  });

const anyData = fc.array(fc.record({ label: anyText, value: anyNumber }), { maxLength: 40 });

/** Any valid chart, in any size. */
export const anyScene = fc
  .record({
    kind: formsOf(chartKindNames),
    title: fc.option(anyText),
    x_title: fc.option(anyText),
    y_title: fc.option(anyText),
    locale: anyLocale,
    width: fc.integer({ min: 16, max: 4096 }),
    height: fc.integer({ min: 16, max: 4096 }),
    series: fc.array(fc.record({ name: anyText, data: fc.oneof(anyData, anyTimes) }), {
      minLength: 1,
      maxLength: 8,
    }),
    isOne: fc.boolean(),
  })
  .map(({ kind, series, isOne, ...rest }) => {
    const all = series.flatMap(({ data }) => data);
    if (chartKinds[kind.chart_type ?? 'bar'].hasShares)
      return {
        ...rest,
        ...kind,
        data: all.map(({ label, value }) => ({ label, value: Math.abs(value ?? 0) })),
      };
    return isOne && kind.stacked === undefined
      ? { ...rest, ...kind, data: all }
      : { ...rest, ...kind, series };
  })
  .filter(isValid)
  .map(sceneOf);

export function isValid(request: Request): boolean {
  return chartErrors(requestOf(request)).length === 0;
}
