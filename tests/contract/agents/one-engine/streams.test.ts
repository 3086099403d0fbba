import { expect, it } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, finishedSession, messagesOf, streamRun } from '../../../support/agents.ts';
import { eventsFrom, summarizeEvents } from '../../../support/events.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';

const server = sharedServer();

const alice = await server.as('alice');
const agent = await createAgent(alice);
const accept = { Accept: 'text/event-stream' };

/** Leaves out deltas. A stream has none for a message that was complete when the stream read it. */
const withoutDeltas = (events: Schemas['RunEvent'][]): Schemas['RunEvent'][] =>
  events.filter(({ event }) => event !== 'message.delta');

spec('runAgent', 200, 'a stream reports a run event by event, and numbers its messages', async () => {
  const body = { input: 'create a task titled Streamed' };
  const answer = await alice.send('runAgent', { id: agent.id, body, headers: accept });

  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('X-Accel-Buffering')).toBe('no');
  const events = withoutDeltas(eventsFrom(String(answer.body)));
  expect(summarizeEvents(events)).toEqual([
    'run.started running',
    'message user',
    'message assistant',
    'message tool',
    'message assistant',
    'run.completed completed',
  ]);
  const messages = events.slice(1, -1);
  expect(messages.map((event) => 'id' in event && event.id)).toEqual(['1', '2', '3', '4']);
  const [first] = messages.flatMap(({ event, data }) => (event === 'message' ? [data] : []));
  expect(messages.map(({ data }) => data)).toEqual(await messagesOf(alice, first?.session_id ?? ''));
});

spec('runAgent', 200, 'a stream may be asked for with a charset', async () => {
  const headers = { Accept: 'text/event-stream;charset=utf-8' };
  const events = await streamRun(alice, agent, 'help', { headers });

  expect(events.at(-1)?.event).toBe('run.completed');
});

spec('runAgent', 200, 'a repeated Idempotency-Key streams the stored messages of the run again', async () => {
  const headers = { 'Idempotency-Key': 'streamed twice' };
  const first = await streamRun(alice, agent, 'create a task titled Streamed twice', { headers });
  const second = await streamRun(alice, agent, 'create a task titled Streamed twice', { headers });

  expect(withoutDeltas(second)).toEqual(withoutDeltas(first));
  expect((await alice.ok('listTasks', { query: { q: 'Streamed twice' } })).body.count).toBe(1);
});

spec('runAgent', 400, 'an error is JSON, even if the client accepts a stream', async () => {
  const { body } = await alice.fails('runAgent', 400, { id: agent.id, body: {}, headers: accept });

  expect(body.code).toBe('VALIDATION_ERROR');
});

/** Starts a run in a session. Resolves to its unread stream. */
async function openStream(input: string, session_id: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/v1/agents/${agent.id}/run`, {
    method: 'POST',
    headers: {
      ...accept,
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await server.token('alice')}`,
    },
    body: JSON.stringify({ input, context: { session_id } }),
    signal: signal ?? null,
  });
}

it('a run continues after the reader of its stream disconnects', async () => {
  const client = new AbortController();
  const response = await openStream('create a task titled Continued', 'disconnected', client.signal);
  await response.body?.getReader().read();
  client.abort();

  const session = await finishedSession(alice, 'disconnected');

  expect(session.run).toMatchObject({ status: 'completed', output: 'Created the task "Continued".' });
});
