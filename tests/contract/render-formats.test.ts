import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { elementsOf } from '../unit/viz/svg.ts';

const data = [
  { label: 'Mai', value: 1234.5 },
  { label: 'Juni', value: 987.25 },
];

const alice = await sharedServer().as('alice');

describe.each([
  [
    'an amount',
    { format: 'currency', currency: 'EUR', locale: 'de', decimals: 2 },
    ['1.234,50 €', '987,25 €'],
  ],
  ['a percentage', { format: 'percent' }, ['123,450%', '98,725%']],
  ['a compact number', { format: 'compact' }, ['1.23k', '0.99k']],
  ['a number with a unit', { unit: ' ms', decimals: 1 }, ['1,234.5 ms', '987.3 ms']],
] as const)('%s', (_what, fields, words) => {
  const body = { data, ...fields };

  spec('renderSvg', 200, 'is written on bars and in the description', async () => {
    const { svg } = (await alice.ok('renderSvg', { body })).body;

    expect(elementsOf(svg).map(({ text }) => text)).toEqual(expect.arrayContaining([...words]));
  });

  spec('renderPdf', 200, 'is written on bars', async () => {
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body })).body;

    expect((await factsOf(Buffer.from(pdf, 'base64'))).texts).toEqual(expect.arrayContaining([...words]));
  });

  spec('renderPng', 200, 'makes another picture than without it', async () => {
    const [formatted, plain] = await Promise.all(
      [body, { data }].map(async (each) => (await alice.ok('renderPng', { body: each })).body.png_base64),
    );

    expect(formatted).not.toBe(plain);
  });
});

describe.each([
  ['points', { chart_type: 'line', data }, '1,235'],
  [
    'stacks',
    {
      stacked: true,
      series: [
        { name: 'a', data },
        { name: 'b', data },
      ],
    },
    '2,469',
  ],
  ['slices', { chart_type: 'pie', data }, '1,235 (56%)'],
] as const)('the values of %s', (_what, fields, word) => {
  spec('renderSvg', 200, 'are written where the request says so', async () => {
    const texts = await Promise.all(
      (['always', 'auto', 'never'] as const).map(async (values) => {
        const { svg } = (await alice.ok('renderSvg', { body: { ...fields, values } })).body;
        return elementsOf(svg).some(({ name, text }) => name === 'text' && text === word);
      }),
    );

    expect(texts).toEqual([true, false, false]);
  });

  spec('renderPdf', 200, 'are written where the request says so', async () => {
    const body = { ...fields, values: 'always' };
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body })).body;

    expect((await factsOf(Buffer.from(pdf, 'base64'))).texts).toContain(word);
  });
});

spec('renderSvg', 200, 'ignores subtags of a locale that change no number', async () => {
  const [plain, ...others] = await Promise.all(
    ['de-AT', 'DE-at-x-one', 'de-AT-u-ca-buddhist-x-two'].map(
      async (locale) => (await alice.ok('renderSvg', { body: { data, locale } })).body.svg,
    ),
  );

  expect(others).toEqual([plain, plain]);
});
