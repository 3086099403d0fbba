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

/** What a screen shows of each named example. */
const states: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'listTasks empty': ({ tasks }) => tasks.list().toArray(),
  'listTasks overdue': async ({ tasks }) => (await tasks.list().toArray()).map(({ due_date }) => due_date),
  'listTasks many': async ({ tasks }) => {
    const pages: number[] = [];
    for await (const { items } of tasks.list().pages()) pages.push(items.length);
    return pages;
  },
  'getTask overdue': async ({ tasks }) => (await tasks.get('1')).due_date,
  'listComments empty': ({ tasks }) => tasks.listComments('1').toArray(),
  'listAgents empty': ({ agents }) => agents.list().toArray(),
  'getSession running': async ({ sessions }) => (await sessions.get('1')).run?.status,
  'getSession requires_action': async ({ sessions }) => (await sessions.get('1')).run?.status,
  'getSession failed': async ({ sessions }) => (await sessions.get('1')).run?.error?.code,
  'listMessages empty': ({ sessions }) => sessions.listMessages('1').toArray(),
  'listMessages chart': async ({ sessions }) =>
    (await sessions.listMessages('1').toArray()).flatMap(({ attachments }) => attachments ?? []).length,
  'getRun running': async ({ runs }) => (await runs.get('1')).status,
  'getRun requires_action': async ({ runs }) => (await runs.get('1')).required_action?.tool_calls[0]?.name,
  'getRun failed': async ({ runs }) => (await runs.get('1')).status,
  'runAgent failed': async ({ agents }) => (await agents.run('1', { input: 'x' })).status,
  'runAgent failed_stream': eventsOf,
  'runAgent cancelled_stream': eventsOf,
  'runAgent chart_stream': eventsOf,
};

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
    expect(rows.map((row) => row.join(' ')).sort()).toEqual(Object.keys(states).sort());
  });

  it.each([
    ['listTasks empty', []],
    ['listTasks overdue', ['2025-01-31']],
    ['listTasks many', [100, 1]],
    ['getTask overdue', '2025-01-31'],
    ['listComments empty', []],
    ['listAgents empty', []],
    ['getSession running', 'running'],
    ['getSession requires_action', 'requires_action'],
    ['getSession failed', 'runtime_error'],
    ['listMessages empty', []],
    ['listMessages chart', 1],
    ['getRun running', 'running'],
    ['getRun requires_action', 'create_task'],
    ['getRun failed', 'failed'],
    ['runAgent failed', 'failed'],
    ['runAgent failed_stream', ['run.started', 'run.failed']],
    ['runAgent cancelled_stream', ['run.started', 'run.cancelled']],
    ['runAgent chart_stream', ['run.started', 'message', 'message', 'message', 'run.completed']],
  ])('%s shows its state', async (key, shown) => {
    const [, name = ''] = key.split(' ');

    expect(await states[key]?.(mock({ Prefer: `example=${name}` }))).toEqual(shown);
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
