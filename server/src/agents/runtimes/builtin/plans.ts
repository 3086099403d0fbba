import { chartKinds } from '@worktable/charts/svg';
import type { Schemas } from '../../../contract/operation.ts';
import type { RequestedCall } from '../runtime.ts';
import { charts, type Command, type TaskReference } from './commands.ts';

/** Yields tool calls one after the other, receives the output of each, and returns a result. */
type PlanOf<Result> = Generator<
  RequestedCall,
  Result,
  { readonly content: string; readonly isError: boolean }
>;

/** A plan that returns a sentence. */
export type Plan = PlanOf<string>;

type Context = Readonly<Record<string, unknown>>;

// Tool results leave out null values.
type ListedTask = Pick<Schemas['Task'], 'id' | 'title' | 'status' | 'priority' | 'created_at'> & {
  readonly assignee_name?: string;
  readonly due_date?: string;
};

/** The members of the results of tools. Each tool returns the members of its operation. */
interface Results {
  readonly tasks: readonly ListedTask[];
  readonly count: number;
  readonly task: ListedTask;
  readonly comments: readonly Pick<Schemas['Comment'], 'author_name' | 'body'>[];
}

/** The most tasks to choose from, and the most entries to show. */
const entriesMax = 100;

export function planOf(command: Command, context: Context): Plan {
  return plans[command.kind](command, context);
}

type PlanCommand = (command: Command, context: Context) => Plan;

const plans: Readonly<Record<Command['kind'], PlanCommand>> = {
  // JSON leaves out what is undefined.
  create: ({ title, priority, due_date }) =>
    say('create_task', { title, priority, due_date }, ({ task }) => `Created the task "${task.title}".`),
  chart: drawChart,
  list: ({ status }) => {
    const filter = status === undefined ? {} : { status: [status] };
    return say('list_tasks', { limit: entriesMax, ...filter }, (listed) => taskLines(listed, status));
  },
  comments: onTask(({ id, title }) =>
    say('list_comments', { id, limit: entriesMax }, ({ comments }) => commentLines(title, comments)),
  ),
  show: onTask(({ id }) => say('get_task', { id }, ({ task }) => describeTask(task))),
  comment: onTask(({ id, title }, { body }) =>
    say('add_comment', { id, body }, () => `Commented on the task "${title}".`),
  ),
  assign: onTask(({ id, title }, { assignee = '' }) => {
    const values = { id, assignee_id: assignee, assignee_name: assignee };
    return say('assign_task', values, () => `Assigned the task "${title}" to ${assignee}.`);
  }),
  delete: onTask(({ id, title }) => say('delete_task', { id }, () => `Deleted the task "${title}".`)),
  change: onTask(({ id, title }, { status = 'done' }) =>
    say('update_task', { id, status }, () => `Set the task "${title}" to ${status}.`),
  ),
};

/** A plan that finds the task of its command first. */
function onTask(plan: (task: Pick<ListedTask, 'id' | 'title'>, command: Command) => Plan): PlanCommand {
  return function* (command, context) {
    const found = yield* findTask(command.task ?? 'this', context);
    return typeof found === 'string' ? found : yield* plan(found, command);
  };
}

/** Calls a tool, and returns a sentence about its result. */
function* say(name: string, values: Context, sentence: (results: Results) => string): Plan {
  const results = yield* call(name, values);
  return typeof results === 'string' ? results : sentence(results);
}

/** Calls a tool, and returns its results, or a sentence if the call has failed. */
function* call(name: string, values: Context): PlanOf<Results | string> {
  const { content, isError } = yield { name, arguments: values };
  // A tool of this server returns JSON of its operation's type, unless it returns an error.
  return isError ? `That did not work: ${content}` : (JSON.parse(content) as Results);
}

function taskLines({ tasks, count }: Results, status: string | undefined): string {
  const kind = status === undefined ? '' : `${status} `;
  if (count === 0) return `You have no ${kind}tasks.`;
  const lines = tasks.map((task) => `- ${task.title} (${task.status})`);
  const heading = `You have ${count} ${kind}${count === 1 ? 'task' : 'tasks'}:`;
  const rest = count > tasks.length ? `\nand ${count - tasks.length} more.` : '';
  return [heading, ...lines].join('\n') + rest;
}

