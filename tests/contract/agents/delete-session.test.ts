import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, messagesOf, noLimits, runAgent, startRun, streamRun } from '../../support/agents.ts';
import { summarizeEvents } from '../../support/events.ts';
import { textResponse, toolCallResponse } from '../../support/model-server.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const { model, server, alice, agent } = await startWithModel();

describe('deleteSession', () => {
  spec('deleteSession', 200, 'deletes the session with its messages and runs, and frees its id', async () => {
    const builtin = await createAgent(alice);
    const context = { session_id: 'deleted' };
    const { body: first } = await runAgent(alice, builtin, 'create a task titled Stays', { context });

    const { body } = await alice.ok('deleteSession', { id: 'deleted' });
    expect(body).toEqual({ id: 'deleted', deleted: true });

    await alice.fails('getSession', 404, { id: 'deleted' });
    await alice.fails('listMessages', 404, { id: 'deleted' });
    await alice.fails('getRun', 404, { id: first.id });
    await alice.fails('cancelRun', 404, { id: first.id });
    await alice.fails('deleteSession', 404, { id: 'deleted' });
    expect((await alice.ok('listTasks', { query: { q: 'Stays' } })).body.count).toBe(1);
    await startRun(alice, agent, 'Hi', 'deleted');
    expect(await messagesOf(alice, 'deleted')).toHaveLength(1);
  });

  spec('runAgent', 200, 'cancels the runs of the session, and answers requests that wait', async () => {
    await startedRun({ model, alice, agent }, 'watched');
    const context = { session_id: 'watched' };
    const waiting = runAgent(alice, agent, 'Waited', { context });
    const streaming = streamRun(alice, agent, 'Streamed', { context });
    await expect.poll(async () => (await messagesOf(alice, 'watched')).length).toBe(3);

    await alice.ok('deleteSession', { id: 'watched' });

    const waited = await waiting;
    expect([waited.status, waited.body.status]).toEqual([200, 'cancelled']);
    expect(waited.body.completed_at).not.toBeNull();
    const events = summarizeEvents(await streaming);
    expect(events.slice(-2)).toEqual(['run.started running', 'run.cancelled cancelled']);
    model.respondWith(textResponse('Never asked.'));
    await alice.fails('getSession', 404, { id: 'watched' });
    expect(model.requests).toHaveLength(0);
  });

  spec('runAgent', 404, 'a repetition of a deleted run starts nothing', async () => {
    const headers = { 'Idempotency-Key': 'deleted' };
    await startedRun({ model, alice, agent }, 'repeated', headers);
    await alice.ok('deleteSession', { id: 'repeated' });

    for (const accept of ['application/json', 'text/event-stream']) {
      const { body } = await alice.fails('runAgent', 404, {
        id: agent.id,
        body: { input: 'One', context: { session_id: 'repeated' } },
        headers: { ...headers, Prefer: 'respond-async', Accept: accept },
      });
      expect(body.code).toBe('Run not found');
      expect(body.detail).toMatch(/^The run of this Idempotency-Key was deleted with its session\./);
    }
    await alice.fails('getSession', 404, { id: 'repeated' });
  });
});

it('deleteSession leaves no run without its session, even if runs start at the same time', async () => {
  const client = await server.as('racer');
  const { id } = await createAgent(client);
  const request = { id, body: { input: 'list my tasks', context: { session_id: 'raced' } } };
  const start = (): Promise<{ status: number; body: unknown }> => client.send('runAgent', request);
  for (let round = 0; round < 8; round += 1) {
    await start();
    const deletion = client.ok('deleteSession', { id: 'raced' });
    const answers = await Promise.all([start(), deletion, start(), start()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const found = await client.send('listMessages', { id: 'raced' });
    if (found.status === 404) continue;
    const { messages, count } = found.body as Schemas['MessageList'];
    expect(count).toBe(messages.length);
    for (const { run_id } of messages) await client.ok('getRun', { id: run_id });
    await client.ok('deleteSession', { id: 'raced' });
  }
  expect((await client.ok('listSessions')).body.sessions).toEqual([]);
});

describe.runIf(isShareable)('a session whose run another server executes', () => {
  spec('deleteSession', 200, 'is deleted, and that server writes nothing more', async () => {
    const answer = toolCallResponse('create_task', { title: 'Too late' });
    const { release } = await startedRun({ model, alice, agent }, 'elsewhere', {}, answer);

    const other = await startTestServer({ env: noLimits, sharing: server });
    await (await other.as('alice')).ok('deleteSession', { id: 'elsewhere' });
    release();
    await new Promise((resolve) => setTimeout(resolve, 100));

    await alice.fails('getSession', 404, { id: 'elsewhere' });
    expect((await alice.ok('listTasks', { query: { q: 'Too late' } })).body.count).toBe(0);
  });
});
