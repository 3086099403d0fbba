import { chartKindNames } from '@worktable/charts/svg';
import type { Schemas } from '../../../contract/operation.ts';
import type { Json } from '../../../lib/json.ts';
import type { ConversationMessage } from '../../sessions/conversation.ts';
import type { RequestedCall } from '../runtime.ts';

/** A kind of command that the built-in runtime understands. */
export interface Phrase {
  readonly example: string;
  /** A regular expression whose groups are the parts of the command. */
  readonly pattern: string;
  readonly tools: readonly string[];
  readonly plan: (parts: Parts, context: Json) => Plan;
}

/** The groups of the pattern that matched. Without `task`, a command is about the task in the context of the run. */
export type Parts = Readonly<Partial<Record<string, string>>>;

/** Yields tool calls one after the other, receives the output of each, and returns a sentence. */
export type Plan<Result = string> = Generator<
  RequestedCall,
  Result,
  Pick<ConversationMessage, 'content' | 'is_error'>
>;

/** Ends a plan. The message is the sentence for the user. */
export class PlanFailed extends Error {
  override name = 'PlanFailed';
}

/** The members of the results of all tools. Null values are left out of results. */
interface Results {
  readonly tasks: readonly Schemas['Task'][];
  readonly count: number;
  readonly task: Schemas['Task'];
}

/** The maximum number of tasks that a phrase lists, or finds by their title. */
const limit = 100;

const chartWords = chartKindNames.join('|');
const reference = String.raw`(?:the )?(?:task )?(?:(?:titled|called|named) )?`;
const taskName = `${reference}(?<task>.+?)`;
// Only word characters and spaces follow a title, so the pattern looks for " as " or " to " after the last other
// character. A lazy title would try every " as " against the rest of the text, which takes quadratic time.
const taskBeforeWords = String.raw`${reference}(?<task>(?:.*[^\w ])?(?=[\w ]*$)[\w ]*?)`;

/** The phrases, in the order in which they are tried. JSON omits the arguments that a text does not have. */
export const phrases: Readonly<Record<string, Phrase>> = {
  create: {
    example: 'create a task titled Buy milk',
    pattern: String.raw`(?:create|add|make) (?:an? )?(?:new )?task ?(?:titled|called|named|to|:)? ?(?<title>.+?)(?:,? (?:with )?priority (?<priority>\S+))?(?:,? due (?:on )?(?<due_date>\S+))?`,
    tools: ['create_task'],
    *plan({ title, priority, due_date }) {
      const { task } = yield* call('create_task', { title, priority, due_date });
      return `Created the task "${task.title}".`;
    },
  },
  chart: {
    example: 'chart my tasks by status',
    pattern: String.raw`(?=.*\b(?:chart|draw|plot)\b)(?:make|draw|plot|chart|create|show)\b(?: me)?(?: an?| the)?(?: (?<type>${chartWords}))?(?: chart)?(?: of)?(?: (?:all|my|the))* tasks(?: by (?<by>status|priority|assignee))?(?: as an? (?<as>${chartWords})(?: chart)?)?`,
    tools: ['list_tasks', 'render_chart'],
    plan: drawChart,
  },
  list: {
    example: 'list my tasks',
    // The status must not begin with one of the optional words before it, because the pattern would then backtrack into
    // each of them.
    pattern: String.raw`(?:list|show)(?: me)?(?: (?:all|my|the))*(?: (?!(?:all|my|the) )(?<status>[\w ]+?))? tasks`,
    tools: ['list_tasks'],
    plan: listTasks,
  },
  comment: {
    example: 'comment on task Buy milk: two litres',
    pattern: `(?:comment|(?:add|write) a comment) (?:on|to) ${taskName} ?(?::|saying|that says) ?(?<body>.+)`,
    tools: ['list_tasks', 'add_comment'],
    *plan({ task, body }, context) {
      const { id, title } = yield* findTask(task, context);
      yield* call('add_comment', { id, body });
      return `Commented on the task "${title}".`;
    },
  },
  assign: {
    example: 'assign task Buy milk to bob',
    pattern: `assign ${taskName} to (?<assignee>.+)`,
    tools: ['list_tasks', 'assign_task'],
    *plan({ task, assignee }, context) {
      const { id, title } = yield* findTask(task, context);
      yield* call('assign_task', { id, assignee_id: assignee, assignee_name: assignee });
      return `Assigned the task "${title}" to ${assignee}.`;
    },
  },
  delete: {
    example: 'delete task Buy milk',
    pattern: `(?:delete|remove) ${taskName}`,
    tools: ['list_tasks', 'delete_task'],
    *plan({ task }, context) {
      const { id, title } = yield* findTask(task, context);
      yield* call('delete_task', { id });
      return `Deleted the task "${title}".`;
    },
  },
  change: {
    example: 'complete task Buy milk',
    pattern: String.raw`(?:mark|set|move) ${taskBeforeWords} (?:as|to) (?<status>[\w ]+)|(?:complete|finish|close) ${taskName}`,
    tools: ['list_tasks', 'update_task'],
    *plan({ task, status = 'done' }, context) {
      const { id, title } = yield* findTask(task, context);
      yield* call('update_task', { id, status });
      return `Set the task "${title}" to ${status}.`;
    },
  },
};

