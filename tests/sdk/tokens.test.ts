import { describe, expect, it } from 'vitest';
import { UnauthorizedError } from '../../sdk/src/index.ts';
import { collect, json, problem, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completedRun, queuedRun, run, task } from './samples.ts';

const refused = problem(401, 'Unauthorized');

/** A token function that records its arguments. */
function countingTokens() {
  const asked: boolean[] = [];
  return {
    asked,
    token: ({ refresh }: { readonly refresh: boolean }): string => {
      asked.push(refresh);
      return `t-${asked.length}`;
    },
  };
}

describe('a token that the server refuses', () => {
  it('the token function is asked again, and the call succeeds with the new token', async () => {
    const server = await startFakeServer(refused, json(201, { task }));
    const { asked, token } = countingTokens();

    await server.client({ token, retriesMax: 0 }).tasks.create({ title: 'Buy milk' });

    expect(asked).toEqual([false, true]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2']);
    expect(server.requests[1]?.headers['idempotency-key']).toBe(
      server.requests[0]?.headers['idempotency-key'],
    );
  });

  it('the call fails if the new token is refused too', async () => {
    const server = await startFakeServer(refused);
    const { asked, token } = countingTokens();

    await expect(server.client({ token }).tasks.get('1')).rejects.toThrow(UnauthorizedError);

    expect(asked).toEqual([false, true]);
  });

  it('a token that is a string is sent once', async () => {
    const server = await startFakeServer(refused);

    await expect(server.client().tasks.get('1')).rejects.toThrow(UnauthorizedError);

    expect(server.requests).toHaveLength(1);
  });

  it('a stream starts with the new token', async () => {
    const server = await startFakeServer(
      json(202, queuedRun),
      refused,
      sseStream([sseEvent('run.started', run), sseEvent('run.completed', completedRun)]),
    );

    const events = await collect(
      server.client({ token: countingTokens().token }).agents.stream('a-1', { input: 'x' }),
    );

    expect(events.map(({ event }) => event)).toEqual(['run.started', 'run.completed']);
  });
});
