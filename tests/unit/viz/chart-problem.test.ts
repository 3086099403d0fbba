import { chartErrors } from '@worktable/charts/svg';
import { expect, it } from 'vitest';
import { chartProblem } from '../../../server/src/viz/chart-problem.ts';

const pointsOf = (label: string): { label: string; value: number }[] =>
  Array.from({ length: 10_000 }, () => ({ label, value: -1 }));

it('a chart is refused with at most a hundred errors', () => {
  const colors = Array<string>(1000).fill('reddish');
  const { errors, message } = chartProblem(chartErrors({ chart_type: 'pie', data: pointsOf('x'), colors }));

  expect(errors).toHaveLength(100);
  expect(message).toBe(
    'Value of item 1 of data must not be negative in a pie chart. There are 99 more in "errors".',
  );
  expect(chartProblem(chartErrors({ data: pointsOf('\u0001') })).errors).toHaveLength(100);
});
