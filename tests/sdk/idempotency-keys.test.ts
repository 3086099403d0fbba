import { describe, expect, it } from 'vitest';
import { createClient, WorktableError, type Client, type IdempotentOptions } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import {
  collect,
  disconnect,
  hang,
  json,
  problem,
  startFakeServer,
  sseStream,
  sseEvent,
  type Responder,
} from './fake-server.ts';
import { queuedRun, run, task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const input = { input: 'x' };

const idempotentCalls: readonly [
  string,
  (client: Client, options?: IdempotentOptions) => Promise<unknown>,
][] = [
  ['tasks.create', ({ tasks }, options) => tasks.create({ title: 'A' }, options)],
  ['create.withResponse', ({ tasks }, options) => tasks.create({ title: 'A' }, options).withResponse()],
  ['tasks.createComment', ({ tasks }, options) => tasks.createComment('1', { body: 'A' }, options)],
  ['agents.create', ({ agents }, options) => agents.create({ name: 'A' }, options)],
  ['agents.run', ({ agents }, options) => agents.run('1', input, options)],
  ['agents.stream', ({ agents }, options) => collect(agents.stream('1', input, options))],
];

/** Failures after which the call may have taken effect. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['TimeoutError', hang],
  ['ServerError', problem(500, 'Database error')],
  ['ApiError', (response) => response.writeHead(502, soon).end('<h1>Bad gateway</h1>')],
  ['OverloadedError', problem(503, 'Overloaded', soon)],
  ['InvalidResponseError', (response) => response.writeHead(201).end('<html>')],
  ['InvalidResponseError', json(201, null)],
];

const refusalStatuses = [400, 401, 403, 404, 413, 415, 422, 429];

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(idempotentCalls)('errors of %s', (_name, call) => {
  it.each(unknownOutcomes)(
    'an error with an unknown outcome has the idempotency key: %s',
    async (name, responder) => {
      const server = await startFakeServer(responder);

      const timeoutMs = name === 'TimeoutError' ? 500 : undefined;
      const error = await errorOf(call(server.client(), { timeoutMs, retriesMax: 0 }));

      const idempotencyKey = server.requests[0]?.headers['idempotency-key'];
      expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
      expect(error).toMatchObject({ name, idempotencyKey });
    },
  );

  it.each(refusalStatuses)('the error of a refused call has no idempotency key: %i', async (status) => {
    const server = await startFakeServer(problem(status, 'Server Error', soon));

    const error = await errorOf(call(server.client(), { retriesMax: 0 }));

    expect(error).toMatchObject({ status, idempotencyKey: undefined });
  });
});

describe('errors of a call with an idempotency key', () => {
  it('the error has the key that the caller passed', async () => {
    const server = await startFakeServer(disconnect);
    const { tasks } = server.client({ retriesMax: 0 });

    const byOption = await errorOf(tasks.create({ title: 'A' }, { idempotencyKey: 'mine' }));
    const header = { 'idempotency-key': 'mine too' };
    const byHeader = await errorOf(tasks.create({ title: 'A' }, { headers: header }));

    expect(byOption).toMatchObject({ idempotencyKey: 'mine' });
    expect(byHeader).toMatchObject({ idempotencyKey: 'mine too' });
  });

  it.each([401, 404, 429])(
    'the error has the key if a %i follows an attempt with an unknown outcome',
    async (status) => {
      const server = await startFakeServer(disconnect, problem(status, 'Server Error', soon));
      const call = server.client({ retriesMax: 1 }).tasks.create({ title: 'A' }, { idempotencyKey: 'mine' });

      await expect(call).rejects.toMatchObject({ status, idempotencyKey: 'mine' });
    },
  );

  it.each([
    ['while a request is pending', hang],
    ['during the delay before a retry', problem(429, 'Rate Limited', { 'Retry-After': '60' })],
  ])('the error has the key if the caller aborts %s', async (_when, responder) => {
    const server = await startFakeServer(responder);
    const options = { idempotencyKey: 'mine', signal: AbortSignal.timeout(200) };

    const call = server.client().tasks.create({ title: 'A' }, options);

    await expect(call).rejects.toMatchObject({ name: 'AbortError', idempotencyKey: 'mine' });
  });

  it('the error has the key if the caller aborts a stream after its first event', async () => {
    const server = await startFakeServer(
      json(202, queuedRun),
      sseStream([sseEvent('run.started', run)], 'hang'),
    );
    const { agents } = server.client();
    const options = { idempotencyKey: 'mine', signal: AbortSignal.timeout(200) };

    const events = collect(agents.stream('1', input, options));

    await expect(events).rejects.toMatchObject({ name: 'AbortError', idempotencyKey: 'mine' });
  });

  it('the error has the key if an event of a stream is invalid', async () => {
    const events = [sseEvent('run.started', run), 'event: message\ndata: null\n\n'];
    const server = await startFakeServer(json(202, queuedRun), sseStream(events));

    const call = collect(server.client().agents.stream('1', input, { idempotencyKey: 'mine' }));

    await expect(call).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      idempotencyKey: 'mine',
      cause: { name: 'InvalidResponseError' },
    });
  });

  it('the error has no key if no request was sent', async () => {
    const server = await startFakeServer(disconnect);

    const call = server.client().tasks.create({ title: 'A' }, { headers: { 'X-Bad': 'a\n.' } });

    await expect(call).rejects.toMatchObject({ name: 'WorktableError', idempotencyKey: undefined });
  });

  it('a repeated create with the key of the error returns the first task instead of a second one', async () => {
    const { url } = await startTestServer();
    const loseResponse = async (request: Request): Promise<Response> => {
      await fetch(request);
      throw new TypeError('lost');
    };
    const token = await tokenFor('alice');
    const disconnecting = createClient({ baseUrl: url, token, retriesMax: 0, fetch: loseResponse });
    const client = createClient({ baseUrl: url, token });

    const error = await errorOf(disconnecting.tasks.create({ title: 'Once' }));
    const { idempotencyKey } = error instanceof WorktableError ? error : {};
    const created = await client.tasks.create({ title: 'Once' }, { idempotencyKey });

    expect(await client.tasks.list().toArray()).toEqual([created]);
  });
});

describe('errors of a call without an idempotency key', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['tasks.get', ({ tasks }) => tasks.get('1')],
    ['tasks.assign', ({ tasks }) => tasks.assign('1', { assignee_id: 'bob' })],
    ['tasks.update', ({ tasks }) => tasks.update('1', task, { headers: { 'Idempotency-Key': 'unused' } })],
  ])('the error has no key: %s', async (_name, call) => {
    const server = await startFakeServer(disconnect);

    const error = call(server.client({ retriesMax: 0 }));

    await expect(error).rejects.toMatchObject({ name: 'ConnectionError', idempotencyKey: undefined });
  });
});
