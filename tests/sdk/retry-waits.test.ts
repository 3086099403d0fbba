import { describe, expect, it } from 'vitest';
import type { RetryWait } from '../../sdk/src/index.ts';
import { collect, json, problem, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completedRun, run, task } from './samples.ts';

const soon = { 'Retry-After': '0' };
const overloaded = problem(503, 'Overloaded', soon);

/** Collects the waits as texts, and fails, which must not fail the call. */
function watch(): { waits: string[]; onRetry: (wait: RetryWait) => void } {
  const waits: string[] = [];
  const onRetry = ({ operation, attempt, error, retryInMs }: RetryWait): void => {
    const isShort = retryInMs >= 500 && retryInMs <= 1_000;
    waits.push(`${operation} ${attempt} ${error.name} ${isShort ? 'backoff' : retryInMs}`);
    throw new Error('An error of onRetry fails nothing.');
  };
  return { waits, onRetry };
}

describe('onRetry', () => {
  it('is called before each wait of a call, with its reason and length', async () => {
    const server = await startFakeServer(overloaded, problem(429, 'Rate Limited', soon), json(200, { task }));
    const { waits, onRetry } = watch();

    await server.client({ onRetry }).tasks.get('1');

    expect(waits).toEqual(['getTask 1 OverloadedError 0', 'getTask 2 RateLimitedError 0']);
  });

  it('is not called for an error that ends the call, nor for a new token', async () => {
    const server = await startFakeServer(problem(401, 'Unauthorized'), problem(404, 'Task not found'));
    const { waits, onRetry } = watch();

    await expect(server.client({ onRetry, token: () => 't' }).tasks.get('1')).rejects.toThrow('404');

    expect(waits).toEqual([]);
  });

  it('is called before each wait of a stream of a run', async () => {
    const started = sseEvent('run.started', run);
    const server = await startFakeServer(
      sseStream([started], 'disconnect'),
      overloaded,
      sseStream([started, sseEvent('run.completed', completedRun)]),
    );
    const { waits, onRetry } = watch();

    await collect(server.client({ onRetry }).runs.stream(run.id));

    expect(waits).toEqual(['getRun 1 ConnectionError backoff', 'getRun 1 OverloadedError 0']);
  });

  it('is called before each wait of a stream of changes', async () => {
    const ready = sseEvent('ready', { cursor: 'c-1' });
    const change = sseEvent('change', { task_id: '1', cursor: 'c-2' });
    const server = await startFakeServer(overloaded, sseStream([ready], 'end'), sseStream([ready, change]));
    const { waits, onRetry } = watch();

    for await (const { cursor } of server.client({ onRetry }).tasks.changes({ after: '0' }))
      if (cursor === 'c-2') break;

    expect(waits).toEqual(['listChanges 1 OverloadedError 0', 'listChanges 1 ConnectionError backoff']);
  });
});
