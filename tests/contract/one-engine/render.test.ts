import { describe, expect } from 'vitest';
import { formats, svgOf, svgTextsOf } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { elementsOf } from '../../../server/charts/tests/svg.ts';

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

spec('renderSvg', 200, 'draws an empty list as "No data"', async () => {
  expect(await svgTextsOf(alice, { data: [], title: null })).toEqual(['No data']);
});

describe.each(formats)('$operation', ({ operation }) => {
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
