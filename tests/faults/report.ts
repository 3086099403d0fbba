import { table } from '../bench/markdown.ts';
import type { Result } from './scenario.ts';

export function report(results: readonly Result[], isShort: boolean): string {
  const head = ['promise', 'engine', 'workload', 'measured', 'verdict'];
  const rows = results.map((result) => [
    result.promise,
    result.engine === 'none' ? '' : result.engine,
    result.workload,
    result.measured,
    verdict(result, isShort),
  ]);
  return table(head, rows);
}

/** Returns true if a promise is broken, or if a long run, which is for an idle machine, exceeds a budget. */
export function hasFailed({ violations, overBudget }: Result, isShort: boolean): boolean {
  return violations.length > 0 || (!isShort && overBudget.length > 0);
}

function verdict(result: Result, isShort: boolean): string {
  const { violations, overBudget } = result;
  if (hasFailed(result, isShort)) return `**failed: ${summarize([...violations, ...overBudget])}**`;
  return overBudget.length === 0 ? 'passed' : `passed, over budget: ${summarize(overBudget)}`;
}

/** Lists only the first three reasons, because a broken promise is often broken many times in the same way. */
function summarize(reasons: readonly string[]): string {
  const shown = reasons.slice(0, 3).join('; ').replaceAll(/\s+/g, ' ');
  return reasons.length > 3 ? `${shown}; and ${reasons.length - 3} more` : shown;
}
