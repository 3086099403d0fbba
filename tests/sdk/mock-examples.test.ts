import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { operationOf } from '../support/contract.ts';
import { operationIds, requests, searchOf } from '../support/requests.ts';
import type { OperationId } from '../../server/src/operation.ts';
import { startMock } from './mock-process.ts';

const url = await startMock();

interface State {
  /** The operation and the name of the example, and `stream` if the example is of a stream. */
  readonly key: string;
  /** The status of a success that is not the usual one. */
  readonly code?: number | undefined;
  readonly see: (client: Client) => Promise<unknown>;
  readonly shown: unknown;
}

/** The texts that a screen shows of each named example. */
const states: readonly State[] = [
  { key: 'listTasks empty', see: ({ tasks }) => tasks.list().toArray(), shown: [] },
  {
    key: 'listTasks overdue',
    see: async ({ tasks }) => (await tasks.list().toArray()).map(({ due_date }) => due_date),
    shown: ['2025-01-31'],
  },
  {
    key: 'listTasks many',
    see: async ({ tasks }) => {
      const pages: number[] = [];
      for await (const { items } of tasks.list().pages()) pages.push(items.length);
      return pages;
    },
    shown: [3, 1],
  },
  {
    key: 'getTask overdue',
    see: async ({ tasks }) => (await tasks.get('1')).due_date,
    shown: '2025-01-31',
  },
  { key: 'listComments empty', see: ({ tasks }) => tasks.listComments('1').toArray(), shown: [] },
  { key: 'listAgents empty', see: ({ agents }) => agents.list().toArray(), shown: [] },
  {
    key: 'getSession running',
    see: async ({ sessions }) => (await sessions.get('1')).run?.status,
    shown: 'running',
  },
  {
    key: 'getSession requires_action',
    see: async ({ sessions }) => (await sessions.get('1')).run?.status,
    shown: 'requires_action',
  },
  {
    key: 'getSession failed',
    see: async ({ sessions }) => (await sessions.get('1')).run?.error?.code,
    shown: 'runtime_error',
  },
  { key: 'listMessages empty', see: ({ sessions }) => sessions.listMessages('1').toArray(), shown: [] },
  {
    key: 'listMessages chart',
    see: async ({ sessions }) =>
      (await sessions.listMessages('1').toArray()).flatMap(({ attachments }) => attachments ?? []).length,
    shown: 1,
  },
  {
    key: 'listRuntimes unreachable',
    see: async ({ runtimes }) => (await runtimes.list()).skills.map(({ problem }) => problem !== null),
    shown: [false, false, true],
  },
  { key: 'listRuns empty', see: ({ runs }) => runs.list().toArray(), shown: [] },
  {
    key: 'listRuns requires_action',
    see: async ({ runs }) => (await runs.list().toArray()).map(({ status }) => status),
    shown: ['requires_action'],
  },
  { key: 'getRun running', see: async ({ runs }) => (await runs.get('1')).status, shown: 'running' },
  {
    key: 'getRun requires_action',
    see: async ({ runs }) => (await runs.get('1')).required_action?.tool_calls[0]?.name,
    shown: 'create_task',
  },
  {
    key: 'getRun incomplete',
    see: async ({ runs }) => (await runs.get('1')).incomplete_details?.reason,
    shown: 'max_output_tokens',
  },
  { key: 'getRun failed', see: async ({ runs }) => (await runs.get('1')).status, shown: 'failed' },
  {
    key: 'runAgent failed',
    see: async ({ agents }) => (await agents.run('1', { input: 'x' })).status,
    shown: 'failed',
  },
  {
    key: 'runAgent requires_action',
    code: 202,
    see: async ({ agents }) => (await agents.run('1', { input: 'x' })).required_action?.tool_calls[0]?.id,
    shown: 'call_3e4f5a6b7c8d_1_1',
  },
  ...Object.entries({
    failed: ['run.started', 'run.failed'],
    incomplete: ['run.started', 'run.waiting', 'run.incomplete'],
    cancelled: ['run.started', 'run.cancelled'],
    chart: ['run.started', 'message', 'message', 'message', 'run.completed'],
    requires_action: ['run.started', 'run.requires_action'],
  }).map(([name, shown]) => ({ key: `getRun ${name} stream`, see: eventsOf, shown })),
  { key: 'runAgent requires_action stream', see: runAsStream, shown: ['run.started', 'run.requires_action'] },
];

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
  for await (const { event } of agents.stream('1', { input: 'x' })) events.push(event);
  return events;
}

describe('the named examples', () => {
  const page = readFileSync('sdk/mock.md', 'utf8');

  it('mock.md lists each of them, with what to send', () => {
    const listed = [...page.matchAll(/\| (`[\w` ]+`) \| `((?:code=2\d\d, )?example=\w+)` \|/g)].flatMap(
      ([, operations = '', prefer = '']) =>
        [...operations.matchAll(/\w+/g)].map(([operation]) => `${operation} ${prefer}`),
    );
    const sent = states.map(({ key, code }) => `${key.split(' ')[0] ?? ''} ${preferOf({ key, code })}`);

    expect(new Set(listed)).toEqual(new Set(sent));
  });

  it.each(states)('$key shows its state', async ({ key, code, see, shown }) => {
    expect(await see(mock({ Prefer: preferOf({ key, code }) }))).toEqual(shown);
  });

  const errors = [...page.matchAll(/\| `([^`]+)` \| (.+) \| `(code=\d+.*)` \|/g)].flatMap(
    ([, code = '', operations = '', prefer = '']) => {
      const named = [...operations.matchAll(/`(\w+)`/g)].map(([, id]) => id as OperationId);
      return (operations === 'every operation' ? operationIds : named).map((id) => ({ id, prefer, code }));
    },
  );

  it('each error of mock.md is answered', async () => {
    expect(errors.length).toBeGreaterThan(200);
    for (const { id, prefer, code } of errors) {
      const { path, method } = operationOf(id);
      const { body } = requests[id];
      const response = await fetch(url + path.replaceAll(/\{\w+\}/g, '1') + searchOf(id), {
        method,
        headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json', Prefer: prefer },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(((await response.json()) as { code: string }).code, `${id} ${prefer}`).toBe(code);
    }
  });

  it('mock.md lists errors only for operations that can have them', () => {
    const sent = new Set(errors.map(({ id, code }) => `${id} ${code}`));

    for (const pair of [
      'assignTask Failed to assign task',
      'runAgent Agent unavailable',
      'getMe Server Error',
    ])
      expect(sent).toContain(pair);
    for (const pair of [
      'listTasks Failed to assign task',
      'getTask No fields to update',
      'getMe Query error',
    ])
      expect(sent).not.toContain(pair);
  });
});

function preferOf({ key, code }: Pick<State, 'key' | 'code'>): string {
  const [, name = ''] = key.split(' ');
  return `${code === undefined ? '' : `code=${code}, `}example=${name}`;
}

function mock(headers: Record<string, string> = {}): Client {
  return createClient({ baseUrl: url, token: 'any', retriesMax: 0, headers });
}
