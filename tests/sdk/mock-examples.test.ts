import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { namedExamples } from '../../scripts/mock/examples.ts';
import { noPicture } from '../../scripts/mock/pictures.ts';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { operationOf } from '../support/contract.ts';
import { requests, searchOf } from '../support/requests.ts';
import type { OperationId } from '../../server/src/operation.ts';
import { startMock } from './prism.ts';

const ajv = addFormats.default(new Ajv2020({ strict: false }));
let url: string;

beforeAll(async () => {
  url = await startMock();
});

interface State {
  readonly key: string;
  readonly see: (client: Client) => Promise<unknown>;
  readonly shown: unknown;
}

/** What a screen shows of each named example. */
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
    shown: [100, 1],
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
  { key: 'getRun failed_stream', see: eventsOf, shown: ['run.started', 'run.failed'] },
  {
    key: 'getRun waiting_stream',
    see: eventsOf,
    shown: ['run.started', 'run.waiting', 'run.incomplete'],
  },
  { key: 'getRun cancelled_stream', see: eventsOf, shown: ['run.started', 'run.cancelled'] },
  {
    key: 'getRun chart_stream',
    see: eventsOf,
    shown: ['run.started', 'message', 'message', 'message', 'run.completed'],
  },
];

async function eventsOf({ agents }: Client): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of agents.stream('1', { input: 'x' })) events.push(event);
  return events;
}

describe('the named examples', () => {
  const page = readFileSync('sdk/mock.md', 'utf8');
  const rows = [...page.matchAll(/\| `(\w+)` \| `example=(\w+)` \|/g)].map(
    ([, operation = '', name = '']) => [operation, name] as const,
  );

  it('mock.md lists each of them', () => {
    expect(rows.map((row) => row.join(' ')).sort()).toEqual(states.map(({ key }) => key).sort());
  });

  it.each(states)('$key shows its state', async ({ key, see, shown }) => {
    const [, name = ''] = key.split(' ');

    expect(await see(mock({ Prefer: `example=${name}` }))).toEqual(shown);
  });

  it('each of them is one that the contract allows', () => {
    for (const { operation, status, mediaType = 'application/json', value } of namedExamples(noPicture)) {
      if (mediaType !== 'application/json') continue;
      const schema = operationOf(operation).responses[status]?.content?.[mediaType]?.schema ?? {};
      expect(ajv.validate(schema, value), `${operation}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  it('each code of mock.md is answered', async () => {
    const errors = [...page.matchAll(/\| `([^`]+)` \| .*?`?(\w+)`? \| `(code=\d+, example=\w+)` \|/g)];
    expect(errors.length).toBeGreaterThan(10);
    for (const [, code, operation = '', prefer = ''] of errors) {
      // The last word of "every operation" names none.
      const id = (operation === 'operation' ? 'listTasks' : operation) as OperationId;
      const { path, method } = operationOf(id);
      const { body } = requests[id];
      const response = await fetch(url + path.replace('{id}', '1') + searchOf(id), {
        method,
        headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json', Prefer: prefer },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(((await response.json()) as { code: string }).code, `${operation} ${prefer}`).toBe(code);
    }
  });
});

function mock(headers: Record<string, string> = {}): Client {
  return createClient({ baseUrl: url, token: 'any', retriesMax: 0, headers });
}
