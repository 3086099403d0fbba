import { describe, expect, it } from 'vitest';
import type { Client, IdempotentOptions } from '../../sdk/src/index.ts';
import {
  collect,
  disconnect,
  hang,
  json,
  problem,
  startFakeServer,
  sseStream,
  type Responder,
} from './fake-server.ts';
import { accepted, overloaded, soon, started } from './samples.ts';

const input = { input: 'x' };
const draft = { title: 'A' };

/** retried-writes.test.ts has the other methods that send a key. */
const idempotentCalls: readonly [
  string,
  (client: Client, options?: IdempotentOptions) => Promise<unknown>,
][] = [
  ['tasks.create', ({ tasks }, options) => tasks.create(draft, options)],
  ['agents.stream', ({ agents }, options) => collect(agents.stream('1', input, options))],
];

/** Failures of calls that may have taken effect. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['TimeoutError', hang],
  ['ServerError', problem(500, 'Database error')],
  ['ApiError', (response) => response.writeHead(502, soon).end('<h1>Bad gateway</h1>')],
  ['OverloadedError', overloaded],
  ['InvalidResponseError', (response) => response.writeHead(201).end('<html>')],
  ['InvalidResponseError', json(201, null)],
];

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(idempotentCalls)('the error of %s', (_name, call) => {
  it('has the key of its request if the call may have taken effect', async () => {
    for (const [name, responder] of unknownOutcomes) {
      const server = await startFakeServer(responder);
      const timeoutMs = name === 'TimeoutError' ? 500 : undefined;

      const error = await errorOf(call(server.client(), { timeoutMs, retriesMax: 0 }));

      const idempotencyKey = server.requests[0]?.headers['idempotency-key'];
      expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
      expect(error).toMatchObject({ name, idempotencyKey });
    }
  });

  it('has no key if the call was refused', async () => {
    for (const status of [400, 401, 403, 404, 413, 415, 422, 429]) {
      const server = await startFakeServer(problem(status, 'Server Error', soon));

      const error = await errorOf(call(server.client(), { retriesMax: 0 }));

      expect(error).toMatchObject({ status, idempotencyKey: undefined });
    }
  });
});

describe('the error of a call with a key', () => {
  const mine = { idempotencyKey: 'mine' };
  const aborted = { name: 'AbortError', ...mine };
  const signal = (): AbortSignal => AbortSignal.timeout(200);

  it.each<[string, Responder[], (client: Client) => Promise<unknown>, object]>([
    ['of an option', [disconnect], ({ tasks }) => tasks.create(draft, { ...mine, retriesMax: 0 }), mine],
    ...[401, 404, 429].map((status): [string, Responder[], (client: Client) => Promise<unknown>, object] => [
      `if a ${status} follows an attempt with an unknown outcome`,
      [disconnect, problem(status, 'Server Error', soon)],
      ({ tasks }) => tasks.create(draft, { ...mine, retriesMax: 1 }),
      { status, ...mine },
    ]),
    [
      'if the caller aborts while a request is pending',
      [hang],
      ({ tasks }) => tasks.create(draft, { ...mine, signal: signal() }),
      aborted,
    ],
    [
      'if the caller aborts a stream after its first event',
      [accepted, sseStream([started], 'hang')],
      ({ agents }) => collect(agents.stream('1', input, { ...mine, signal: signal() })),
      aborted,
    ],
  ])('has it: %s', async (_when, responders, call, error) => {
    const server = await startFakeServer(...responders);

    await expect(call(server.client())).rejects.toMatchObject(error);
  });
});

it.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['reads', ({ tasks }) => tasks.get('1'), 'ConnectionError'],
  ['may be repeated', ({ tasks }) => tasks.assign('1', { assignee_id: 'bob' }), 'ConnectionError'],
  ['was not sent', ({ tasks }) => tasks.create(draft, { headers: { 'X-Bad': 'a\n.' } }), 'WorktableError'],
])('the error of a call that %s has no key', async (_what, call, name) => {
  const server = await startFakeServer(disconnect);

  const error = errorOf(call(server.client({ retriesMax: 0 })));

  expect(await error).toMatchObject({ name, idempotencyKey: undefined });
});