function* drawChart({ by: key = 'status', type: look = 'bar', as = look }: Command): Plan {
  const by = key.toLowerCase();
  const labelOf = labelsBy.get(by) ?? statusLabel;
  const { type, orientation, donut } = charts.get(as.toLowerCase()) ?? { type: 'bar' };
  const listed = yield* call('list_tasks', { limit: 1000 });
  if (typeof listed === 'string') return listed;
  const { tasks, count } = listed;
  const hasEmpty = by === 'month' && chartKinds[type].marks !== 'slices';
  const counts = new Map<string, number>(hasEmpty ? monthsOf(tasks).map((month) => [month, 0]) : []);
  for (const task of tasks) {
    const label = labelOf(task);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const data = [...counts]
    .sort(([a], [b]) => board.indexOf(b) - board.indexOf(a) || (a < b ? -1 : 1))
    .map(([label, value]) => ({ label, value }));
  const height = orientation === 'horizontal' ? Math.min(110 + 34 * data.length, 4096) : 450;
  // JSON leaves out what is undefined.
  const values = { chart_type: type, orientation, donut, title: `Tasks by ${by}`, height, data };
  const share = count > tasks.length ? `the newest ${tasks.length} of ${count}` : tasks.length;
  const name = donut === true ? 'donut' : orientation === undefined ? type : `${orientation} ${type}`;
  const sentence = `Drew a ${name} chart of ${share} ${count === 1 ? 'task' : 'tasks'} by ${by}.`;
  return yield* say('render_chart', values, () => sentence);
}

/** The well-known statuses, from the last to the first in the order of work. */
const board = ['Cancelled', 'Done', 'Blocked', 'In progress', 'To do'];

function statusLabel({ status }: ListedTask): string {
  const words = status === 'todo' ? 'to do' : status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a chart names the group of a task, unless it groups by status. */
const labelsBy: ReadonlyMap<string, (task: ListedTask) => string> = new Map([
  ['priority', ({ priority }) => priority],
  ['assignee', ({ assignee_name: name = 'nobody' }) => name],
  ['month', monthOf],
]);

/** The month in which a task was created, in UTC: 2026-01. */
function monthOf({ created_at: createdAt }: ListedTask): string {
  return createdAt.slice(0, 7);
}

/** Every month from the first task to the last, including months without a task. */
function monthsOf(tasks: readonly ListedTask[]): readonly string[] {
  const created = tasks.map(monthOf).toSorted();
  const months = created.slice(0, 1);
  for (const date = new Date(created[0] ?? ''); months.at(-1) !== created.at(-1);) {
    date.setUTCMonth(date.getUTCMonth() + 1);
    months.push(date.toISOString().slice(0, 7));
  }
  return months;
}

/** The task that the reference means, or a sentence that says why there is none. */
function* findTask(
  reference: TaskReference,
  context: Context,
): PlanOf<Pick<ListedTask, 'id' | 'title'> | string> {
  if (reference === 'this') {
    // The task that the server has loaded for `task_id`. Without `task_id`, a `task` in the context comes from the
    // caller and is not trusted.
    const task = context['task_id'] === undefined ? undefined : (context['task'] as Schemas['Task']);
    return task ?? 'Which task? Name it by its title, or send its id as task_id in the context.';
  }
  const listed = yield* call('list_tasks', { q: reference.title, limit: entriesMax });
  if (typeof listed === 'string') return listed;
  const { tasks, count } = listed;
  const exact = tasks.filter(({ title }) => title.toLowerCase() === reference.title.toLowerCase());
  const [task, ...others] = exact.length > 0 ? exact : tasks;
  if (task === undefined) return `There is no task "${reference.title}".`;
  if (others.length === 0) return task;
  const meant = exact.length > 0 ? exact.length : count;
  return `There are ${meant} tasks that "${reference.title}" could mean. Use the full title or task_id.`;
}

function describeTask(task: ListedTask): string {
  const facts = [
    `status ${task.status}`,
    `priority ${task.priority}`,
    ...(task.assignee_name === undefined ? [] : [`assigned to ${task.assignee_name}`]),
    ...(task.due_date === undefined ? [] : [`due ${task.due_date}`]),
  ];
  return `The task "${task.title}" has ${facts.join(', ')}.`;
}

function commentLines(title: string, comments: Results['comments']): string {
  if (comments.length === 0) return `The task "${title}" has no comments.`;
  const share = comments.length < entriesMax ? 'Comments' : `The first ${entriesMax} comments`;
  return [
    `${share} on the task "${title}":`,
    ...comments.map((each) => `- ${each.author_name}: ${each.body}`),
  ].join('\n');
}
