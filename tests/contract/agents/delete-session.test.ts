import { describe, expect, it } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../../support/agents.ts';
import { metricOf } from '../../support/metrics.ts';
import { eventsFrom, summarizeEvents } from '../../support/events.ts';
import { textResponse } from '../../support/model-server.ts';
import { unknownId } from '../../support/requests.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const later = { Prefer: 'respond-async' };

const { model, server, alice, agent } = await startWithModel();

describe('deleteSession', () => {
  spec('deleteSession', 200, 'deletes the session with its messages and runs, and frees its id', async () => {
    const builtin = await createAgent(alice);
    const context = { session_id: 'deleted' };
    const { body: first } = await runAgent(alice, builtin, 'create a task titled Stays', { context });

    expect((await alice.ok('deleteSession', { id: 'deleted' })).body).toEqual({
      id: 'deleted',
      deleted: true,
    });

    await alice.fails('getSession', 404, { id: 'deleted' });
    await alice.fails('listMessages', 404, { id: 'deleted' });
    await alice.fails('getRun', 404, { id: first.id });
    await alice.fails('cancelRun', 404, { id: first.id });
    await alice.fails('deleteSession', 404, { id: 'deleted' });
    expect((await alice.ok('listTasks', { query: { q: 'Stays' } })).body.count).toBe(1);
    await runAgent(alice, agent, 'Hi', { context, headers: later });
    expect(await messagesOf(alice, 'deleted')).toHaveLength(1);
  });

  spec('deleteSession', 404, 'does not find a session of another user, nor any other id', async () => {
    await runAgent(alice, agent, 'Hi', { context: { session_id: 'private' }, headers: later });
    const mallory = await server.as('mallory');

    for (const id of ['private', unknownId, '%00', 'x'.repeat(129)])
      expect((await mallory.fails('deleteSession', 404, { id })).body.code).toBe('Session not found');

    await alice.ok('getSession', { id: 'private' });
  });

  spec('deleteSession', 400, 'rejects any query parameter', async () => {
    await alice.fails('deleteSession', 400, { id: 'private', query: 'force=true' });
  });

  spec(
    'runAgent',
    200,
    'cancels the runs of the session, and answers the requests that wait for them',
    async () => {
      await startedRun({ model, alice, agent }, 'watched');
      const context = { session_id: 'watched' };
      const waiting = runAgent(alice, agent, 'Waited', { context });
      const body = { input: 'Streamed', context };
      const streaming = alice.send('runAgent', {
        id: agent.id,
        body,
        headers: { Accept: 'text/event-stream' },
      });
      await expect.poll(async () => (await alice.ok('listMessages', { id: 'watched' })).body.count).toBe(3);

      await alice.ok('deleteSession', { id: 'watched' });

      const waited = await waiting;
      expect([waited.status, waited.body.status]).toEqual([200, 'cancelled']);
      expect(waited.body.completed_at).not.toBeNull();
      expect(summarizeEvents(eventsFrom(String((await streaming).body))).slice(-2)).toEqual([
        'run.started running',
        'run.cancelled cancelled',
      ]);
      model.respondWith(textResponse('Never asked.'));
      await alice.fails('getSession', 404, { id: 'watched' });
      expect(model.requests).toHaveLength(0);
    },
  );

  spec('runAgent', 404, 'a repetition of a deleted run starts nothing', async () => {
    const headers = { 'Idempotency-Key': 'deleted' };
    await startedRun({ model, alice, agent }, 'repeated', headers);
    await alice.ok('deleteSession', { id: 'repeated' });

    for (const accept of ['application/json', 'text/event-stream']) {
      const { body } = await alice.fails('runAgent', 404, {
        id: agent.id,
        body: { input: 'One', context: { session_id: 'repeated' } },
        headers: { ...headers, ...later, Accept: accept },
      });
      expect(body.code).toBe('Run not found');
      expect(body.detail).toMatch(/^The run of this Idempotency-Key was deleted with its session\./);
    }
    await alice.fails('getSession', 404, { id: 'repeated' });
  });

  it('counts the runs that it cancels', async () => {
    const cancelled = (): Promise<number> => metricOf(server, 'agent_runs_total{outcome="cancelled"}');
    await startedRun({ model, alice, agent }, 'counted');
    await runAgent(alice, agent, 'Hi', { context: { session_id: 'counted' }, headers: later });
    const before = await cancelled();

    await alice.ok('deleteSession', { id: 'counted' });

    expect(await cancelled()).toBe(before + 2);
  });
});
