import { describe, expect, it } from 'vitest';
import { commandsFrom } from '../../../server/src/agents/runtimes/builtin/builtin.ts';
import { chartKindNames, chartsWith } from '../../../server/charts/src/request/chart-kinds.ts';

describe.each(chartKindNames)('a %s chart', (kind) => {
  it('is understood by the built-in runtime', () => {
    expect(commandsFrom(`draw a ${kind} chart of my tasks; plot my tasks as a ${kind} chart`)).toEqual([
      { kind: 'chart', type: kind },
      { kind: 'chart', as: kind },
    ]);
  });
});

it('the charts that have an option are named in a sentence', () => {
  expect(chartsWith('donut')).toBe('pie charts');
  expect(chartsWith('orientation')).toBe('bar charts');
  expect(chartsWith('stacked')).toMatch(/^bar charts(,| and) line charts with area\b/);
});
