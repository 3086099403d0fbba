import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsFrom } from '../../../server/src/agents/runtimes/builtin/builtin.ts';
import { chartKindNames, chartsWith } from '../../../server/charts/src/request/chart-kinds.ts';
import { cases, requestOf } from '../../../server/charts/gallery/cases.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

describe.each(chartKindNames)('a %s chart', (kind) => {
  it.each(['README.md', 'openapi/openapi.yaml'])('is named in %s', (file) => {
    expect(textOf(file)).toMatch(new RegExp(`\\b${kind}\\b`));
  });

  it('has cases in the gallery (server/charts/gallery/cases.ts)', () => {
    expect(Object.values(cases).map((request) => requestOf(request).chart_type)).toContain(kind);
  });

  it('is understood by the built-in runtime', () => {
    expect(commandsFrom(`draw a ${kind} chart of my tasks; plot my tasks as a ${kind} chart`)).toEqual([
      { kind: 'chart', type: kind },
      { kind: 'chart', as: kind },
    ]);
  });
});

it('the charts that have an option are named in a sentence', () => {
  expect(chartsWith('series')).toBe('bar charts and line charts');
  expect(chartsWith('donut')).toBe('pie charts');
  expect(chartsWith('orientation')).toBe('bar charts');
  expect(chartsWith('stacked')).toBe('bar charts and line charts with area');
});
