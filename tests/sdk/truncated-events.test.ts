import { describe, expect, it } from 'vitest';
import { createClient, type Change, type Client, type ClientOptions } from '../../sdk/src/index.ts';
import { createAgent } from '../support/agents.ts';
import { textResponse, toolCallResponse } from '../support/model-server.ts';
import { startWithModel } from '../support/with-model.ts';
import { collect } from './fake-server.ts';

const tea = '🍵'.repeat(50_000);
const metadata = JSON.stringify(Array<string>(13_000).fill('"'));

const { model, server, alice } = await startWithModel();

async function newClient(user: string, fetch?: ClientOptions['fetch']): Promise<Client> {
  return createClient({ baseUrl: server.url, token: await server.token(user), fetch });
}

/** The first changes of a user, with their tasks. */
async function take({ tasks }: Client, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of tasks.changes({ after: '0', include: 'task' }))
    if (changes.push(change) === count) break;
  return changes;
}

/** A fetch in which `answer` responds to the first request for a whole change or message after a truncated event. */
function fetchFailingOnce(answer: () => Promise<Response>): {
  fetch: (request: Request) => Promise<Response>;
  hasFailed: () => boolean;
} {
  let hasFailed = false;
  const fetch = async (request: Request): Promise<Response> => {
    const isPage = /[?&]limit=1(&|$)/.test(request.url);
    const isStream = request.headers.get('Accept')?.includes('event-stream') === true;
    if (hasFailed || !isPage || isStream) return globalThis.fetch(request);
    hasFailed = true;
    return answer();
  };
  return { fetch, hasFailed: () => hasFailed };
}

describe('changes above 64 KiB', () => {
  it('come whole and in order, even if a read of them fails', async () => {
    const failing = fetchFailingOnce(() => Promise.reject(new TypeError('fetch failed')));
    const client = await newClient('reader', failing.fetch);
    const large = await client.tasks.create({ title: 'Large', description: tea, metadata });
    const small = await client.tasks.create({ title: 'Small' });

    const changes = await take(client, 2);

    expect(failing.hasFailed()).toBe(true);
    expect(changes.map(({ task }) => task)).toEqual([large, small]);
    expect(JSON.parse(changes[0]?.payload ?? '')).toMatchObject({ description: tea, metadata });
    expect(changes[0]).not.toHaveProperty('truncated');
  });

  it('have no task if it is deleted meanwhile', async () => {
    const client = await newClient('deleter');
    const { id } = await client.tasks.create({ title: 'Large', description: tea });
    const deleting = fetchFailingOnce(async () => {
      await client.tasks.delete(id);
      return new Response(null, { status: 503 });
    });

    const changes = await take(await newClient('deleter', deleting.fetch), 2);

    expect(changes.map(({ action, task }) => [action, task])).toEqual([
      ['create', null],
      ['delete', null],
    ]);
  });
});

describe('events of a run above 64 KiB', () => {
  it('have all messages, calls and outputs', async () => {
    const client = await newClient('alice');
    const careful = await createAgent(alice, { runtime: 'local', approvals: ['create_task'] });
    model.respondWith(
      toolCallResponse('create_task', { title: 'Large', description: tea }),
      textResponse(tea),
    );
    const asked = await collect(
      client.agents.stream(careful.id, { input: tea, context: { session_id: 's' } }),
    );
    const [run] = asked.flatMap(({ event, data }) => (event === 'run.requires_action' ? [data] : []));
    const calls = run?.required_action?.tool_calls ?? [];
    expect(calls.map(({ arguments: values }) => values)).toEqual([{ title: 'Large', description: tea }]);
    const decisions = calls.map(({ id }) => ({ tool_call_id: id, approve: true }));
    await client.runs.approve(run?.id ?? '', decisions);

    const events = await collect(client.runs.stream(run?.id ?? '', { until: 'finished' }));

    const messages = await client.sessions.listMessages('s').toArray();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(events.flatMap(({ event, data }) => (event === 'message' ? [data] : []))).toEqual(messages);
    expect(events.at(-1)).toMatchObject({ event: 'run.completed', data: { output: tea } });
    for await (const { event, data } of client.sessions.follow('s')) {
      if (event === 'message') continue;
      expect(data.output).toBe(tea);
      break;
    }
  });
});
