import { describe, expect } from 'vitest';
import { cases } from '../../server/charts/gallery/cases.ts';
import { formats, pageOf, pixelsOf, svgOf, svgTextsOf } from '../support/charts.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { elementsOf } from '../../server/charts/tests/svg.ts';

const data = Object.entries({ todo: 7, done: 12 }).map(([label, value]) => ({ label, value }));

const alice = await sharedServer().as('alice');

spec('getVizStatus', 200, 'names the service and its formats', async () => {
  const { body } = await alice.ok('getVizStatus');

  expect(body).toEqual({ status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] });
});

spec('renderSvg', 200, 'draws a bar chart of 800 by 600 pixels when only data is given', async () => {
  const [svg, desc] = elementsOf(await svgOf(alice, { data }));

  expect(svg?.attributes).toMatchObject({ width: '800', height: '600', 'aria-label': 'Bar chart' });
  expect(desc?.text).toBe('Bar chart. todo: 7; done: 12.');
});

spec('renderPng', 200, 'draws a picture of the requested size', async () => {
  const size = { width: 321, height: 123 };

  expect(await pixelsOf(alice, { data, ...size, chart_type: 'line' })).toMatchObject(size);
});

spec('renderPdf', 200, 'draws a page with the words as text', async () => {
  const { pages, texts } = await pageOf(alice, { data, title: 'Tasks', chart_type: 'pie' });

  expect(pages).toBe(1);
  expect(texts).toEqual(expect.arrayContaining(['Tasks', 'todo', '37%', 'done', '63%']));
});

describe('an empty list', () => {
  const body = { data: [], title: null };

  spec('renderSvg', 200, 'is drawn as "No data"', async () => {
    expect(await svgTextsOf(alice, body)).toEqual(['No data']);
  });

  spec('renderPdf', 200, 'is drawn as "No data"', async () => {
    expect((await pageOf(alice, body)).texts).toEqual(['No data']);
  });

  spec('renderPng', 200, 'is drawn as words in the middle of the picture', async () => {
    const { data: pixels, width, height } = await pixelsOf(alice, body);

    const isInked = (y: number): boolean =>
      pixels.subarray(y * width * 4, (y + 1) * width * 4).some((value) => value < 200);
    const inked = Array.from({ length: height }, (_, y) => y).filter(isInked);
    expect(inked.length).toBeGreaterThan(5);
    expect(inked.every((y) => Math.abs(y - height / 2) < 20)).toBe(true);
  });
});

describe.each(formats)('$operation', ({ operation }) => {
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
