import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  createClient,
  OverloadedError,
  TimeoutError,
} from '../../sdk/src/index.ts';
import { retryDelayMs } from '../../sdk/src/retries.ts';
import { disconnect, json, problem, startFakeServer } from './fake-server.ts';
import { task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const answer = json(200, { task });
const nowMs = Date.parse('2026-11-21T10:00:00Z');

function apiError(status: number, headers: Record<string, string> = {}): ApiError {
  return new ApiError({ status, headers: new Headers(headers), body: undefined });
}

describe('retries', () => {
  it.each([408, 429, 502, 503, 504])('a call is retried after a %i', async (status) => {
    const server = await startFakeServer(problem(status, 'Overloaded', soon), answer);

    const result = await server.client().tasks.get('1').withResponse();

    expect(result.response.attempts).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 501])(
    'a call is not retried after a %i',
    async (status) => {
      const server = await startFakeServer(problem(status, 'Server Error', soon), answer);

      await expect(server.client().tasks.get('1')).rejects.toMatchObject({ status });

      expect(server.requests).toHaveLength(1);
    },
  );

  it('a call is retried after a connection error', async () => {
    const server = await startFakeServer(disconnect, answer);

    await server.client().tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('a retry is delayed by at least half a second', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
    const { tasks } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });

    tasks.get('1').catch(() => undefined);
    await vi.advanceTimersByTimeAsync(499);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(501);

    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('a call throws its last error after two retries', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon));

    await expect(server.client().tasks.get('1')).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(3);
  });

  it('retriesMax 0 disables retries, for a call or for a client', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon));

    await expect(server.client().tasks.get('1', { retriesMax: 0 })).rejects.toThrow(OverloadedError);
    await expect(server.client({ retriesMax: 0 }).tasks.get('1')).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(2);
  });

  it('a retried POST sends the same Idempotency-Key and body', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon), json(201, { task }));

    await server.client().tasks.create({ title: 'Buy milk' });

    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });

  it('each call sends the idempotencyKey of the caller, or else a new one', async () => {
    const server = await startFakeServer(json(201, { task }));
    const { tasks } = server.client();

    await tasks.create({ title: 'A' }, { idempotencyKey: 'mine' });
    await tasks.create({ title: 'A' });
    await tasks.create({ title: 'A' });

    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('mine');
    expect(new Set(keys).size).toBe(3);
  });

  it('an assignment and a rendering are retried, because they may be repeated', async () => {
    const server = await startFakeServer(disconnect, json(200, task), disconnect, (response) =>
      response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
    );
    const { tasks, viz } = server.client();

    await tasks.assign('1', { assignee_id: 'bob' });
    await viz.renderSvg({ data: [] });

    expect(server.requests).toHaveLength(4);
  });

  it.each([{ ifMatch: '"1"' }, { headers: { 'If-Match': '"1"' } }])(
    'an assignment with %j is retried only if the server did nothing',
    async (options) => {
      const lost = await startFakeServer(disconnect);
      const refused = await startFakeServer(problem(503, 'Overloaded', soon), json(200, task));

      await expect(lost.client().tasks.assign('1', { assignee_id: 'bob' }, options)).rejects.toThrow(
        ConnectionError,
      );
      await refused.client().tasks.assign('1', { assignee_id: 'bob' }, options);

      expect(lost.requests).toHaveLength(1);
      expect(refused.requests).toHaveLength(2);
    },
  );
});

describe('retryDelayMs', () => {
  it('retryDelayMs is between half a second and a ceiling that doubles up to eight seconds', () => {
    const delaysMinMs = [1, 2, 3, 4, 9].map((attempt) =>
      retryDelayMs(apiError(503), attempt, { random: 0, nowMs }),
    );
    const delaysMaxMs = [1, 2, 3, 4, 9].map((attempt) =>
      retryDelayMs(apiError(503), attempt, { random: 1, nowMs }),
    );

    expect(delaysMinMs).toEqual([500, 500, 500, 500, 500]);
    expect(delaysMaxMs).toEqual([1000, 2000, 4000, 8000, 8000]);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Sat, 21 Nov 2026 10:00:09 GMT', 9_000],
    ['a date in the past', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['more than a minute', '86400', 60_000],
    ['a fraction', '1.5', 1_500],
    ['a date of RFC 850', 'Saturday, 21-Nov-26 10:00:09 GMT', 9_000],
    ['a date of asctime, which is in GMT', 'Sat Nov 21 10:00:09 2026', 9_000],
    ['nonsense', 'soon', 500],
    ['a negative number', '-5', 500],
    ['words and a number', 'In 5 minutes', 500],
  ])('retryDelayMs follows a Retry-After with %s', (_kind, header, delayMs) => {
    const error = apiError(429, { 'Retry-After': header });

    expect(retryDelayMs(error, 1, { random: 0, nowMs })).toBe(delayMs);
  });

  it('retryDelayMs is undefined if a retry would not help', () => {
    const inputs = { random: 0, nowMs };

    expect(retryDelayMs(apiError(404), 1, inputs)).toBeUndefined();
    expect(retryDelayMs(new TimeoutError('deadline'), 1, inputs)).toBeUndefined();
    expect(retryDelayMs(new Error('not an error of the SDK'), 1, inputs)).toBeUndefined();
    expect(retryDelayMs(new TimeoutError('attempt'), 1, inputs)).toBe(500);
    expect(retryDelayMs(new ConnectionError('connection closed'), 1, inputs)).toBe(500);
  });
});
