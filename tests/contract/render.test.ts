import { PNG } from 'pngjs';
import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { cases } from '../gallery/cases.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { elementsOf } from '../unit/viz/svg.ts';

const data = [
  { label: 'todo', value: 7 },
  { label: 'done', value: 12 },
];

const alice = await sharedServer().as('alice');

spec('getVizStatus', 200, 'names the service and its formats', async () => {
  const { body } = await alice.ok('getVizStatus');

  expect(body).toEqual({ status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] });
});

spec('renderSvg', 200, 'draws a bar chart of 800 by 600 pixels when only data is given', async () => {
  const { body } = await alice.ok('renderSvg', { body: { data } });

  const [svg, desc] = elementsOf(body.svg);
  expect(svg?.attributes).toMatchObject({ width: '800', height: '600', 'aria-label': 'Bar chart' });
  expect(desc?.text).toBe('Bar chart. todo: 7; done: 12.');
});

spec('renderPng', 200, 'draws a picture of the requested size', async () => {
  const { body } = await alice.ok('renderPng', {
    body: { data, width: 321, height: 123, chart_type: 'line' },
  });

  const { width, height } = PNG.sync.read(Buffer.from(body.png_base64, 'base64'));
  expect([width, height]).toEqual([321, 123]);
});

spec('renderPdf', 200, 'draws a page with the words as text', async () => {
  const { body } = await alice.ok('renderPdf', { body: { data, title: 'Tasks', chart_type: 'pie' } });

  const { pages, texts } = await factsOf(Buffer.from(body.pdf_base64, 'base64'));
  expect(pages).toBe(1);
  expect(texts).toEqual(expect.arrayContaining(['Tasks', 'todo', '37%', 'done', '63%']));
});

describe('an empty list', () => {
  const body = { data: [], title: null };

  spec('renderSvg', 200, 'is drawn as "No data"', async () => {
    const { svg } = (await alice.ok('renderSvg', { body })).body;

    const words = elementsOf(svg).filter(({ name }) => name === 'text');
    expect(words.map(({ text }) => text)).toEqual(['No data']);
  });

  spec('renderPdf', 200, 'is drawn as "No data"', async () => {
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body })).body;

    expect((await factsOf(Buffer.from(pdf, 'base64'))).texts).toEqual(['No data']);
  });

  spec('renderPng', 200, 'is drawn as words in the middle of the picture', async () => {
    const { png_base64: png } = (await alice.ok('renderPng', { body })).body;

    const { data: pixels, width, height } = PNG.sync.read(Buffer.from(png, 'base64'));
    const rows = Array.from({ length: height }, (_, y) =>
      pixels.subarray(y * width * 4, (y + 1) * width * 4),
    );
    const inked = rows.flatMap((row, y) => (row.some((value) => value < 200) ? [y] : []));
    expect(inked.length).toBeGreaterThan(5);
    expect(inked.every((y) => Math.abs(y - height / 2) < 20)).toBe(true);
  });
});

describe.each(['renderSvg', 'renderPng', 'renderPdf'] as const)('%s', (operation) => {
  spec(operation, 200, 'returns the same bytes for the same request', async () => {
    const body = cases['pie, sources'];

    expect((await alice.ok(operation, { body })).body).toEqual((await alice.ok(operation, { body })).body);
  });

  spec(operation, 200, 'accepts the largest numbers, lists and pictures', async () => {
    const points = Array.from({ length: 10_000 }, (_, i) => ({
      label: `${i}`,
      value: i % 2 ? 1e308 : -1e308,
    }));

    await alice.ok(operation, { body: { data: points, width: 4096, height: 16 } });
    await alice.ok(operation, { body: { data, width: 4096, height: 4096, chart_type: 'pie' } });
  });

  spec(operation, 200, 'ignores unknown fields', async () => {
    await alice.ok(operation, { body: { data, legend: true } });
  });
});
