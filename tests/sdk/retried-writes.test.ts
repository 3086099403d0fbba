import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Client, IdempotentOptions } from '../../sdk/src/index.ts';
import { writes } from '../../sdk/src/query-options.ts';
import { operationOf } from '../support/contract.ts';
import { collect, disconnect, hang, json, problem, startFakeServer, type Responder } from './fake-server.ts';
import { answer, overloaded, soon } from './samples.ts';

/** Failures after which a call may have taken effect, so that a retry could undo a later change. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['TimeoutError', hang],
  ['ServerError', problem(500, 'Database error')],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
  ['InvalidResponseError', (response) => response.writeHead(201).end('<html>')],
  ['InvalidResponseError', json(201, null)],
];
const timeoutOf = (name: string): number | undefined => (name === 'TimeoutError' ? 500 : undefined);
const unchanged = [
  [408, 'Server Error'],
  [429, 'Rate Limited'],
  [503, 'Overloaded'],
] as const;
const byOption = { ifMatch: '"3"' };

// An assignment is a POST, which is retried unless it is conditional. The methods below are called without a header.
const assign = ({ tasks }: Client, timeoutMs?: number) =>
  tasks.assign('1', { assignee_id: 'bob' }, { headers: { 'if-match': '"3"' }, timeoutMs });

describe('a change under an If-Match header', () => {
  it.each(unknownOutcomes)('is not retried if it may have taken effect: %s', async (name, responder) => {
    const server = await startFakeServer(responder, answer);

    await expect(assign(server.client(), timeoutOf(name))).rejects.toMatchObject({ name });
    expect(server.requests).toHaveLength(1);
  });

  it.each(unchanged)('is retried if the server reports that it did nothing: %i', async (status, code) => {
    const server = await startFakeServer(problem(status, code, soon), answer);

    await assign(server.client());

    expect(server.requests).toHaveLength(2);
  });
});

const draft = { title: 'A' };
const mine = { idempotencyKey: 'mine' };

/** The methods below are the others that send a key. */
const keyedCalls: readonly [string, (client: Client, options?: IdempotentOptions) => Promise<unknown>][] = [
  ['tasks.create', ({ tasks }, options) => tasks.create(draft, options)],
  ['agents.stream', ({ agents }, options) => collect(agents.stream('1', { input: 'x' }, options))],
];

describe.each(keyedCalls)('the error of %s', (_name, call) => {
  it.each([...unknownOutcomes, ['OverloadedError', overloaded] as const])(
    'has the key of its request if the call may have taken effect: %s',
    async (name, responder) => {
      const server = await startFakeServer(responder);

      const calling = call(server.client(), { timeoutMs: timeoutOf(name), retriesMax: 0 });

      const error: unknown = await calling.catch((reason: unknown) => reason);
      const idempotencyKey = server.requests[0]?.headers['idempotency-key'];
      expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
      expect(error).toMatchObject({ name, idempotencyKey });
    },
  );

  it('has no key if the call was refused', async () => {
    for (const status of [400, 401, 403, 404, 413, 415, 422, 429]) {
      const server = await startFakeServer(problem(status, 'Server Error', soon));

      const calling = call(server.client(), { retriesMax: 0 });

      await expect(calling).rejects.toMatchObject({ status, idempotencyKey: undefined });
    }
  });
});

it.each([401, 404, 429])(
  'the error of a call has the key of its option if a %i follows an attempt with an unknown outcome',
  async (status) => {
    const server = await startFakeServer(disconnect, problem(status, 'Server Error', soon));

    const creating = server.client().tasks.create(draft, { ...mine, retriesMax: 1 });

    await expect(creating).rejects.toMatchObject({ status, ...mine });
  },
);

it.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['reads', ({ tasks }) => tasks.get('1'), 'ConnectionError'],
  ['may be repeated', ({ tasks }) => tasks.assign('1', { assignee_id: 'bob' }), 'ConnectionError'],
  ['was not sent', ({ tasks }) => tasks.create(draft, { headers: { 'X-Bad': 'a\n.' } }), 'WorktableError'],
])('the error of a call that %s has no key', async (_what, call, name) => {
  const server = await startFakeServer(disconnect);

  const calling = call(server.client({ retriesMax: 0 }));

  await expect(calling).rejects.toMatchObject({ name, idempotencyKey: undefined });
});

const readme = readFileSync('sdk/README.md', 'utf8');

/** The methods as untyped code sees them. */
type Untyped = Readonly<Record<string, (...values: unknown[]) => Promise<unknown>>>;

// The keys of `writes` are the operations that change something.
describe.each(Object.keys(writes) as (keyof typeof writes)[])('the method of %s', (id) => {
  const { method, path, parameters = [] } = operationOf(id);
  const [area, name, arity] = writes[id];
  const takes = (header: string): boolean =>
    parameters.some((each) => 'name' in each && each.name === header);

  it.each(takes('If-Match') ? [{}, byOption] : [{}])(
    'is repeated after an unknown outcome only if sdk/README.md says so: %j',
    async (options) => {
      const server = await startFakeServer(problem(502, 'Server Error', soon), problem(400, 'Bad Request'));
      const idCount = path.split('{').length - 1;
      const args = Array.from({ length: arity - 1 }, (_, index) => (index < idCount ? '1' : []));

      const methods = server.client()[area] as unknown as Untyped;
      await expect(methods[name]?.(...args, options)).rejects.toThrow();

      const isOverwriting = method === 'PUT' || (method === 'POST' && options === byOption);
      const keys = new Set(server.requests.map(({ headers }) => headers['idempotency-key']));
      const hint = `client.${area}.${name} must be retried as sdk/README.md says`;
      const row = `^\\|[^|]*\`${name}\`[^|]*\\| ${isOverwriting ? 'Only after' : 'Yes'}`;
      expect(readme, hint).toMatch(new RegExp(row, 'm'));
      expect(server.requests, hint).toHaveLength(isOverwriting ? 1 : 2);
      expect([...keys], hint).toEqual([takes('Idempotency-Key') ? expect.any(String) : undefined]);
    },
  );
});

it.each([{}, byOption])('a repeated delete throws the NotFoundError that it caused: %j', async (options) => {
  const server = await startFakeServer(disconnect, problem(404, 'Task not found'));

  await expect(server.client().tasks.delete('1', options)).rejects.toMatchObject({ name: 'NotFoundError' });
  expect(server.requests).toHaveLength(2);
});
