import { describe, expect } from 'vitest';
import { createAgent, messagesOf, noLimits, runAgent } from '../../support/agents.ts';
import { callsOf, tasksTitled } from '../../support/approvals.ts';
import { eventsFrom, summarizeEvents } from '../../support/events.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

describe('the approvals of an agent', () => {
  spec('createAgent', 200, 'are none by default, and can be changed', async () => {
    const { id, approvals } = await createAgent(alice);
    const { body: changed } = await alice.ok('updateAgent', { id, body: { approvals: ['*', 'x', 'x'] } });
    const { body: renamed } = await alice.ok('updateAgent', { id, body: { name: 'Renamed' } });

    expect([approvals, changed.approvals, renamed.approvals]).toEqual([[], ['*', 'x'], ['*', 'x']]);
  });
});

describe('a call that needs an approval', () => {
  spec('runAgent', 202, 'pauses the run before it takes effect, and the run lists it', async () => {
    const { status, body, headers } = await runAgent(alice, agent, 'create a task titled Paused', {
      context: { session_id: 'paused' },
    });

    const [call, ...others] = callsOf(body);
    expect([status, body.status, others]).toEqual([202, 'requires_action', []]);
    expect(call).toMatchObject({ name: 'create_task', arguments: { title: 'Paused' } });
    expect(headers.get('Location')).toBe(`/v1/runs/${body.id}`);
    expect((await alice.ok('getRun', { id: body.id })).body).toEqual(body);
    expect((await alice.ok('getSession', { id: 'paused' })).body).toMatchObject({
      status: 'requires_action',
      run: body,
    });
    expect((await messagesOf(alice, 'paused')).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(await tasksTitled(alice, 'Paused')).toEqual([]);
  });

  spec('runAgent', 200, 'ends the stream of its run', async () => {
    const request = { id: agent.id, body: { input: 'create a task titled Streamed' } };
    const { body } = await alice.send('runAgent', { ...request, headers: { Accept: 'text/event-stream' } });

    const events = eventsFrom(String(body));
    expect(summarizeEvents(events).at(-1)).toBe('run.requires_action requires_action');
    expect(events.at(-1)?.data).toMatchObject({ required_action: { tool_calls: [{ name: 'create_task' }] } });
  });

  spec('runAgent', 202, 'does not wait for calls of other tools, unless all need an approval', async () => {
    const all = await createAgent(alice, { approvals: ['*'] });

    expect((await runAgent(alice, agent, 'list my tasks')).body.status).toBe('completed');
    expect((await runAgent(alice, all, 'list my tasks')).body.status).toBe('requires_action');
  });

  spec('runAgent', 202, 'holds no worker, and a repetition does not continue it', async () => {
    const single = await startTestServer({ env: { ...noLimits, AGENT_CONCURRENCY: '1' } });
    const client = await single.as('alice');
    const own = await createAgent(client, { approvals: ['create_task'] });
    const headers = { 'Idempotency-Key': 'paused' };
    const { body: first } = await runAgent(client, own, 'create a task titled Held', { headers });

    expect((await runAgent(client, own, 'list my tasks')).body.status).toBe('completed');
    const repeated = await runAgent(client, own, 'create a task titled Held', { headers });

    expect([repeated.status, repeated.body]).toEqual([202, first]);
  });
});
