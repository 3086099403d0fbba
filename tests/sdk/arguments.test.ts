import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { createClient, WorktableError, type Client } from '../../sdk/src/index.ts';
import type { AgentCreate, ChartRequest, RunRequest, TaskCreate, TaskQuery } from '../../sdk/src/index.ts';
import { json, startFakeServer } from './fake-server.ts';
import { task } from './samples.ts';

/** The client as untyped code sees it. */
type Untyped = Record<string, (...values: unknown[]) => { page(): Promise<unknown> } & Promise<unknown>>;

function untyped(area: object): Untyped {
  return area as Untyped;
}

const emptyPage = json(200, { tasks: [], count: 0 });

describe('a filter', () => {
  it.each([
    [new Date('2026-12-01T08:00:00Z'), '2026-12-01T08:00:00.000Z'],
    ['2026-12-01', '2026-12-01'],
    // A value like one of Temporal.
    [
      {
        [Symbol.toStringTag]: 'Temporal.ZonedDateTime' as const,
        toJSON: () => '2026-12-01T09:00:00+01:00[Europe/Berlin][u-ca=iso8601]',
      },
      '2026-12-01T09:00:00+01:00',
    ],
  ])('that is the date %s is sent as its text, without the name of a zone', async (date, text) => {
    const server = await startFakeServer(emptyPage);

    await server.client().tasks.list({ due_before: date, updated_since: date }).page();

    const { searchParams } = new URL(server.requests[0]?.url ?? '', server.url);
    expect([searchParams.get('due_before'), searchParams.get('updated_since')]).toEqual([text, text]);
  });

  it.each([
    ['due_before', null],
    ['due_before', {}],
    ['due_before', new Date(Number.NaN)],
    ['due_before', { toJSON: () => ({}) }],
    ['workspace_id', []],
    ['limit', null],
    ['status', [undefined]],
    ['status', []],
    ['status', null],
    ['q', '\ud800'],
  ])('%s that is %o throws an error that names it, before a request is sent', async (name, value) => {
    const server = await startFakeServer(emptyPage);

    const { list } = untyped(server.client().tasks);

    const failure = list?.({ [name]: value }).page();

    await expect(failure).rejects.toThrow(WorktableError);
    await expect(failure).rejects.toThrow(new RegExp(`^${name} `));
    expect(server.requests).toEqual([]);
  });

  it('that is undefined is omitted, and text is sent to the character', async () => {
    const server = await startFakeServer(emptyPage);

    const { list } = untyped(server.client().tasks);
    await list?.({ workspace_id: undefined, q: 'a b&c=ü+%', unassigned: true, priority: 1n }).page();

    expect(server.requests[0]?.url).toBe('/api/tasks?q=a%20b%26c%3D%C3%BC%2B%25&unassigned=true&priority=1');
  });
});

const idCalls: readonly [string, (client: Client, id: unknown) => Promise<unknown> | undefined][] = [
  ['tasks.get', ({ tasks }, id) => untyped(tasks)['get']?.(id)],
  ['tasks.delete', ({ tasks }, id) => untyped(tasks)['delete']?.(id)],
  ['tasks.deleteComment', ({ tasks }, id) => untyped(tasks)['deleteComment']?.('1', id)],
  ['tasks.listComments', ({ tasks }, id) => untyped(tasks)['listComments']?.(id).page()],
  ['runs.get', ({ runs }, id) => untyped(runs)['get']?.(id)],
];

describe.each(idCalls)('the id of %s', (_name, call) => {
  it.each([undefined, null, '', '.', '..', 7, {}, '\ud800'])('that is %j throws', async (id) => {
    const server = await startFakeServer(json(200, { task }));

    const failure = call(server.client(), id);

    await expect(failure).rejects.toThrow(WorktableError);
    expect(server.requests).toEqual([]);
  });
});

it.each([NaN, Infinity])(
  'a chart with the value %d throws, because it would be sent as null',
  async (value) => {
    const server = await startFakeServer(json(200, {}));

    const failure = server.client().viz.renderSvg({ data: [{ label: 'todo', value }] });

    await expect(failure).rejects.toThrow(`value must be a finite number, but it is ${value}.`);
    expect(server.requests).toEqual([]);
  },
);

it.each([
  ['fetch', new RangeError('The value is out of range.')],
  // The error in jsdom, whose signals are not those of the platform.
  ['Request', new TypeError('Expected signal to be an instance of AbortSignal.')],
])('an error of %s is not taken for an unreachable server, and not repeated', async (name, cause) => {
  const refuse = vi.fn(function () {
    throw cause;
  });
  vi.stubGlobal(name, refuse);
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = createClient({ baseUrl: 'http://localhost', token: 't' });

  const { message } = cause;
  await expect(client.tasks.get('1')).rejects.toMatchObject({ name: 'WorktableError', message, cause });
  expect(refuse).toHaveBeenCalledOnce();
});

describe('the types', () => {
  it('requests take read-only arrays', () => {
    expectTypeOf<{ data: readonly { label: string; value: number }[] }>().toExtend<ChartRequest>();
    expectTypeOf<{ name: string; skills: readonly ['tasks'] }>().toExtend<AgentCreate>();
  });

  it('requests take undefined for what may be absent', () => {
    expectTypeOf<{ title: string; tags: string | undefined; status: undefined }>().toExtend<TaskCreate>();
    expectTypeOf<{ q: string | undefined; status: undefined; limit: undefined }>().toExtend<TaskQuery>();
    expectTypeOf<{ input: string; context: { session_id: undefined } }>().toExtend<RunRequest>();
  });
});
