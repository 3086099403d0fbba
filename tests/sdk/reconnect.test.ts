import { describe, expect, it } from 'vitest';
import { createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { collect } from './fake-server.ts';

/** A fetch that breaks its first event stream after `eventsMax` events, and the URLs of broken streams. */
function fetchWithBrokenStream(eventsMax: number) {
  const broken: string[] = [];
  return {
    broken,
    fetch: async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      const isStream = response.headers.get('Content-Type') === 'text/event-stream';
      if (!isStream || broken.length > 0) return response;
      const breakStream = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const passed = new TextDecoder().decode(chunk).split('\n\n').slice(0, eventsMax);
          for (const event of passed) controller.enqueue(new TextEncoder().encode(`${event}\n\n`));
          broken.push(request.url);
          controller.error(new TypeError('terminated'));
        },
      });
      return new Response(response.body?.pipeThrough(breakStream) ?? null, response);
    },
  };
}

describe('streams of a real server', () => {
  it.each([
    ['after its first event', 1],
    ['before its first event', 0],
  ])(
    'a stream whose connection breaks %s yields the same messages as an unbroken one, of a single run',
    async (_when, eventsMax) => {
      const server = await startTestServer();
      const options = { baseUrl: server.url, token: await tokenFor('alice') };
      const { agents, tasks } = createClient(options);
      const breaking = fetchWithBrokenStream(eventsMax);
      const { id } = await agents.create({ name: 'Planner', skills: ['tasks'] });
      const request = { input: 'create a task titled Buy milk' };

      const unbroken = await collect(agents.stream(id, request));
      const resumed = await collect(
        createClient({ ...options, fetch: breaking.fetch }).agents.stream(id, request),
      );

      expect(breaking.broken).toHaveLength(1);
      expect(resumed.at(0)?.event).toBe('run.started');
      expect(contents(resumed)).toEqual(contents(unbroken));
      expect(contents(unbroken).length).toBeGreaterThan(2);
      expect(await tasks.list().toArray()).toHaveLength(2);
    },
  );
});

/** The messages and other events, without the deltas, which are not repeated. */
function contents(events: readonly RunEvent[]): string[] {
  return events
    .filter(({ event }) => event !== 'message.delta')
    .map(({ event, data }) =>
      'role' in data ? `${data.role}: ${data.role === 'tool' ? '' : data.content}` : event,
    );
}
