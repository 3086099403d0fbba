import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../sdk/src/events.ts';
import { OverloadedError, StreamInterruptedError, type RunEvent } from '../../sdk/src/index.ts';
import { collect, json, problem, startFakeServer, stream } from './fake-server.ts';
import { completedRun, message, run, session } from './samples.ts';

function text(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

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

  it.each(['end', 'cut'] as const)(
    'that breaks (%s) goes on with the messages that were missed',
    async (then) => {
      const messages = { messages: [message('m-2', 'ne.')], count: 1 };
      const server = await startFakeServer(
        stream([started, first], then),
        json(200, session),
        json(200, messages),
      );

      const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

      expect(names(events)).toEqual(['run.started', 'message m-1', 'message m-2', 'run.completed']);
      expect(server.requests.slice(1).map(({ url }) => url)).toEqual([
        '/v1/sessions/s-1',
        '/v1/sessions/s-1/messages?after=m-1&offset=0',
      ]);
    },
  );

  it('that breaks waits for a run that goes on, and leaves out the messages of other runs', async () => {
    const none = json(200, { messages: [], count: 0 });
    const other = { ...message('m-0', 'older'), run_id: 'other' };
    const server = await startFakeServer(
      stream([started], 'cut'),
      json(200, { ...session, run }),
      none,
      json(200, session),
      json(200, { messages: [other, message('m-1', 'Done.')], count: 2 }),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'message m-1', 'run.completed']);
  });

  it('that is silent for too long is taken as broken', async () => {
    const server = await startFakeServer(
      stream([started], 'hang'),
      json(200, session),
      json(200, { messages: [], count: 0 }),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }, { timeoutMs: 200 }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
  });

  it('that ends before it names its run is an error', async () => {
    const server = await startFakeServer(stream([delta]));

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toThrow(
      StreamInterruptedError,
    );
  });

  it('whose run is hidden by a later one is an error that names both run and session', async () => {
    const later = json(200, { ...session, run: { ...run, id: 'later' } });
    const server = await startFakeServer(stream([started]), later, json(200, { messages: [], count: 0 }));

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      sessionId: 's-1',
    });
  });

  it('whose session cannot be read either is an error with that as its cause', async () => {
    const server = await startFakeServer(stream([started], 'cut'), problem(500, 'Server Error'));

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      cause: { name: 'ServerError' },
    });
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

describe('eventsOf', () => {
  const wire =
    '\uFEFF: comment\r\nevent: message.delta\r\ndata: {"text":\r\ndata: "ü"}\r\n\r\nevent: new.kind\ndata: {}\n\ndata: {}\n\nevent:message.delta\rdata:{"text":"2"}\r\rid: 9\n\n';
  const expected = [
    { event: 'message.delta', data: { text: 'ü' } },
    { event: 'message.delta', data: { text: '2' } },
  ];

  it.each([1, 2, 3, 7, 1000])('reads any line breaks in pieces of %i bytes', async (size) => {
    const bytes = Buffer.from(wire);

    const events = await collect(eventsOf(pieces(bytes, size)));

    expect(events).toEqual(expected);
  });

  it('drops an event that was never finished', async () => {
    expect(await collect(eventsOf(pieces(Buffer.from('event: message\ndata: {}\n'), 9)))).toEqual([]);
  });

  it('throws for data that is not JSON', async () => {
    await expect(collect(eventsOf(pieces(Buffer.from('event: message\ndata: {\n\n'), 9)))).rejects.toThrow(
      /not JSON/,
    );
  });
});

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
