import { describe, expect, it } from 'vitest';
import { OverloadedError, type RunEvent } from '../../sdk/src/index.ts';
import { collect, problem, startFakeServer, stream, text } from './fake-server.ts';
import { completedRun, message, run } from './samples.ts';

const started = text('run.started', run);
const delta = text('message.delta', { run_id: run.id, text: 'Do' });
const first = text('message', message('m-1', 'Do'), '1');
const completed = text('run.completed', completedRun);

function names(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}

describe('the stream of a run', () => {
  it('tells its events in order and ends with the terminal one', async () => {
    const server = await startFakeServer(
      stream([started, delta, ': heartbeat\n\n', first, completed], 'hang'),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'message.delta', 'message m-1', 'run.completed']);
    expect(events.at(-1)?.data).toEqual(completedRun);
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'text/event-stream, application/problem+json',
    });
    expect(server.requests[0]?.headers['idempotency-key']).toBeDefined();
  });

  it('ends with run.failed as well', async () => {
    const server = await startFakeServer(stream([started, text('run.failed', { ...run, status: 'failed' })]));

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'run.failed']);
  });

  it('is left without an error, and its connection is closed', async () => {
    let isClosed = false;
    const server = await startFakeServer((response, request) => {
      response.on('close', () => (isClosed = true));
      stream([started], 'hang')(response, request);
    });

    for await (const { event } of server.client().agents.stream('a-1', { input: 'x' })) {
      if (event === 'run.started') break;
    }

    await expect.poll(() => isClosed).toBe(true);
  });

  it('is iterated once: a second iteration throws, for it would be another run', async () => {
    const server = await startFakeServer(stream([started, completed]));
    const events = server.client().agents.stream('a-1', { input: 'x' });

    await collect(events);

    await expect(collect(events)).rejects.toThrow(/iterated once/);
    expect(server.requests).toHaveLength(1);
  });

  it('ends at its deadline', async () => {
    const server = await startFakeServer(stream([started], 'hang'));
    const events = server.client().agents.stream('a-1', { input: 'x' }, { deadlineMs: 200 });

    await expect(collect(events)).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('throws what the server refuses', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded'));

    const events = server.client({ retriesMax: 0 }).agents.stream('a-1', { input: 'x' });

    await expect(collect(events)).rejects.toThrow(OverloadedError);
  });
});
