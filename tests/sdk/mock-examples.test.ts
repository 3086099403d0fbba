import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { startMock } from './mock-process.ts';

const url = await startMock();

/** An operation and the name of an example, a call that requests it, and what a screen then shows. */
type State = [
  key: string,
  see: (client: Client) => Promise<unknown>,
  shown: unknown,
  /** The status, if it is not the usual success status. */
  code?: number,
];

const input = { input: 'x' };

const states: State[] = [
  ['listTasks empty', ({ tasks }) => tasks.list().toArray(), []],
  ['listTasks overdue', async ({ tasks }) => (await tasks.list().toArray())[0]?.due_date, '2025-01-31'],
  ['listTasks many', pagesOf, [3, 4]],
  ['getTask overdue', async ({ tasks }) => (await tasks.get('1')).due_date, '2025-01-31'],
  ['listComments empty', ({ tasks }) => tasks.listComments('1').toArray(), []],
  ['listAgents empty', ({ agents }) => agents.list().toArray(), []],
  ['getSession running', async ({ sessions }) => (await sessions.get('1')).run?.status, 'running'],
  [
    'getSession requires_action',
    async ({ sessions }) => (await sessions.get('1')).run?.status,
    'requires_action',
  ],
  ['getSession failed', async ({ sessions }) => (await sessions.get('1')).run?.error?.code, 'runtime_error'],
  ['listMessages empty', ({ sessions }) => sessions.listMessages('1').toArray(), []],
  [
    'listMessages chart',
    async ({ sessions }) =>
      (await sessions.listMessages('1').toArray()).flatMap(({ attachments }) => attachments ?? []).length,
    1,
  ],
  [
    'listRuntimes unreachable',
    async ({ runtimes }) => (await runtimes.list()).skills.map(({ problem }) => problem !== null),
    [false, false, true],
  ],
  ['listRuns empty', ({ runs }) => runs.list().toArray(), []],
  [
    'listRuns requires_action',
    async ({ runs }) => (await runs.list().toArray())[0]?.status,
    'requires_action',
  ],
  ['getRun running', async ({ runs }) => (await runs.get('1')).status, 'running'],
  [
    'getRun requires_action',
    async ({ runs }) => (await runs.get('1')).required_action?.tool_calls[0]?.name,
    'create_task',
  ],
  [
    'getRun incomplete',
    async ({ runs }) => (await runs.get('1')).incomplete_details?.reason,
    'max_output_tokens',
  ],
  ['getRun failed', async ({ runs }) => (await runs.get('1')).status, 'failed'],
  ['runAgent failed', async ({ agents }) => (await agents.run('1', input)).status, 'failed'],
  [
    'runAgent requires_action',
    async ({ agents }) => (await agents.run('1', input)).required_action?.tool_calls[0]?.id,
    'call_3e4f5a6b7c8d_1_1',
    202,
  ],
  ['getRun failed stream', eventsOf, ['run.started', 'run.failed']],
  ['getRun incomplete stream', eventsOf, ['run.started', 'run.waiting', 'run.incomplete']],
  ['getRun cancelled stream', eventsOf, ['run.started', 'run.cancelled']],
  ['getRun chart stream', eventsOf, ['run.started', 'message', 'message', 'message', 'run.completed']],
  ['getRun requires_action stream', eventsOf, ['run.started', 'run.requires_action']],
  ['runAgent requires_action stream', runAsStream, ['run.started', 'run.requires_action']],
];

async function pagesOf({ tasks }: Client): Promise<number[]> {
  const pages: number[] = [];
  for await (const { items } of tasks.list().pages()) pages.push(items.length);
  return pages;
}

async function runAsStream(): Promise<unknown> {
  const response = await fetch(`${url}/v1/agents/1/run`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer any',
      Accept: 'text/event-stream',
      Prefer: 'example=requires_action',
    },
    body: Buffer.from('{"input":"x"}'),
  });
  return [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
}

async function eventsOf({ agents }: Client): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of agents.stream('1', input)) events.push(event);
  return events;
}

describe('the named examples', () => {
  const page = readFileSync('sdk/mock.md', 'utf8');

  it('mock.md lists each of them, with what to send', () => {
    const listed = [...page.matchAll(/: `((?:code=2\d\d, )?example=\w+)` for (`[\w` ]+`)$/gm)].flatMap(
      ([, prefer = '', operations = '']) =>
        [...operations.matchAll(/\w+/g)].map(([operation]) => `${operation} ${prefer}`),
    );
    const sent = states.map(([key, , , code]) => `${key.split(' ')[0] ?? ''} ${preferOf(key, code)}`);

    expect(new Set(listed)).toEqual(new Set(sent));
  });

  it.each<State>(states)('%s shows its state', async (key, see, shown, code) => {
    const headers = { Prefer: preferOf(key, code) };
    const client = createClient({ baseUrl: url, token: 'any', retriesMax: 0, headers });

    expect(await see(client)).toEqual(shown);
  });
});

function preferOf(key: string, code?: number): string {
  const [, name = ''] = key.split(' ');
  return `${code === undefined ? '' : `code=${code}, `}example=${name}`;
}
