import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../sdk/src/index.ts';
import { writes } from '../../sdk/src/query-options.ts';
import { operationOf } from '../support/contract.ts';
import { disconnect, hang, problem, startFakeServer, type Responder } from './fake-server.ts';
import { answer, soon } from './samples.ts';

/** Failures after which a change may have taken effect, so that a retry could undo a later change. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['TimeoutError', hang],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
];
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
    const timeoutMs = name === 'TimeoutError' ? 500 : undefined;

    await expect(assign(server.client(), timeoutMs)).rejects.toMatchObject({ name });
    expect(server.requests).toHaveLength(1);
  });

  it.each(unchanged)('is retried if the server reports that it did nothing: %i', async (status, code) => {
    const server = await startFakeServer(problem(status, code, soon), answer);

    await assign(server.client());

    expect(server.requests).toHaveLength(2);
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
