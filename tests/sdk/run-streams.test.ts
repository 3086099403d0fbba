import { describe, expect, it } from 'vitest';
import { createClient, type RunEvent } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';
import { collect, fetchBreakingStreams, sseStream, startFakeServer } from './fake-server.ts';
import { completed, ended, heartbeat, namesOf, run, started } from './samples.ts';

describe('the stream of a run', () => {
  it('begins with the first message or after the one that is named, as often as it is iterated', async () => {
    const server = await startFakeServer(sseStream([started, completed]));
    const { runs } = server.client();
    const stream = runs.stream('r-1');

    expect(namesOf(await collect(stream))).toEqual(namesOf(await collect(stream)));
    await collect(runs.stream('r-1', { lastEventId: '7', until: 'finished' }));

    const first = ['/v1/runs/r-1?until=requires_action', undefined];
    expect(server.requests.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      first,
      first,
      ['/v1/runs/r-1?until=finished', '7'],
    ]);
  });

  it('goes on after run.requires_action until the run is finished, if that is asked for', async () => {
    const server = await startFakeServer(sseStream([started, ended('requires_action'), completed]));

    const events = await collect(server.client().runs.stream(run.id, { until: 'finished' }));

    expect(namesOf(events)).toEqual(['run.started', 'run.requires_action', 'run.completed']);
  });

  it('is closed without an error when the loop is left', async () => {
    let isClosed = false;
    const server = await startFakeServer((response, request) => {
      response.on('close', () => (isClosed = true));
      sseStream([started], 'hang')(response, request);
    });

    for await (const { event } of server.client().runs.stream(run.id)) if (event === 'run.started') break;

    await expect.poll(() => isClosed).toBe(true);
  });

  it.each(['leaving the loop at', 'iterating beyond'] as const)(
    '%s the last event lets the response end instead of cancelling it',
    async (how) => {
      const closed = Promise.withResolvers<boolean>();
      const server = await startFakeServer((response) => {
        response.on('close', () => {
          closed.resolve(response.writableFinished);
        });
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(started + completed);
        setTimeout(() => response.end(), 100);
      });

      for await (const { event } of server.client().runs.stream(run.id))
        if (how === 'leaving the loop at' && event === 'run.completed') break;

      expect(await closed.promise).toBe(true);
    },
  );

  it('ends at its deadline even if its chunks arrive without a pause', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(heartbeat));
      },
    });
    const headers = { 'Content-Type': 'text/event-stream' };
    const fetch = () => Promise.resolve(new Response(endless, { headers }));
    const { runs } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });

    await expect(collect(runs.stream('1', { deadlineMs: 100 }))).rejects.toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
    });
  });
});

it.each([0, 1])(
  'a stream of the real server that breaks after %i events has the messages of an unbroken one, of one run',
  async (eventsMax) => {
    const server = sharedServer();
    const options = { baseUrl: server.url, token: await server.token(`after-${eventsMax}`) };
    const { agents, tasks } = createClient(options);
    const breaking = createClient({ ...options, fetch: fetchBreakingStreams(eventsMax) });
    const { id } = await agents.create({ name: 'Planner', skills: ['tasks'] });
    const request = { input: 'create a task titled Buy milk' };

    const unbroken = contents(await collect(agents.stream(id, request)));
    const resumed = contents(await collect(breaking.agents.stream(id, request)));

    expect(resumed).toEqual(unbroken);
    expect(unbroken.length).toBeGreaterThan(2);
    expect(await tasks.list().toArray()).toHaveLength(2);
  },
);

/** The events without deltas, which are not repeated. */
function contents(events: readonly RunEvent[]): string[] {
  return events
    .filter(({ event }) => event !== 'message.delta')
    .map(({ event, data }) =>
      'role' in data ? `${data.role}: ${data.role === 'tool' ? '' : data.content}` : event,
    );
}
