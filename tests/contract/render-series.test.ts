import { PNG } from 'pngjs';
import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { elementsOf } from '../unit/viz/svg.ts';

const series = [
  { name: 'May', data: [{ label: 'todo', value: 7 }] },
  {
    name: 'June',
    data: [
      { label: 'todo', value: 4 },
      { label: 'done', value: 15 },
    ],
  },
];
const words = ['May', 'June', 'todo', 'done'];

const alice = await sharedServer().as('alice');

describe.each([
  ['side by side', {}],
  ['stacked', { stacked: true }],
  ['from left to right', { orientation: 'horizontal' }],
  ['stacked from left to right', { orientation: 'horizontal', stacked: true }],
  ['as lines', { chart_type: 'line' }],
  ['as areas', { chart_type: 'line', area: true }],
  ['as stacked areas', { chart_type: 'line', area: true, stacked: true }],
  ['with an empty data', { data: [] }],
])('several series, %s', (_name, fields) => {
  const body = { series, ...fields };

  spec('renderSvg', 200, 'have a legend and the labels of all', async () => {
    const { svg } = (await alice.ok('renderSvg', { body })).body;

    expect(elementsOf(svg).map(({ text }) => text)).toEqual(expect.arrayContaining(words));
  });

  spec('renderPng', 200, 'have the colours of both series', async () => {
    const { png_base64: base64 } = (await alice.ok('renderPng', { body })).body;

    const { data } = PNG.sync.read(Buffer.from(base64, 'base64'));
    expect([data.includes('2f6fc4ff', 0, 'hex'), data.includes('c67f26ff', 0, 'hex')]).toEqual([true, true]);
  });

  spec('renderPdf', 200, 'have a legend and the labels of all', async () => {
    const { pdf_base64: base64 } = (await alice.ok('renderPdf', { body })).body;

    const { texts } = await factsOf(Buffer.from(base64, 'base64'));
    expect(texts).toEqual(expect.arrayContaining(words));
  });
});

describe.each(['renderSvg', 'renderPng', 'renderPdf'] as const)('%s', (operation) => {
  spec(operation, 200, 'accepts eight series of a thousand points', async () => {
    const data = Array.from({ length: 1000 }, (_, i) => ({ label: `${i}`, value: i % 7 ? 1e308 : -1e308 }));
    const eight = Array.from({ length: 8 }, (_, i) => ({ name: `${i}`, data }));

    for (const chart_type of ['bar', 'line'])
      await alice.ok(operation, { body: { chart_type, series: eight } });
  });

  spec(operation, 200, 'accepts 20,000 points of 52 bytes', async () => {
    const start = Date.UTC(2026, 0, 1);
    const data = Array.from({ length: 2500 }, (_, i) => ({
      label: new Date(start + i * 60_000).toISOString().replace('.000', ''),
      value: 1_000_000.25 + i,
    }));
    const eight = Array.from({ length: 8 }, (_, i) => ({ name: `Sensor ${i}`, data }));

    expect(JSON.stringify(data).length).toBe(2500 * 52 + 1);
    await alice.ok(operation, { body: { chart_type: 'line', series: eight } });
  });
});
