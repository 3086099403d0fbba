import { beforeAll, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, finishedSession, messagesOf, noLimits, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { eventsFrom, outline } from '../../support/events.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

let server: TestServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  server = await startTestServer({ env: noLimits });
  alice = await server.as('alice');
  agent = await createAgent(alice);
});

async function stream(client: Client, input: string, headers = {}): Promise<Schemas['RunEvent'][]> {
  const body = { input };
  const request = { id: agent.id, body, headers: { Accept: 'text/event-stream', ...headers } };
  const answer = await client.send('runAgent', request);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  return eventsFrom(String(answer.body));
}

spec('runAgent', 200, 'tells a run event by event, from its start to its end', async () => {
  const events = await stream(alice, 'create a task titled Told');

  expect(outline(events)).toEqual([
    'run.started running',
    'message user',
    'message assistant',
    'message tool',
    'message.delta Created the task "Told".',
    'message assistant',
    'run.completed completed',
  ]);
});

spec('runAgent', 200, 'gives each message the place in the log that it has there', async () => {
  const events = await stream(alice, 'create a task titled Placed');

  const told = events.filter(({ event }) => event === 'message');
  const sessionId = told.map(({ data }) => ('session_id' in data ? data.session_id : ''))[0] ?? '';
  expect(told.map((event) => ('id' in event ? event.id : ''))).toEqual(['1', '2', '3', '4']);
  expect(told.map(({ data }) => data)).toEqual(await messagesOf(alice, sessionId));
});

spec('runAgent', 200, 'tells a run again from its log under a repeated Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'told twice' };
  const first = await stream(alice, 'create a task titled Told twice', headers);
  const second = await stream(alice, 'create a task titled Told twice', headers);

  const kept = (events: Schemas['RunEvent'][]): Schemas['RunEvent'][] =>
    events.filter(({ event }) => event !== 'message.delta');
  expect(kept(second)).toEqual(kept(first));
  expect((await alice.ok('listTasks', { query: { q: 'Told twice' } })).body.count).toBe(1);
});

spec('runAgent', 400, 'refuses a bad request as JSON, also where a stream was asked for', async () => {
  const headers = { Accept: 'text/event-stream' };

  const { body } = await alice.fails('runAgent', 400, { id: agent.id, body: {}, headers });

  expect(body.code).toBe('VALIDATION_ERROR');
});

it('runAgent goes on with a run whose reader has left', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/v1/agents/${agent.id}/run`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await tokenFor('alice')}`,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ input: 'create a task titled Left alone', context: { session_id: 'left' } }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();

  const session = await finishedSession(alice, 'left');

  expect(session.run).toMatchObject({ status: 'completed', output: 'Created the task "Left alone".' });
});

it('runAgent serves a reader who is slow the same events', async () => {
  const response = await fetch(`${server.url}/v1/agents/${agent.id}/run`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await tokenFor('alice')}`,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ input: 'list my tasks', context: { session_id: 'slow' } }),
  });
  await finishedSession(alice, 'slow');

  const events = eventsFrom(await response.text());

  expect(events.at(-1)?.event).toBe('run.completed');
  expect(events.filter(({ event }) => event === 'message')).toHaveLength(4);
});

it('a run answers JSON to a client that accepts anything', async () => {
  const { body } = await runAgent(alice, agent, 'list my tasks', { headers: { Accept: '*/*' } });

  expect(body.status).toBe('completed');
});
