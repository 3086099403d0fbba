import { describe, expect, it } from 'vitest';
import { OverloadedError, type RunEvent } from '../../sdk/src/index.ts';
import { collect, json, problem, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completedRun, message, queuedRun, run } from './samples.ts';

const accepted = json(202, queuedRun);
const started = sseEvent('run.started', run);
const delta = sseEvent('message.delta', { run_id: run.id, message_id: 'm-1', offset: 0, text: 'Do' });
const first = sseEvent('message', message('m-1', 'Do'), '1');
const completed = sseEvent('run.completed', completedRun);

function names(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}

describe('streams', () => {
  it('a stream yields its events in order and ends with run.completed', async () => {
    const server = await startFakeServer(
      accepted,
      sseStream([started, delta, ': heartbeat\n\n', first, completed], 'hang'),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'message.delta', 'message m-1', 'run.completed']);
    expect(events.at(-1)?.data).toEqual(completedRun);
    const [start, stream] = server.requests;
    expect([start?.method, start?.url, start?.headers['prefer']]).toEqual([
      'POST',
      '/v1/agents/a-1/run',
      'respond-async',
    ]);
    expect(start?.headers['idempotency-key']).toBeDefined();
    expect([stream?.method, stream?.url]).toEqual(['GET', `/v1/runs/${run.id}?until=requires_action`]);
    expect(stream?.headers['accept']).toBe('text/event-stream, application/problem+json');
  });

  it('a stream ends with run.failed', async () => {
    const server = await startFakeServer(
      accepted,
      sseStream([started, sseEvent('run.failed', { ...run, status: 'failed' })]),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'run.failed']);
  });

  it('a stream goes on after run.waiting, and ends with run.incomplete', async () => {
    const waiting = { run_id: run.id, reason: 'model_busy', retry_after_s: 2 };
    const incomplete = { ...run, status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    const server = await startFakeServer(
      accepted,
      sseStream([started, sseEvent('run.waiting', waiting), sseEvent('run.incomplete', incomplete)]),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'run.waiting', 'run.incomplete']);
  });

  it('leaving the loop throws no error and closes the connection', async () => {
    let isClosed = false;
    const server = await startFakeServer(accepted, (response, request) => {
      response.on('close', () => (isClosed = true));
      sseStream([started], 'hang')(response, request);
    });

    for await (const { event } of server.client().agents.stream('a-1', { input: 'x' })) {
      if (event === 'run.started') break;
    }

    await expect.poll(() => isClosed).toBe(true);
  });

  it.each(['leaving the loop at', 'iterating beyond'] as const)(
    '%s the last event lets the response end instead of cancelling it',
    async (how) => {
      const ended = Promise.withResolvers<boolean>();
      const server = await startFakeServer(accepted, (response) => {
        response.on('close', () => {
          ended.resolve(response.writableFinished);
        });
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(started + completed);
        setTimeout(() => response.end(), 100);
      });

      for await (const { event } of server.client().agents.stream('a-1', { input: 'x' })) {
        if (how === 'leaving the loop at' && event === 'run.completed') break;
      }

      expect(await ended.promise).toBe(true);
    },
  );

  it('a second iteration throws, because it would start another run', async () => {
    const server = await startFakeServer(accepted, sseStream([started, completed]));
    const events = server.client().agents.stream('a-1', { input: 'x' });

    await collect(events);

    await expect(collect(events)).rejects.toThrow(/iterated once/);
    expect(server.requests).toHaveLength(2);
  });

  it('a stream that exceeds deadlineMs throws a TimeoutError', async () => {
    const server = await startFakeServer(accepted, sseStream([started], 'hang'));
    const events = server.client().agents.stream('a-1', { input: 'x' }, { deadlineMs: 200 });

    await expect(collect(events)).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('a stream throws the error of the server', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded'));

    const events = server.client({ retriesMax: 0 }).agents.stream('a-1', { input: 'x' });

    await expect(collect(events)).rejects.toThrow(OverloadedError);
  });
});
