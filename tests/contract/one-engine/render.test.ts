import { describe, expect } from 'vitest';
import { chartKinds } from '../../../server/charts/src/svg.ts';
import { elementsOf } from '../../../server/charts/tests/svg.ts';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { formats, pageOf, svgOf, svgTextsOf } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

type Request = Partial<Schemas['ChartRequest']>;

const data = [
  { label: 'Mai', value: 1234.5 },
  { label: 'Juni', value: 987.25 },
];
const times = ['2025-12-30', '2026-01-01', '2026-02-01'].map((label, value) => ({ label, value }));
const loss = [...data, { label: 'Juli', value: -400 }];
const series = [
  { name: 'May', data: [{ label: 'todo', value: 7 }] },
  { name: 'June', data: Object.entries({ todo: 4, done: 15 }).map(([label, value]) => ({ label, value })) },
];

/** For each field of a chart, a chart without the field, and a value for the field that changes the picture. */
const changes: Readonly<{ [Name in keyof Request]-?: readonly [Request, Request[Name]] }> = {
  chart_type: [{ data }, 'line'],
  title: [{ data }, 'Umsatz'],
  subtitle: [{ data }, 'Nur Inland'],
  source: [{ data }, 'Geschäftsbericht'],
  width: [{ data }, 321],
  height: [{ data }, 123],
  scale: [{ data }, 2],
  data: [{}, data],
  series: [{ data: [] }, series],
  labels: [{ data }, ['Juni', 'Mai']],
  stacked: [{ series }, true],
  area: [{ chart_type: 'line', data }, true],
  donut: [{ chart_type: 'pie', data }, true],
  orientation: [{ data }, 'horizontal'],
  colors: [{ data }, ['navy']],
  negative_color: [{ data: loss }, 'navy'],
  x_title: [{ data }, 'Monat'],
  x_type: [{ chart_type: 'line', data: times }, 'category'],
  time_zone: [{ chart_type: 'line', data: times.map(hourly) }, 'Asia/Tokyo'],
  y_title: [{ data }, 'Umsatz in Euro'],
  y_min: [{ data }, -500],
  y_max: [{ data }, 5000],
  y_scale: [{ chart_type: 'line', data }, 'log'],
  axes: [{ data }, 'none'],
  lines: [{ data }, [{ value: 1000, label: 'Ziel' }]],
  locale: [{ data, values: 'always' }, 'de'],
  format: [{ data }, 'percent'],
  currency: [{ data, format: 'currency', currency: 'EUR' }, 'USD'],
  unit: [{ data }, ' ms'],
  decimals: [{ data }, 1],
  values: [{ chart_type: 'line', data, values: 'never' }, 'last'],
  theme: [{ data }, 'dark'],
  background: [{ data }, 'navy'],
};

function hourly({ label, value }: { label: string; value: number }): { label: string; value: number } {
  return { label: `${label}T22:00:00Z`, value };
}

const alice = await sharedServer().as('alice');

// Only SVG is tested, because all formats show one scene. The scale changes only PNG; see render-bytes.test.ts.
describe.each(Object.entries(changes).filter(([name]) => name !== 'scale'))(
  'the field %s',
  (name, [without, value]) => {
    spec('renderSvg', 200, 'changes the picture', async () => {
      const base = { data: [], ...without };

      expect(await svgOf(alice, { ...base, [name]: value })).not.toBe(await svgOf(alice, base));
    });
  },
);

const statuses = Object.entries({ todo: 7, done: 12 }).map(([label, value]) => ({ label, value }));

spec('getVizStatus', 200, 'names the service and its formats', async () => {
  const { body } = await alice.ok('getVizStatus');

  expect(body).toEqual({ status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] });
});

spec('renderSvg', 200, 'draws a bar chart of 800 by 600 pixels when only data is given', async () => {
  const [svg, desc] = elementsOf(await svgOf(alice, { data: statuses }));

  expect(svg?.attributes).toMatchObject({ width: '800', height: '600', 'aria-label': 'Bar chart' });
  expect(desc?.text).toBe('Bar chart. todo: 7; done: 12.');
});

spec('renderSvg', 200, 'draws an empty list as "No data"', async () => {
  expect(await svgTextsOf(alice, { data: [], title: null })).toEqual(['No data']);
});

const options = new Set(Object.values(chartKinds).flatMap((kind) => Object.keys(kind.options)));

describe.each(Object.entries(chartKinds))('a %s chart', (kind, { options: own }) => {
  spec('renderSvg', 400, 'refuses the options of other kinds', async () => {
    const isOwn = new Map(Object.entries(own));
    const others = Object.entries(changes).filter(([name]) => options.has(name) && isOwn.get(name) !== true);
    const body = Object.fromEntries(others.map(([name, [, value]]) => [name, value]));

    const { body: problem } = await alice.fails('renderSvg', 400, { body: { ...body, chart_type: kind } });
    const pointers = problem.errors?.map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(others.map(([name]) => `/${name}`)));
  });
});

const texts = { title: 'Umsatz', ...{ x_title: 'Monat', y_title: 'in Euro', source: 'Bericht' } };
const chart = { data, locale: 'de', format: 'currency', currency: 'EUR', decimals: 2, ...texts } as const;
const words = expect.arrayContaining([...Object.values(texts), 'Mai', '1.234,50 €', '987,25 €']);

spec('renderSvg', 200, 'has the texts of a chart, and its numbers in its language, as text', async () => {
  expect(await svgTextsOf(alice, chart)).toEqual(words);
});

spec('renderPdf', 200, 'has the texts of a chart, and its numbers in its language, as text', async () => {
  expect((await pageOf(alice, chart)).texts).toEqual(words);
});

describe.each(formats)('$operation', ({ operation }) => {
  spec(operation, 200, 'accepts 20,000 points of 52 bytes', async () => {
    const points = Array.from({ length: 2500 }, (_, i) => ({
      label: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString().replace('.000', ''),
      value: 1_000_000.25 + i,
    }));
    const eight = Array.from({ length: 8 }, (_, i) => ({ name: `Sensor ${i}`, data: points }));

    expect(JSON.stringify(points).length).toBe(2500 * 52 + 1);
    await alice.ok(operation, { body: { chart_type: 'line', series: eight } });
  });

  spec(operation, 200, 'accepts the largest numbers, lists and pictures', async () => {
    const points = Array.from({ length: 10_000 }, (_, i) => ({
      label: `${i}`,
      value: i % 2 ? 1e300 : -1e300,
    }));

    await alice.ok(operation, { body: { data: points, width: 4096, height: 16 } });
    await alice.ok(operation, { body: { data: statuses, width: 4096, height: 4096, chart_type: 'pie' } });
  });

  spec(operation, 200, 'ignores unknown fields', async () => {
    await alice.ok(operation, { body: { data: statuses, legend: true } });
  });
});