function* call(name: string, values: Json): Plan<Results> {
  const { content, is_error: isError } = yield { name, arguments: values };
  if (isError) throw new PlanFailed(`That did not work: ${content}`);
  // The result is the last line, after a note about edited arguments. The cast is safe, because a plan reads only the
  // members that the tool's operation returns.
  return JSON.parse(content.slice(content.lastIndexOf('\n') + 1)) as Results;
}

function* findTask(title: string | undefined, context: Json): Plan<Schemas['Task']> {
  if (title === undefined) {
    // The cast is safe, because the server loads `task` for a `task_id`. Without `task_id`, a `task` in the context
    // comes from the caller and is not trusted.
    if (context['task_id'] !== undefined) return context['task'] as Schemas['Task'];
    throw new PlanFailed('Which task? Name it by its title, or send its id as task_id in the context.');
  }
  const { tasks, count } = yield* call('list_tasks', { q: title, limit });
  const exact = tasks.filter((task) => task.title.toLowerCase() === title.toLowerCase());
  const [task, ...others] = exact.length > 0 ? exact : tasks;
  if (task === undefined) throw new PlanFailed(`There is no task "${title}".`);
  if (others.length === 0) return task;
  const meant = exact.length > 0 ? exact.length : count;
  throw new PlanFailed(`There are ${meant} tasks that "${title}" could mean. Use the full title or task_id.`);
}

function* listTasks({ status = '' }: Parts): Plan {
  const { tasks, count } = yield* call('list_tasks', { limit, status: status === '' ? undefined : [status] });
  const kind = `${status} ${count === 1 ? 'task' : 'tasks'}`.trim();
  if (count === 0) return `You have no ${kind}.`;
  const lines = tasks.map((task) => `- ${task.title} (${task.status})`);
  const rest = count > tasks.length ? [`and ${count - tasks.length} more.`] : [];
  return [`You have ${count} ${kind}:`, ...lines, ...rest].join('\n');
}

function* drawChart({ by: key = 'status', type: word = 'bar', as = word }: Parts): Plan {
  const [by, type] = [key.toLowerCase(), as.toLowerCase()];
  const { tasks, count } = yield* call('list_tasks', { limit: 1000 });
  const data = [...Map.groupBy(tasks, labelsBy.get(by) ?? statusLabel)]
    .sort(([a], [b]) => known.indexOf(b) - known.indexOf(a) || (a < b ? -1 : 1))
    .map(([label, { length: value }]) => ({ label, value }));
  yield* call('render_chart', { chart_type: type, title: `Tasks by ${by}`, height: 450, data });
  const share = count > tasks.length ? `the newest ${tasks.length} of ${count}` : tasks.length;
  return `Drew a ${type} chart of ${share} ${count === 1 ? 'task' : 'tasks'} by ${by}.`;
}

/** The well-known priorities and statuses. Charts show the last one first. */
const known = ['low', 'medium', 'high', 'urgent', 'Cancelled', 'Done', 'Blocked', 'In progress', 'To do'];

function statusLabel({ status }: Schemas['Task']): string {
  const words = status === 'todo' ? 'to do' : status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a chart names the group of a task, unless it groups by status. */
const labelsBy: ReadonlyMap<string, (task: Schemas['Task']) => string> = new Map([
  ['priority', ({ priority }) => priority],
  ['assignee', ({ assignee_name: name }) => name ?? 'nobody'],
]);
