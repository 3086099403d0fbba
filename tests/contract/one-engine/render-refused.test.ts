import { describe, expect } from 'vitest';
import { formats } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const data = [{ label: 'a', value: 1 }];
const loss = [...data, { label: 'b', value: -1 }];
const pie = { chart_type: 'pie' };
const dates = { name: 'a', data: ['2026-02', '2026-02-30'].map((label) => ({ label, value: 1 })) };
const many = Array.from({ length: 10_001 }, () => ({ label: '', value: 1 }));
/** Eight series with this number of points together. */
const pointsOf = (count: number): { name: string; data: typeof data }[] =>
  Array.from({ length: 8 }, (_, i) => ({
    name: 'a',
    data: many.slice(0, Math.floor(count / 8) + (i < count % 8 ? 1 : 0)),
  }));

/** Requests that the schema allows, each with the pointer of an error. See refused-bodies.test.ts for the schema. */
const wrong: readonly (readonly [what: string, body: object, pointer: string])[] = [
  ['a slice that is null', { ...pie, data: [{ label: 'a', value: null }] }, '/data/0/value'],
  ['a locale that is not well-formed', { data, locale: 'de_DE' }, '/locale'],
  ['both data and series', { data, series: [{ name: 'a', data }] }, '/series'],
  ['neither data nor series', { series: [] }, '/data'],
  ['a label that is not a time', { x_type: 'time', data }, '/data/0/label'],
  ['a label of a series that is not a time', { x_type: 'time', series: [dates] }, '/series/0/data/1/label'],
  ['an order of labels that are not times', { x_type: 'time', labels: ['x'], data: [] }, '/labels/0'],
  ['more than 20,000 points in all', { series: pointsOf(20_001) }, '/series'],
  ['a number beyond 1e300', { data: [{ label: 'a', value: 1.1e300 }] }, '/data/0/value'],
  ['a negative slice', { data: [{ label: 'a', value: -1 }], chart_type: 'pie' }, '/data/0/value'],
  ['amounts without a currency', { data, format: 'currency' }, '/currency'],
  ['a currency that is unknown', { data, format: 'currency', currency: 'ZZZ' }, '/currency'],
  ['a currency without its format', { data, currency: 'EUR' }, '/currency'],
  ['a time zone that is unknown', { data, time_zone: 'Mars/Olympus' }, '/time_zone'],
  ['a colour of losses that is none', { data, negative_color: 'url(x)' }, '/negative_color'],
  ['an axis that ends below its beginning', { data, y_min: 5, y_max: 5 }, '/y_max'],
  ['bars without zero below', { data, y_min: 1 }, '/y_min'],
  ['bars without zero above', { data, y_max: -1 }, '/y_max'],
  ['an area without zero', { data, chart_type: 'line', area: true, y_min: 1 }, '/y_min'],
  ['a logarithmic zero', { data: [{ label: 'a', value: 0 }], y_scale: 'log' }, '/data/0/value'],
  ['a logarithmic loss', { series: [{ name: 'a', data: loss }], y_scale: 'log' }, '/series/0/data/1/value'],
  ['a logarithmic axis from zero', { data, y_scale: 'log', y_min: 0 }, '/y_min'],
  ['logarithmic stacks', { series: [{ name: 'a', data }], stacked: true, y_scale: 'log' }, '/y_scale'],
  ['a logarithmic area', { data, chart_type: 'line', area: true, y_scale: 'log' }, '/y_scale'],
  ['a logarithmic line at zero', { data, y_scale: 'log', lines: [{ value: 0 }] }, '/lines/0/value'],
];

/** Requests with texts that XML cannot represent, each with the pointers of these texts. */
const unrepresentable: readonly (readonly [what: string, body: unknown, pointers: readonly string[]])[] = [
  ...['\u0000', '\u000b', '\u001b', '\ufffe', '\uffff'].map((character) => {
    const body = { title: `a${character}`, data: [{ label: character, value: 1 }] };
    return [JSON.stringify(character), body, ['/title', '/data/0/label']] as const;
  }),
  [
    'captions, titles of axes, a unit and a line',
    {
      ...{ data, x_title: 'a\u0000', y_title: '\u001b', unit: '\u0001', source: '\u0003' },
      lines: [{ value: 1, label: '\u0002' }],
    },
    ['/source', '/x_title', '/y_title', '/unit', '/lines/0/label'],
  ],
  [
    'series',
    { series: [{ name: '\u0000', data: [{ label: '\u0001', value: 1 }] }] },
    ['/series/0/name', '/series/0/data/0/label'],
  ],
  ['half of a surrogate pair', '{"data":[{"label":"\\ud800","value":1}]}', ['/data/0/label']],
];

const alice = await sharedServer().as('alice');

spec('renderPng', 400, 'is refused above 4096 pixels a side, unlike other formats', async () => {
  const body = { data, width: 1366, scale: 3 };

  expect((await alice.fails('renderPng', 400, { body })).body.errors?.[0]?.pointer).toBe('/scale');
  expect((await alice.send('renderPdf', { body })).status).toBe(200);
});

// Only SVG is tested, because the other formats have the same schema and checks.
describe.each(wrong)('with %s', (_what, body, pointer) => {
  spec('renderSvg', 400, `is refused at ${pointer}`, async () => {
    const { body: problem } = await alice.fails('renderSvg', 400, { body });

    expect(problem.code).toBe('VALIDATION_ERROR');
    expect(problem.errors?.map((each) => each.pointer)).toContain(pointer);
  });
});

describe.each(formats)('$operation', ({ operation }) => {
  describe.each(unrepresentable)('with %s in its texts', (_what, body, pointers) => {
    spec(operation, 400, 'is refused because XML cannot represent them, with their pointers', async () => {
      const { body: problem } = await alice.fails(operation, 400, { body });

      expect(problem).toMatchObject({ code: 'SVG_PARSE_ERROR', error: 'SVG_PARSE_ERROR' });
      expect(problem.errors?.map((each) => each.pointer)).toEqual(pointers);
    });
  });
});

spec('renderSvg', 400, 'refuses a number that JSON reads as infinite', async () => {
  for (const body of [
    '{"data":[{"label":"a","value":1e999}]}',
    '{"data":[{"label":"a","value":1}],"y_max":1e999}',
    '{"data":[{"label":"a","value":1}],"lines":[{"value":-1e999}]}',
  ])
    expect((await alice.fails('renderSvg', 400, { body })).body.code).toBe('VALIDATION_ERROR');
});

spec('renderSvg', 400, 'lists every wrong field that no schema can find', async () => {
  const body = { data, colors: ['red', 'url(https://example.com)'], background: 'reddish', locale: 'zz' };

  const { body: problem } = await alice.fails('renderSvg', 400, { body });
  expect(problem.errors?.map(({ pointer, code }) => [pointer, code]).sort()).toEqual([
    ['/background', 'malformed'],
    ['/colors/1', 'malformed'],
    ['/locale', 'malformed'],
  ]);
});
