import { chartKindNames, chartKinds, type ChartKind } from '@worktable/charts/svg';
import type { Schemas } from '../../../contract/operation.ts';
import { call, type Parts, type Plan } from './plan.ts';

type Task = Schemas['Task'];

/** The words for charts, and what they set in a chart. */
const looks = new Map<string, { chart_type: ChartKind; orientation?: 'horizontal'; donut?: true }>([
  ...chartKindNames.map((name) => [name, { chart_type: name }] as const),
  ['horizontal bar', { chart_type: 'bar', orientation: 'horizontal' }],
  ['donut', { chart_type: 'pie', donut: true }],
  ['doughnut', { chart_type: 'pie', donut: true }],
]);
export const chartWords = [...looks.keys()].join('|');

export function* drawChart({ by: key = 'status', type: word = 'bar', as = word }: Parts): Plan {
  const by = key.toLowerCase();
  const look = looks.get(as.toLowerCase()) ?? { chart_type: 'bar' };
  const { chart_type: type, orientation, donut } = look;
  const { tasks, count } = yield* call('list_tasks', { limit: 1000 });
  const hasEmpty = by === 'month' && chartKinds[type].options.x_type !== undefined;
  const counts = new Map<string, number>(hasEmpty ? monthsOf(tasks).map((month) => [month, 0]) : []);
  for (const label of tasks.map(labelsBy.get(by) ?? statusLabel))
    counts.set(label, (counts.get(label) ?? 0) + 1);
  const data = [...counts]
    .sort(([a], [b]) => known.indexOf(b) - known.indexOf(a) || (a < b ? -1 : 1))
    .map(([label, value]) => ({ label, value }));
  const height = orientation === 'horizontal' ? Math.min(110 + 34 * data.length, 4096) : 450;
  yield* call('render_chart', { ...look, title: `Tasks by ${by}`, height, data });
  const share = count > tasks.length ? `the newest ${tasks.length} of ${count}` : tasks.length;
  const name = donut === true ? 'donut' : orientation === undefined ? type : `${orientation} ${type}`;
  return `Drew a ${name} chart of ${share} ${count === 1 ? 'task' : 'tasks'} by ${by}.`;
}

/** The well-known priorities and statuses. Charts show the last one first. */
const known = ['low', 'medium', 'high', 'urgent', 'Cancelled', 'Done', 'Blocked', 'In progress', 'To do'];

function statusLabel({ status }: Task): string {
  const words = status === 'todo' ? 'to do' : status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a chart names the group of a task, unless it groups by status. */
const labelsBy: ReadonlyMap<string, (task: Task) => string> = new Map([
  ['priority', ({ priority }) => priority],
  ['assignee', ({ assignee_name: name }) => name ?? 'nobody'],
  ['month', monthOf],
]);

/** The month in which a task was created, in UTC: 2026-01. */
function monthOf({ created_at: createdAt }: Task): string {
  return createdAt.slice(0, 7);
}

/** Every month from the first task to the last, including months without a task. */
function monthsOf(tasks: readonly Task[]): readonly string[] {
  const created = tasks.map(monthOf).toSorted();
  const months = created.slice(0, 1);
  for (const date = new Date(created[0] ?? ''); months.at(-1) !== created.at(-1);) {
    date.setUTCMonth(date.getUTCMonth() + 1);
    months.push(date.toISOString().slice(0, 7));
  }
  return months;
}
