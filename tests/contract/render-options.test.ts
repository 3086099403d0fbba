import { describe, expect } from 'vitest';
import { formats, pageOf, pixelsOf, pngOf, svgOf, svgTextsOf } from '../support/charts.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

const data = [
  { label: 'Mai', value: 1234.5 },
  { label: 'Juni', value: 987.25 },
];
const captions = { subtitle: 'Nur Inland', source: 'Quelle: Geschäftsbericht' };
const axes = { data, x_title: 'Monat', y_title: 'Umsatz in Euro', locale: 'de', ...captions };
const titles = ['Monat', 'Umsatz in Euro', ...Object.values(captions)];
const parts = [{ x_title: 'Monat' }, { locale: 'de' }, captions, {}];
const times = ['2025-12-30', '2026-01-01', '2026-02-01'].map((label, value) => ({ label, value }));
const overTimes = { data: times, chart_type: 'line', locale: 'de' };
const euro = { format: 'currency', currency: 'EUR', locale: 'de', decimals: 2 };

const alice = await sharedServer().as('alice');

/** Charts, the words that they contain, and charts with fewer options, whose pictures must differ. */
const charts: readonly (readonly [what: string, body: object, words: string[], others: object[]])[] = [
  [
    'titles and captions, and bars with the numbers of the language',
    axes,
    [...titles, '1.235'],
    parts.map((part) => ({ data, ...part })),
  ],
  [
    'titles and captions, and a line with the numbers of the language',
    { ...axes, chart_type: 'line' },
    [...titles, '1.200'],
    parts.map((part) => ({ data, chart_type: 'line', ...part })),
  ],
  [
    'a line over times, with Mondays and their month in the language',
    overTimes,
    ['5', 'Jan. 2026', '12'],
    [{ ...overTimes, x_type: 'category' }],
  ],
  ['amounts', { data, ...euro }, ['1.234,50 €', '987,25 €'], [{ data }]],
  ['percentages', { data, format: 'percent' }, ['123,450%', '98,725%'], [{ data }]],
  ['compact numbers', { data, format: 'compact' }, ['1.23k', '0.99k'], [{ data }]],
  ['a plan', { series: [{ name: 'P', data, muted: true }] }, ['P'], [{ series: [{ name: 'P', data }] }]],
  ['a unit and decimals', { data, unit: ' ms', decimals: 1 }, ['1,234.5 ms', '987.3 ms'], [{ data }]],
];

describe.each(charts)('a chart that has %s', (_what, body, words, others) => {
  spec('renderSvg', 200, 'has them as text', async () => {
    expect(await svgTextsOf(alice, body)).toEqual(expect.arrayContaining(words));
  });

  spec('renderPdf', 200, 'has them as text', async () => {
    expect((await pageOf(alice, body)).texts).toEqual(expect.arrayContaining(words));
  });

  spec('renderPng', 200, 'is another picture with only some of them', async () => {
    const pictures = await Promise.all([body, ...others].map((each) => pngOf(alice, each)));

    expect(new Set(pictures.map(String)).size).toBe(1 + others.length);
  });
});

describe.each([
  ['points', { chart_type: 'line', data }, '1,235'],
  ['stacks', { stacked: true, series: ['a', 'b'].map((name) => ({ name, data })) }, '2,469'],
  ['slices', { chart_type: 'pie', data }, '1,235 (56%)'],
])('the values of %s', (_what, chart, word) => {
  spec('renderSvg', 200, 'are written where the request says so', async () => {
    const hasValue = async (values: string): Promise<boolean> =>
      (await svgTextsOf(alice, { ...chart, values })).includes(word);

    expect(await Promise.all(['always', 'auto', 'never'].map(hasValue))).toEqual([true, false, false]);
  });

  spec('renderPdf', 200, 'are written where the request says so', async () => {
    expect((await pageOf(alice, { ...chart, values: 'always' })).texts).toContain(word);
  });
});

spec('renderSvg', 200, 'ignores subtags of a locale that change no number', async () => {
  const locales = ['de-AT', 'DE-at-x-one', 'de-AT-u-ca-buddhist-x-two'];

  const pictures = await Promise.all(locales.map((locale) => svgOf(alice, { data, locale })));

  expect(new Set(pictures).size).toBe(1);
});

const series = [
  { name: 'May', data: [{ label: 'todo', value: 7 }] },
  { name: 'June', data: Object.entries({ todo: 4, done: 15 }).map(([label, value]) => ({ label, value })) },
];

describe.each([
  ['side by side', {}],
  ['stacked', { stacked: true }],
  ['from left to right', { orientation: 'horizontal' }],
  ['stacked from left to right', { orientation: 'horizontal', stacked: true }],
  ['as lines', { chart_type: 'line' }],
  ['as areas', { chart_type: 'line', area: true }],
  ['as stacked areas', { chart_type: 'line', area: true, stacked: true }],
  ['with an empty data', { data: [] }],
])('several series, %s', (_name, options) => {
  const body = { series, ...options };
  const words = expect.arrayContaining(['May', 'June', 'todo', 'done']);

  spec('renderSvg', 200, 'have a legend and the labels of all', async () => {
    expect(await svgTextsOf(alice, body)).toEqual(words);
  });

  spec('renderPng', 200, 'have the colours of both series', async () => {
    const pixels = (await pixelsOf(alice, body)).data;

    for (const color of ['335da0ff', 'bd892bff']) expect(pixels.includes(color, 0, 'hex')).toBe(true);
  });

  spec('renderPdf', 200, 'have a legend and the labels of all', async () => {
    expect((await pageOf(alice, body)).texts).toEqual(words);
  });
});

describe.each(formats)('$operation', ({ operation }) => {
  spec(operation, 200, 'accepts eight series of a thousand points', async () => {
    const points = Array.from({ length: 1000 }, (_, i) => ({ label: `${i}`, value: i % 7 ? 1e308 : -1e308 }));
    const eight = Array.from({ length: 8 }, (_, i) => ({ name: `${i}`, data: points }));

    for (const chart_type of ['bar', 'line'])
      await alice.ok(operation, { body: { chart_type, series: eight } });
  });

  spec(operation, 200, 'accepts 20,000 points of 52 bytes', async () => {
    const points = Array.from({ length: 2500 }, (_, i) => ({
      label: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString().replace('.000', ''),
      value: 1_000_000.25 + i,
    }));
    const eight = Array.from({ length: 8 }, (_, i) => ({ name: `Sensor ${i}`, data: points }));

    expect(JSON.stringify(points).length).toBe(2500 * 52 + 1);
    await alice.ok(operation, { body: { chart_type: 'line', series: eight } });
  });
});
