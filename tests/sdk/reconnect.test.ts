import { describe, expect, it } from 'vitest';
import { createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { collect } from './fake-server.ts';

/** A fetch whose first event stream breaks after so many events, and what it has broken. */
function fragileFetch(eventsMax: number) {
  const broken: string[] = [];
  return {
    broken,
    fetch: async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      const isStream = response.headers.get('Content-Type') === 'text/event-stream';
      if (!isStream || broken.length > 0) return response;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const told = new TextDecoder().decode(chunk).split('\n\n').slice(0, eventsMax);
          for (const event of told) controller.enqueue(new TextEncoder().encode(`${event}\n\n`));
          broken.push(request.url);
          controller.error(new TypeError('terminated'));
        },
      });
      return new Response(response.body?.pipeThrough(cut) ?? null, response);
    },
  };
}

describe('the stream of a run on the real server', () => {
  it.each([
    ['after its first event', 1],
    ['before its first event', 0],
  ])('tells the same of one run when its connection breaks %s', async (_when, eventsMax) => {
    const server = await startTestServer();
    const options = { baseUrl: server.url, token: await tokenFor('alice') };
    const { agents, tasks } = createClient(options);
    const fragile = fragileFetch(eventsMax);
    const { id } = await agents.create({ name: 'Planner', skills: ['tasks'] });
    const request = { input: 'create a task titled Buy milk' };

    const whole = await collect(agents.stream(id, request));
    const mended = await collect(
      createClient({ ...options, fetch: fragile.fetch }).agents.stream(id, request),
    );

    expect(fragile.broken).toHaveLength(1);
    expect(mended.at(0)?.event).toBe('run.started');
    expect(contents(mended)).toEqual(contents(whole));
    expect(contents(whole).length).toBeGreaterThan(2);
    expect(await tasks.list().toArray()).toHaveLength(2);
  });
});

/** What was said, without the pieces, which are not repeated. */
function contents(events: readonly RunEvent[]): string[] {
  return events
    .filter(({ event }) => event !== 'message.delta')
    .map(({ event, data }) =>
      'role' in data ? `${data.role}: ${data.role === 'tool' ? '' : data.content}` : event,
    );
}
