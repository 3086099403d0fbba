import { describe, expect, it } from 'vitest';
import { createClient, WorktableError, type Client, type KeyedOptions } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import {
  collect,
  cut,
  hang,
  json,
  problem,
  startFakeServer,
  stream,
  text,
  type Reaction,
} from './fake-server.ts';
import { run, task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const input = { input: 'x' };

const keyedCalls: readonly [string, (client: Client, options?: KeyedOptions) => Promise<unknown>][] = [
  ['tasks.create', ({ tasks }, options) => tasks.create({ title: 'A' }, options)],
  ['create.withResponse', ({ tasks }, options) => tasks.create({ title: 'A' }, options).withResponse()],
  ['tasks.createComment', ({ tasks }, options) => tasks.createComment('1', { body: 'A' }, options)],
  ['agents.create', ({ agents }, options) => agents.create({ name: 'A' }, options)],
  ['agents.run', ({ agents }, options) => agents.run('1', input, options)],
  ['agents.stream', ({ agents }, options) => collect(agents.stream('1', input, options))],
];

/** What may come after the call has happened, or before it happens. */
const open: readonly [string, Reaction][] = [
  ['ConnectionError', cut],
  ['TimeoutError', hang],
  ['RequestInProgressError', problem(409, 'Request in progress', soon)],
  ['ServerError', problem(500, 'Database error')],
  ['ApiError', (response) => response.writeHead(502, soon).end('<h1>Bad gateway</h1>')],
  ['OverloadedError', problem(503, 'Overloaded', soon)],
  ['InvalidResponseError', (response) => response.writeHead(201).end('<html>')],
  ['InvalidResponseError', json(201, null)],
];

const refused = [400, 401, 403, 404, 413, 415, 422, 429];

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(keyedCalls)('the error of %s', (_name, call) => {
  it.each(open)('tells the key where it leaves the outcome open: %s', async (name, reaction) => {
    const server = await startFakeServer(reaction);

    const error = await failureOf(call(server.client(), { timeoutMs: 500, retriesMax: 0 }));

    const idempotencyKey = server.requests[0]?.headers['idempotency-key'];
    expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect(error).toMatchObject({ name, idempotencyKey });
  });

  it.each(refused)('tells no key where the server has refused the call: %i', async (status) => {
    const server = await startFakeServer(problem(status, 'Server Error', soon));

    const error = await failureOf(call(server.client(), { retriesMax: 0 }));

    expect(error).toMatchObject({ status, idempotencyKey: undefined });
  });
});

describe('the error of a keyed call', () => {
  it('tells the key that the caller has given', async () => {
    const server = await startFakeServer(cut);
    const { tasks } = server.client({ retriesMax: 0 });

    const byOption = await failureOf(tasks.create({ title: 'A' }, { idempotencyKey: 'mine' }));
    const header = { 'idempotency-key': 'mine too' };
    const byHeader = await failureOf(tasks.create({ title: 'A' }, { headers: header }));

    expect(byOption).toMatchObject({ idempotencyKey: 'mine' });
    expect(byHeader).toMatchObject({ idempotencyKey: 'mine too' });
  });

  it.each([401, 404, 429])('tells the key when %i comes after an attempt that is open', async (status) => {
    const server = await startFakeServer(cut, problem(status, 'Server Error', soon));
    const call = server.client({ retriesMax: 1 }).tasks.create({ title: 'A' }, { idempotencyKey: 'mine' });

    await expect(call).rejects.toMatchObject({ status, idempotencyKey: 'mine' });
  });

  it.each([
    ['under way', hang],
    ['in the wait before a retry', problem(429, 'Rate Limited', { 'Retry-After': '60' })],
  ])('tells the key when the caller aborts it %s', async (_when, reaction) => {
    const server = await startFakeServer(reaction);
    const options = { idempotencyKey: 'mine', signal: AbortSignal.timeout(200) };

    const call = server.client().tasks.create({ title: 'A' }, options);

    await expect(call).rejects.toMatchObject({ name: 'AbortError', idempotencyKey: 'mine' });
  });

  it('tells the key when a stream ends that has begun', async () => {
    const server = await startFakeServer(stream([text('run.started', run)], 'hang'));
    const { agents } = server.client();
    const options = { idempotencyKey: 'mine', signal: AbortSignal.timeout(200) };

    const events = collect(agents.stream('1', input, options));

    await expect(events).rejects.toMatchObject({ name: 'AbortError', idempotencyKey: 'mine' });
  });

  it('tells the key when an event of a stream cannot be read', async () => {
    const events = [text('run.started', run), 'event: message\ndata: null\n\n'];
    const server = await startFakeServer(stream(events));

    const call = collect(server.client().agents.stream('1', input, { idempotencyKey: 'mine' }));

    await expect(call).rejects.toMatchObject({ name: 'InvalidResponseError', idempotencyKey: 'mine' });
  });

  it('tells no key where nothing was sent', async () => {
    const server = await startFakeServer(cut);

    const call = server.client().tasks.create({ title: 'A' }, { headers: { 'X-Bad': 'a\n.' } });

    await expect(call).rejects.toMatchObject({ name: 'WorktableError', idempotencyKey: undefined });
  });

  it('leads to the task that an answer was lost of, rather than to a second one', async () => {
    const { url } = await startTestServer();
    const loseAnswer = async (request: Request): Promise<Response> => {
      await fetch(request);
      throw new TypeError('lost');
    };
    const token = await tokenFor('alice');
    const unlucky = createClient({ baseUrl: url, token, retriesMax: 0, fetch: loseAnswer });
    const client = createClient({ baseUrl: url, token });

    const error = await failureOf(unlucky.tasks.create({ title: 'Once' }));
    const { idempotencyKey } = error instanceof WorktableError ? error : {};
    const created = await client.tasks.create({ title: 'Once' }, { idempotencyKey });

    expect(await client.tasks.list().toArray()).toEqual([created]);
  });
});

describe('the error of a call without a key', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['tasks.get', ({ tasks }) => tasks.get('1')],
    ['tasks.assign', ({ tasks }) => tasks.assign('1', { assignee_id: 'bob' })],
    ['tasks.update', ({ tasks }) => tasks.update('1', task, { headers: { 'Idempotency-Key': 'unused' } })],
  ])('tells none: %s', async (_name, call) => {
    const server = await startFakeServer(cut);

    const error = call(server.client({ retriesMax: 0 }));

    await expect(error).rejects.toMatchObject({ name: 'ConnectionError', idempotencyKey: undefined });
  });
});
