import { beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

const data = [{ label: 'a', value: 1 }];
const many = Array.from({ length: 10_001 }, () => ({ label: '', value: 1 }));
let alice: Client;

beforeAll(async () => {
  const server = await startTestServer();
  alice = await server.as('alice');
});

spec('getVizStatus', 400, 'refuses a query parameter', async () => {
  expect((await alice.fails('getVizStatus', 400, { query: 'verbose=1' })).body.code).toBe('VALIDATION_ERROR');
});

describe.each(['renderSvg', 'renderPng', 'renderPdf'] as const)('%s', (operation) => {
  describe.each([
    ['no data', {}, '/data'],
    ['data that is not a list', { data: 'a' }, '/data'],
    ['more than 10,000 points', { data: many }, '/data'],
    ['a point without a label', { data: [{ value: 1 }] }, '/data/0/label'],
    ['a point without a value', { data: [{ label: 'a' }] }, '/data/0/value'],
    ['a value that is text', { data: [{ label: 'a', value: '1' }] }, '/data/0/value'],
    ['a value that is null', { data: [{ label: 'a', value: null }] }, '/data/0/value'],
    ['a label above 500 characters', { data: [{ label: 'a'.repeat(501), value: 1 }] }, '/data/0/label'],
    ['an unknown kind of chart', { data, chart_type: 'donut' }, '/chart_type'],
    ['a title above 500 characters', { data, title: 'a'.repeat(501) }, '/title'],
    ['a width below 16', { data, width: 15 }, '/width'],
    ['a height above 4096', { data, height: 4097 }, '/height'],
    ['a width that is not whole', { data, width: 100.5 }, '/width'],
    ['an invalid colour', { data, colors: ['red', 'url(https://example.com)'] }, '/colors/1'],
    ['a negative slice', { data: [{ label: 'a', value: -1 }], chart_type: 'pie' }, '/data/0/value'],
  ])('with %s', (_what, body, pointer) => {
    spec(operation, 400, 'is refused with its pointer', async () => {
      const { body: problem } = await alice.fails(operation, 400, { body });

      expect(problem.code).toBe('VALIDATION_ERROR');
      expect(problem.errors?.map((each) => each.pointer)).toContain(pointer);
    });
  });

  describe.each(['\u0000', '\u001b', '\ufffe'])('with %j in a text', (character) => {
    spec(operation, 400, 'is refused because XML cannot represent it', async () => {
      const body = { title: `a${character}`, data: [{ label: character, value: 1 }] };

      const { body: problem } = await alice.fails(operation, 400, { body });
      expect(problem).toMatchObject({ code: 'SVG_PARSE_ERROR', error: 'SVG_PARSE_ERROR' });
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/data/0/label']);
    });
  });

  spec(operation, 400, 'refuses half of a surrogate pair', async () => {
    const body = '{"data":[{"label":"\\ud800","value":1}]}';

    expect((await alice.fails(operation, 400, { body })).body.code).toBe('SVG_PARSE_ERROR');
  });

  spec(operation, 400, 'refuses a number that JSON reads as infinite', async () => {
    const body = '{"data":[{"label":"a","value":1e999}]}';

    expect((await alice.fails(operation, 400, { body })).body.code).toBe('VALIDATION_ERROR');
  });

  spec(operation, 413, 'refuses a body above 1 MiB', async () => {
    const body = { title: 'x', data: [{ label: 'a'.repeat(1024 * 1024), value: 1 }] };

    expect((await alice.fails(operation, 413, { body })).body.code).toBe('Payload too large');
  });

  spec(operation, 415, 'refuses a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/csv' };

    expect((await alice.fails(operation, 415, { body: 'a,1', headers })).body.code).toBe(
      'Unsupported media type',
    );
  });
});
