import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  createClient,
  OverloadedError,
  TimeoutError,
} from '../../sdk/src/index.ts';
import { retryDelayMs } from '../../sdk/src/retries.ts';
import { cut, json, problem, startFakeServer } from './fake-server.ts';
import { task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const answer = json(200, { task });
const nowMs = Date.parse('2026-11-21T10:00:00Z');

function failure(status: number, headers: Record<string, string> = {}): ApiError {
  return new ApiError({ status, headers: new Headers(headers), body: undefined });
}

describe('retries', () => {
  it.each([408, 429, 502, 503, 504])('repeat a call that was answered with %i', async (status) => {
    const server = await startFakeServer(problem(status, 'Overloaded', soon), answer);

    const result = await server.client().tasks.get('1').withResponse();

    expect(result.response.attempts).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 501])('leave %i as it is', async (status) => {
    const server = await startFakeServer(problem(status, 'Server Error', soon), answer);

    await expect(server.client().tasks.get('1')).rejects.toMatchObject({ status });

    expect(server.requests).toHaveLength(1);
  });

  it('repeat a call whose connection broke', async () => {
    const server = await startFakeServer(cut, answer);

    await server.client().tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('wait half a second or more', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = vi.fn(() => Promise.reject(new TypeError('cut')));
    const { tasks } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });

    tasks.get('1').catch(() => undefined);
    await vi.advanceTimersByTimeAsync(499);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(501);

    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('end after two, and the last failure is thrown', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon));

    await expect(server.client().tasks.get('1')).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(3);
  });

  it('can be turned off for a call or a client', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon));

    await expect(server.client().tasks.get('1', { retriesMax: 0 })).rejects.toThrow(OverloadedError);
    await expect(server.client({ retriesMax: 0 }).tasks.get('1')).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(2);
  });

  it('send a POST again under the same Idempotency-Key', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon), json(201, { task }));

    await server.client().tasks.create({ title: 'Buy milk' });

    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });

  it('use the key that the caller gives, and a new one for each call otherwise', async () => {
    const server = await startFakeServer(json(201, { task }));
    const { tasks } = server.client();

    await tasks.create({ title: 'A' }, { idempotencyKey: 'mine' });
    await tasks.create({ title: 'A' });
    await tasks.create({ title: 'A' });

    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('mine');
    expect(new Set(keys).size).toBe(3);
  });

  it('send a POST that has no key only once', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', soon));
    const { tasks, viz } = server.client();

    await expect(tasks.assign('1', { assignee_id: 'bob' })).rejects.toThrow(OverloadedError);
    await expect(viz.renderSvg({ data: [] })).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(2);
  });

  it('wait for an earlier attempt of the same call that is still in progress', async () => {
    const inProgress = problem(409, 'Request in progress', soon);
    const server = await startFakeServer(problem(503, 'Overloaded', soon), inProgress, json(201, { task }));

    await server.client().tasks.create({ title: 'A' });

    expect(server.requests).toHaveLength(3);
  });
});

describe('retryDelayMs', () => {
  it('lies between half a second and a ceiling that doubles up to eight seconds', () => {
    const least = [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(failure(503), attempt, { random: 0, nowMs }));
    const most = [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(failure(503), attempt, { random: 1, nowMs }));

    expect(least).toEqual([500, 500, 500, 500, 500]);
    expect(most).toEqual([1000, 2000, 4000, 8000, 8000]);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Sat, 21 Nov 2026 10:00:09 GMT', 9_000],
    ['a date that is over', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['more than a minute', '86400', 60_000],
    ['nonsense', 'soon', 500],
  ])('reads a Retry-After with %s', (_kind, header, delayMs) => {
    const error = failure(429, { 'Retry-After': header });

    expect(retryDelayMs(error, 1, { random: 0, nowMs })).toBe(delayMs);
  });

  it('is undefined where another attempt would not help', () => {
    const chance = { random: 0, nowMs };

    expect(retryDelayMs(failure(404), 1, chance)).toBeUndefined();
    expect(retryDelayMs(new TimeoutError('deadline'), 1, chance)).toBeUndefined();
    expect(retryDelayMs(new Error('no error of ours'), 1, chance)).toBeUndefined();
    expect(retryDelayMs(new TimeoutError('attempt'), 1, chance)).toBe(500);
    expect(retryDelayMs(new ConnectionError('cut'), 1, chance)).toBe(500);
  });
});
