import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Client, ConditionalOptions } from '../../sdk/src/index.ts';
import { writes } from '../../sdk/src/query-options.ts';
import { operationOf } from '../support/contract.ts';
import { disconnect, hang, json, problem, startFakeServer, type Responder } from './fake-server.ts';
import { task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const answer = json(200, { task });

/** Failures after which a change may have taken effect, so that a retry could undo a later change. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['TimeoutError', hang],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
];
const unchanged = [
  problem(408, 'Server Error', soon),
  problem(429, 'Rate Limited', soon),
  problem(503, 'Overloaded', soon),
];
const byOption = { ifMatch: '"3"' };
const byHeader = { headers: { 'if-match': '"3"' } };

type Change = (client: Client, options: ConditionalOptions) => Promise<unknown>;

const update: Change = ({ tasks }, options) => tasks.update('1', { status: 'done' }, options);
const assign: Change = ({ tasks }, options) => tasks.assign('1', { assignee_id: 'bob' }, options);

describe.each<[string, Change, ConditionalOptions]>([
  ['an update', update, {}],
  ['an update under ifMatch', update, byOption],
  ['an update under an If-Match header', update, byHeader],
  ['an assignment under ifMatch', assign, byOption],
  ['an assignment under an If-Match header', assign, byHeader],
])('%s', (_what, change, options) => {
  it.each(unknownOutcomes)('is not retried if it may have taken effect: %s', async (name, responder) => {
    const server = await startFakeServer(responder, answer);
    const timeoutMs = name === 'TimeoutError' ? 1000 : undefined;

    await expect(change(server.client(), { ...options, timeoutMs })).rejects.toMatchObject({ name });
    expect(server.requests).toHaveLength(1);
  });

  it('is retried if the server reports that it did nothing', async () => {
    for (const refusal of unchanged) {
      const server = await startFakeServer(refusal, answer);
      await change(server.client(), options);
      expect(server.requests).toHaveLength(2);
    }
  });
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

describe('a call that may be repeated', () => {
  it('is retried after a connection error', async () => {
    const server = await startFakeServer(disconnect, (response) =>
      response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
    );

    expect(await server.client().viz.renderSvg({ data: [] })).toMatchObject({ svg: '<svg/>' });
  });

  it.each([{}, byOption])(
    'is a delete, which then throws the NotFoundError that it caused: %j',
    async (options) => {
      const server = await startFakeServer(disconnect, problem(404, 'Task not found'));

      await expect(server.client().tasks.delete('1', options)).rejects.toMatchObject({
        name: 'NotFoundError',
      });
      expect(server.requests).toHaveLength(2);
    },
  );
});
