import type { Schemas } from '../../../operation.ts';
import type { RequestedCall } from '../runtime.ts';
import type { ChartCommand, Command, TaskReference } from './commands.ts';
import { monthOf, monthsOf } from './months.ts';

export interface ToolOutput {
  readonly content: string;
  readonly isError: boolean;
}

/** Yields tool calls one after the other, receives the output of each, and returns a sentence. */
export type Plan = Generator<RequestedCall, string, ToolOutput>;

type Context = Readonly<Record<string, unknown>>;
interface ListedTasks {
  readonly tasks: readonly ListedTask[];
  readonly count: number;
}
// Tool results leave out null values.
type ListedTask = Pick<Schemas['Task'], 'id' | 'title' | 'status' | 'priority' | 'created_at'> & {
  readonly assignee_name?: string;
  readonly due_date?: string;
};
interface ListedComments {
  readonly comments: readonly Pick<Schemas['Comment'], 'author_name' | 'body'>[];
}

/** The most tasks to choose from, and the most entries to show. */
const entriesMax = 100;

export function planOf(command: Command, context: Context): Plan {
  switch (command.kind) {
    case 'create':
      return createTask(command.fields);
    case 'list':
      return listTasks(command.status);
    case 'chart':
      return drawChart(command);
    default:
      return planOnTask(command, context);
  }
}

function* createTask(fields: Readonly<Record<string, string>>): Plan {
  const output = yield { name: 'create_task', arguments: fields };
  if (output.isError) return failureSentence(output);
  const { task } = parseOutput(output) as { task: ListedTask };
  return `Created the task "${task.title}".`;
}

function* listTasks(status: string | undefined): Plan {
  const filter = status === undefined ? {} : { status: [status] };
  const output = yield { name: 'list_tasks', arguments: { limit: entriesMax, ...filter } };
  if (output.isError) return failureSentence(output);
  const { tasks, count } = parseOutput(output) as ListedTasks;
  const kind = status === undefined ? '' : `${status} `;
  if (count === 0) return `You have no ${kind}tasks.`;
  const lines = tasks.map((task) => `- ${task.title} (${task.status})`);
  const heading = `You have ${count} ${kind}${count === 1 ? 'task' : 'tasks'}:`;
  return [heading, ...lines, ...(count > tasks.length ? [`and ${count - tasks.length} more.`] : [])].join(
    '\n',
  );
}

function* drawChart({ by, type, orientation, donut }: ChartCommand): Plan {
  const output = yield { name: 'list_tasks', arguments: { limit: 1000 } };
  if (output.isError) return failureSentence(output);
  const { tasks, count } = parseOutput(output) as ListedTasks;
  const counts = new Map<string, number>();
  if (by === 'month' && type !== 'pie') for (const month of monthsOf(tasks)) counts.set(month, 0);
  for (const task of tasks) {
    const label = by === 'month' ? monthOf(task) : (task[by] ?? 'nobody');
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const word = by === 'assignee_name' ? 'assignee' : by;
  const data = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, value]) => ({ label, value }));
  const drawn = yield {
    name: 'render_chart',
    arguments: {
      chart_type: type,
      ...(orientation === undefined ? {} : { orientation }),
      ...(donut === undefined ? {} : { donut }),
      title: `Tasks by ${word}`,
      data,
    },
  };
  if (drawn.isError) return failureSentence(drawn);
  const share = count > tasks.length ? `the newest ${tasks.length} of ${count}` : tasks.length;
  const name = donut === true ? 'donut' : orientation === undefined ? type : `${orientation} ${type}`;
  return `Drew a ${name} chart of ${share} ${count === 1 ? 'task' : 'tasks'} by ${word}.`;
}

type CommandOnTask = Extract<Command, { task: TaskReference }>;

function* planOnTask(command: CommandOnTask, context: Context): Plan {
  const task = yield* findTask(command.task, context);
  if (typeof task === 'string') return task;
  const { call, sentence } = callOnTask(command, task);
  const output = yield call;
  return output.isError ? failureSentence(output) : sentence(output);
}

interface CallOnTask {
  readonly call: RequestedCall;
  readonly sentence: (output: ToolOutput) => string;
}

function callOnTask(command: CommandOnTask, { id, title }: FoundTask): CallOnTask {
  switch (command.kind) {
    case 'show':
      return {
        call: { name: 'get_task', arguments: { id } },
        sentence: (output) => describeTask((parseOutput(output) as { task: ListedTask }).task),
      };
    case 'change':
      return {
        call: { name: 'update_task', arguments: { id, status: command.status } },
        sentence: () => `Set the task "${title}" to ${command.status}.`,
      };
    case 'assign': {
      const { assignee } = command;
      return {
        call: { name: 'assign_task', arguments: { id, assignee_id: assignee, assignee_name: assignee } },
        sentence: () => `Assigned the task "${title}" to ${assignee}.`,
      };
    }
    case 'comment':
      return {
        call: { name: 'add_comment', arguments: { id, body: command.body } },
        sentence: () => `Commented on the task "${title}".`,
      };
    case 'comments':
      return {
        call: { name: 'list_comments', arguments: { id, limit: entriesMax } },
        sentence: (output) => commentLines(title, (parseOutput(output) as ListedComments).comments),
      };
    case 'delete':
      return {
        call: { name: 'delete_task', arguments: { id } },
        sentence: () => `Deleted the task "${title}".`,
      };
  }
}

type FoundTask = Pick<ListedTask, 'id' | 'title'>;

/** The task that the reference means, or a sentence that says why there is none. */
function* findTask(
  reference: TaskReference,
  context: Context,
): Generator<RequestedCall, FoundTask | string, ToolOutput> {
  if (reference === 'this') {
    return (
      loadedTask(context) ?? 'Which task? Name it by its title, or send its id as task_id in the context.'
    );
  }
  const output = yield { name: 'list_tasks', arguments: { q: reference.title, limit: entriesMax } };
  if (output.isError) return failureSentence(output);
  const { tasks, count } = parseOutput(output) as ListedTasks;
  const exact = tasks.filter(({ title }) => title.toLowerCase() === reference.title.toLowerCase());
  const [task, ...others] = exact.length > 0 ? exact : tasks;
  if (task === undefined) return `There is no task "${reference.title}".`;
  if (others.length === 0) return task;
  const meant = exact.length > 0 ? exact.length : count;
  return `There are ${meant} tasks that "${reference.title}" could mean. Use the full title or task_id.`;
}

/**
 * The task that the server has loaded for `task_id`. Without `task_id`, a `task` in the context comes from the caller
 * and is not trusted.
 */
function loadedTask(context: Context): Schemas['Task'] | undefined {
  return context['task_id'] === undefined ? undefined : (context['task'] as Schemas['Task']);
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

function commentLines(title: string, comments: ListedComments['comments']): string {
  if (comments.length === 0) return `The task "${title}" has no comments.`;
  const share = comments.length < entriesMax ? 'Comments' : `The first ${entriesMax} comments`;
  return [
    `${share} on the task "${title}":`,
    ...comments.map((each) => `- ${each.author_name}: ${each.body}`),
  ].join('\n');
}

function failureSentence({ content }: ToolOutput): string {
  return `That did not work: ${content}`;
}

/** A tool of this server returns JSON of its operation's type, unless it returns an error. */
function parseOutput({ content }: ToolOutput): unknown {
  return JSON.parse(content);
}
