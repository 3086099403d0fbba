import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

const data = [{ label: 'a', value: 1 }];
const loss = [...data, { label: 'b', value: -1 }];

const alice = await sharedServer().as('alice');

describe.each(['renderSvg', 'renderPng', 'renderPdf'] as const)('%s', (operation) => {
  describe.each([
    ['a format that is unknown', { data, format: 'roman' }, '/format'],
    ['amounts without a currency', { data, format: 'currency' }, '/currency'],
    ['a currency that is unknown', { data, format: 'currency', currency: 'ZZZ' }, '/currency'],
    ['a currency that is no code', { data, format: 'currency', currency: 'euro' }, '/currency'],
    ['a currency without its format', { data, currency: 'EUR' }, '/currency'],
    ['a unit above 20 characters', { data, unit: 'a'.repeat(21) }, '/unit'],
    ['more than ten decimals', { data, decimals: 11 }, '/decimals'],
    ['a choice of values that is unknown', { data, values: 'some' }, '/values'],
    ['an axis that ends below its beginning', { data, y_min: 5, y_max: 5 }, '/y_max'],
    ['bars without zero below', { data, y_min: 1 }, '/y_min'],
    ['bars without zero above', { data, y_max: -1 }, '/y_max'],
    ['an area without zero', { data, chart_type: 'line', area: true, y_min: 1 }, '/y_min'],
    ['limits of a pie', { data, chart_type: 'pie', y_min: 0 }, '/y_min'],
    ['a logarithmic pie', { data, chart_type: 'pie', y_scale: 'log' }, '/y_scale'],
    ['a logarithmic zero', { data: [{ label: 'a', value: 0 }], y_scale: 'log' }, '/data/0/value'],
    ['a logarithmic loss', { series: [{ name: 'a', data: loss }], y_scale: 'log' }, '/series/0/data/1/value'],
    ['a logarithmic axis from zero', { data, y_scale: 'log', y_min: 0 }, '/y_min'],
    ['logarithmic stacks', { series: [{ name: 'a', data }], stacked: true, y_scale: 'log' }, '/y_scale'],
    ['a logarithmic area', { data, chart_type: 'line', area: true, y_scale: 'log' }, '/y_scale'],
    ['six reference lines', { data, lines: Array(6).fill({ value: 1 }) }, '/lines'],
    ['a reference line without a value', { data, lines: [{ label: 'a' }] }, '/lines/0/value'],
    ['a reference line of a pie', { data, chart_type: 'pie', lines: [{ value: 1 }] }, '/lines'],
    ['a logarithmic line at zero', { data, y_scale: 'log', lines: [{ value: 0 }] }, '/lines/0/value'],
  ])('with %s', (_what, body, pointer) => {
    spec(operation, 400, 'is refused with its pointer', async () => {
      const { body: problem } = await alice.fails(operation, 400, { body });

      expect(problem.code).toBe('VALIDATION_ERROR');
      expect(problem.errors?.map((each) => each.pointer)).toContain(pointer);
    });
  });
});
