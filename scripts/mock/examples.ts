import type { OperationId, Schemas } from '../../server/src/operation.ts';
import type { Picture } from './pictures.ts';
import {
  cancelledRun,
  eventStream,
  failedRun,
  incompleteRun,
  manyTasks,
  reply,
  request,
  run,
  runningRun,
  runtimes,
  session,
  task,
  unreachableSkill,
  waitingRun,
} from './samples.ts';

/** A state that a user interface has to show, in addition to the contract's own example. */
export interface NamedExample {
  readonly operation: OperationId;
  /** The `example` of the header `Prefer`. */
  readonly name: string;
  /** What to see, in the table of mock.md. */
  readonly shows: string;
  readonly status: number;
  readonly value: unknown;
  /** Instead of JSON. */
  readonly mediaType?: string;
  /** Headers that belong to this state. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The named examples of successes; `picture` is the chart in the messages of an agent that has drawn one. */
export function namedExamples(picture: Picture): NamedExample[] {
  const messages = messagesWith(picture);
  return [
    ...taskExamples,
    ok('listAgents', 'empty', 'no agents', { agents: [] }),
    ...sessionExamples,
    ok('listMessages', 'empty', 'no messages yet', { messages: [], count: 0 }),
    ok('listMessages', 'chart', 'an answer with a chart', { messages, count: messages.length }),
    ok('listRuntimes', 'unreachable', 'a model server that fails, and an MCP server that cannot be reached', {
      runtimes: runtimes.runtimes.map((each) => ({
        ...each,
        state: each.is_default ? 'failing' : each.state,
      })),
      skills: [...runtimes.skills, unreachableSkill],
    }),
    ok('listRuns', 'empty', 'no runs', { runs: [] }),
    ok('listRuns', 'requires_action', 'an inbox of runs that wait for approvals', { runs: [waitingRun] }),
    ok('getRun', 'running', 'a run that is under way', runningRun),
    ok('getRun', 'requires_action', 'a run that waits for an approval', waitingRun),
    ok('getRun', 'failed', 'a run that has failed', failedRun),
    ok('getRun', 'incomplete', 'a run whose answer was cut off', incompleteRun),
    ok('runAgent', 'failed', 'a run that fails', failedRun),
    stream(
      'failed_stream',
      'a stream that ends with `run.failed`',
      eventStream(started, { event: 'run.failed', data: failedRun }),
    ),
    stream(
      'waiting_stream',
      'a stream in which the model server is busy for a moment, and whose answer is cut off',
      eventStream(started, waiting, { event: 'run.incomplete', data: incompleteRun }),
    ),
    stream(
      'cancelled_stream',
      'a stream that ends with `run.cancelled`',
      eventStream(started, { event: 'run.cancelled', data: cancelledRun }),
    ),
    stream('chart_stream', 'a stream in which the agent draws a chart', chartStream(messages)),
  ];
}

function ok(operation: OperationId, name: string, shows: string, value: unknown): NamedExample {
  return { operation, name, shows, status: 200, value };
}

function stream(name: string, shows: string, value: string): NamedExample {
  return { ...ok('getRun', name, shows, value), mediaType: 'text/event-stream' };
}

const started = { event: 'run.started', data: runningRun } as const;
const waiting = {
  event: 'run.waiting',
  data: { run_id: run.id, reason: 'model_busy', retry_after_s: 2 },
} as const;
const overdue = { ...task, title: 'File the tax return', due_date: '2025-01-31', priority: 'high' };

const taskExamples: readonly NamedExample[] = [
  ok('listTasks', 'empty', 'no tasks', { tasks: [], count: 0 }),
  ok('listTasks', 'overdue', 'a task whose due date has passed', { tasks: [overdue], count: 1 }),
  {
    ...ok('listTasks', 'many', 'the first of several pages', { tasks: manyTasks, count: 250 }),
    headers: { Link: '</api/tasks?limit=100&cursor=bW9jaw>; rel="next"' },
  },
  ok('getTask', 'overdue', 'a task whose due date has passed', { task: overdue }),
  ok('listComments', 'empty', 'no comments', []),
];

const sessionExamples: readonly NamedExample[] = [
  ok('getSession', 'running', 'a session whose run is under way', {
    ...session,
    status: 'running',
    message_count: 1,
    run: runningRun,
  }),
  ok('getSession', 'requires_action', 'a session whose run waits for an approval', {
    ...session,
    status: 'requires_action',
    message_count: 2,
    run: waitingRun,
  }),
  ok('getSession', 'failed', 'a session whose run has failed', {
    ...session,
    status: 'failed',
    message_count: 1,
    run: failedRun,
  }),
];

function messagesWith({ png }: Picture): readonly Schemas['Message'][] {
  const call = { id: 'call-1', name: 'render_png', arguments: { chart_type: 'bar' } };
  const chart = { media_type: 'image/png', name: 'chart.png', data_base64: png.toString('base64') };
  const messages: readonly Schemas['Message'][] = [
    { ...request, content: 'chart my tasks by status' },
    { ...reply, content: '', tool_calls: [call] },
    {
      ...reply,
      role: 'tool',
      content: 'The chart is attached.',
      tool_call_id: 'call-1',
      attachments: [chart],
    },
    { ...reply, content: 'Here is the chart of your tasks by status.' },
  ];
  return messages.map((message, i) => ({ ...message, id: `${reply.id.slice(0, -1)}${i}` }));
}

function chartStream(messages: readonly Schemas['Message'][]): string {
  const stored = messages.slice(1).map((data, i) => ({ event: 'message', id: String(i + 2), data }) as const);
  const completed = { ...run, output: 'Here is the chart of your tasks by status.' };
  return eventStream(started, ...stored, { event: 'run.completed', data: completed });
}
