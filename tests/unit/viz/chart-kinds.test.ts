import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsFrom } from '../../../server/src/agents/runtimes/builtin/commands.ts';
import { anyChartKind, chartKindNames, chartsWith } from '../../../server/src/chart-kinds.ts';
import { tools } from '../../../server/src/tools/catalogue.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

describe.each(chartKindNames)('a %s chart', (kind) => {
  it.each(['README.md', 'openapi/openapi.yaml'])('is named in %s', (file) => {
    expect(textOf(file)).toMatch(new RegExp(`\\b${kind}\\b`));
  });

  it('is named in the description of the tool of assistants', () => {
    expect(tools.find(({ name }) => name === 'render_chart')?.description).toContain(kind);
  });

  it('is understood by the built-in runtime', () => {
    expect(commandsFrom(`draw a ${kind} chart of my tasks; plot my tasks as a ${kind} chart`)).toEqual([
      { kind: 'chart', by: 'status', type: kind },
      { kind: 'chart', by: 'status', type: kind },
    ]);
  });
});

describe('the kinds of chart in a sentence', () => {
  it('are listed', () => {
    expect(anyChartKind).toBe('bar, line or pie');
  });

  it('say which of them have an option', () => {
    expect(chartsWith('series')).toBe('bar charts and line charts');
    expect(chartsWith('donut')).toBe('pie charts');
    expect(chartsWith('orientation')).toBe('bar charts');
    expect(chartsWith('stacked')).toBe('bar charts and line charts with area');
  });
});
