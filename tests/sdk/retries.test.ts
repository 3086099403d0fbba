import { describe, expect, it } from 'vitest';
import { ApiError, OverloadedError, type Client, type RetryWait } from '../../sdk/src/index.ts';
import { retryDelayMs } from '../../sdk/src/retries.ts';
import {
  collect,
  disconnect,
  json,
  problem,
  sseEvent,
  sseStream,
  startFakeServer,
  type Responder,
} from './fake-server.ts';
import { answer, completed, overloaded, run, soon, started, task } from './samples.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');

function apiError(status: number, headers: Record<string, string> = {}): ApiError {
  return new ApiError({ status, headers: new Headers(headers), body: undefined });
}

describe('a call', () => {
  it.each<[string, Responder]>([
    ...[408, 429, 502, 503, 504].map((status): [string, Responder] => [
      String(status),
      problem(status, 'Overloaded', soon),
    ]),
    ['a connection error', disconnect],
  ])('is retried after %s', async (_what, responder) => {
    const server = await startFakeServer(responder, answer);

    const { response } = await server.client().tasks.get('1').withResponse();

    expect([response.attempts, server.requests.length]).toEqual([2, 2]);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 501])(
    'is not retried after a %i',
    async (status) => {
      const server = await startFakeServer(problem(status, 'Server Error', soon), answer);

      await expect(server.client().tasks.get('1')).rejects.toMatchObject({ status });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    ['after two retries', {}, {}, 3],
    ['at once with retriesMax 0 of the call', {}, { retriesMax: 0 }, 1],
    ['at once with retriesMax 0 of the client', { retriesMax: 0 }, {}, 1],
  ])('throws its last error %s', async (_when, ofClient, ofCall, requests) => {
    const server = await startFakeServer(overloaded);

    await expect(server.client(ofClient).tasks.get('1', ofCall)).rejects.toThrow(OverloadedError);
    expect(server.requests).toHaveLength(requests);
  });

  it('sends the idempotency key of the caller, or else a new one, and the same one and body in a retry', async () => {
    const server = await startFakeServer(overloaded, json(201, { task }));
    const { tasks } = server.client();

    await tasks.create({ title: 'A' });
    await tasks.create({ title: 'A' });
    await tasks.create({ title: 'A' }, { idempotencyKey: 'mine' });

    const [first, retry, second, third] = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([retry, third]).toEqual([first, 'mine']);
    expect(second).not.toBe(first);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });
});

describe('onRetry', () => {
  const ready = sseEvent('ready', { cursor: 'c-1' });
  const change = sseEvent('change', { task_id: '1', cursor: 'c-2' });

  it.each<[string, Responder[], (client: Client) => Promise<unknown>, string[]]>([
    [
      'a call',
      [overloaded, problem(429, 'Rate Limited', soon), answer],
      ({ tasks }) => tasks.get('1'),
      ['getTask 1 OverloadedError 0', 'getTask 2 RateLimitedError 0', 'getTask works again'],
    ],
    [
      'a stream of a run',
      [sseStream([started], 'disconnect'), overloaded, sseStream([started, completed])],
      ({ runs }) => collect(runs.stream(run.id)),
      ['getRun 1 ConnectionError backoff', 'getRun 1 OverloadedError 0'],
    ],
    [
      'a stream of changes',
      [overloaded, sseStream([ready], 'end'), sseStream([ready, change])],
      async ({ tasks }) => {
        for await (const { cursor } of tasks.changes({ after: '0' })) if (cursor === 'c-2') break;
      },
      ['listChanges 1 OverloadedError 0', 'listChanges 1 ConnectionError backoff'],
    ],
  ])('is called before each wait of %s, and may throw', async (_what, responders, call, expected) => {
    const server = await startFakeServer(...responders);
    const waits: string[] = [];
    const onRetry = ({ operation, attempt, error, retryInMs }: RetryWait): void => {
      const isBackoff = retryInMs >= 500 && retryInMs <= 1_000;
      waits.push(`${operation} ${attempt} ${error.name} ${isBackoff ? 'backoff' : retryInMs}`);
      throw new Error('An error of onRetry fails nothing.');
    };

    const onRecovery = (operation: string): void => void waits.push(`${operation} works again`);
    await call(server.client({ onRetry, onRecovery, token: () => 't' }));

    expect(waits).toEqual(expected);
  });
});

describe('retryDelayMs', () => {
  it('retryDelayMs is between half a second and a ceiling that doubles up to eight seconds', () => {
    const delaysMs = (random: number): unknown[] =>
      [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(apiError(503), attempt, { random, nowMs }));

    expect(delaysMs(0)).toEqual([500, 500, 500, 500, 500]);
    expect(delaysMs(1)).toEqual([1000, 2000, 4000, 8000, 8000]);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Sat, 21 Nov 2026 10:00:09 GMT', 9_000],
    ['a date in the past', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['more than a minute', '86400', 60_000],
    ['a fraction', '1.5', 1_500],
    ['nonsense', 'soon', 500],
    ['a negative number', '-5', 500],
  ])('retryDelayMs follows a Retry-After with %s', (_kind, header, delayMs) => {
    const error = apiError(429, { 'Retry-After': header });

    expect(retryDelayMs(error, 1, { random: 0, nowMs })).toBe(delayMs);
  });
});
