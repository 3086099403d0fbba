import { describe, expect, it } from 'vitest';
import { handlers } from '../../server/src/handlers.ts';
import { createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { collect } from './fake-server.ts';

/** A fetch whose event streams break when the first event has come. */
async function fragileFetch(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.headers.get('Content-Type') !== 'text/event-stream') return response;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const text = new TextDecoder().decode(chunk);
      const [first = ''] = text.split('\n\n');
      controller.enqueue(new TextEncoder().encode(`${first}\n\n`));
      if (first.includes('run.started')) controller.error(new TypeError('terminated'));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}

describe.runIf('runAgent' in handlers)('the stream of a run on the real server', () => {
  it('tells the same messages and the same end when its connection breaks', async () => {
    const server = await startTestServer();
    const options = { baseUrl: server.url, token: await tokenFor('alice') };
    const { agents } = createClient(options);
    const fragile = createClient({ ...options, fetch: fragileFetch });
    const { id } = await agents.create({ name: 'Planner', skills: ['tasks'] });
    const request = { input: 'create a task titled Buy milk' };

    const whole = await collect(agents.stream(id, request));
    const mended = await collect(fragile.agents.stream(id, request));

    expect(mended.at(0)?.event).toBe('run.started');
    expect(contents(mended)).toEqual(contents(whole));
    expect(contents(whole).length).toBeGreaterThan(2);
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
