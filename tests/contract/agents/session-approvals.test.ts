import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, runAgent } from '../../support/agents.ts';
import { callsOf, decide, refusedAt, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { textResponse, toolCallsResponse } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { auditLog, createTask } from '../../support/tasks.ts';
import { startWithModel } from '../../support/with-model.ts';

const forSession = { approve: true, scope: 'session' } as const;

const { model, server, alice } = await startWithModel();
const agent = await createAgent(alice, { approvals: ['create_task', 'list_tasks'] });

async function approvedTools(sessionId: string): Promise<string[]> {
  return (await alice.ok('getSession', { id: sessionId })).body.approved_tools;
}

/** Runs the agent in a session in which `create_task` is approved. */
async function sessionWithApproval(id: string): Promise<void> {
  const run = await waitingRun(alice, agent, `First of ${id}`, id);
  await decide(alice, run, forSession);
  await endedRun(alice, run);
}

async function statusOfNext(sessionId: string, input: string): Promise<Schemas['Run']['status']> {
  return (await runAgent(alice, agent, input, { context: { session_id: sessionId } })).body.status;
}

describe('an approval for the session', () => {
  spec('decideToolCalls', 200, 'holds for later calls of the tool, in this session only', async () => {
    await sessionWithApproval('s');

    expect(await approvedTools('s')).toEqual(['create_task']);
    expect(await statusOfNext('s', 'create a task titled Second of s')).toBe('completed');
    expect(await statusOfNext('s', 'list my tasks')).toBe('requires_action');
    expect(await statusOfNext('t', 'create a task titled First of t')).toBe('requires_action');
    const [task] = await tasksTitled(alice, 'Second of s');
    const [entry] = await auditLog(alice, task?.id ?? '');
    expect(entry?.payload).toMatchObject({ approved_by: server.userId('alice') });
  });

  spec('decideToolCalls', 200, 'covers the other calls of the tool that wait in the run', async () => {
    const local = await createAgent(alice, { runtime: 'local', approvals: ['*'] });
    const creations = ['Both one', 'Both two'].map((title) => ['create_task', { title }] as const);
    model.respondWith(toolCallsResponse(...creations, ['list_tasks', {}]), textResponse('Done.'));
    const { body: run } = await runAgent(alice, local, 'Hi');
    const [one, two, list] = callsOf(run);

    const decisions = [{ tool_call_id: one?.id, ...forSession }];
    const { body: partly } = await alice.ok('decideToolCalls', { id: run.id, body: { decisions } });

    expect(callsOf(partly)).toEqual([list]);
    const repeated = [{ tool_call_id: two?.id, approve: true }];
    await alice.ok('decideToolCalls', { id: run.id, body: { decisions: repeated } });
    await decide(alice, partly, { approve: true });
    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(await tasksTitled(alice, 'Both')).toHaveLength(2);
    expect(await approvedTools(run.session_id)).toEqual(['create_task']);
  });

  spec('updateSession', 200, 'can be taken back but not be given, and the next call waits', async () => {
    await sessionWithApproval('taken');
    const { body: session } = await alice.ok('getSession', { id: 'taken' });
    const more = { ...session, approved_tools: ['create_task', 'list_tasks'] };
    for (const body of [session, more])
      expect((await alice.ok('updateSession', { id: 'taken', body })).body).toEqual(session);

    const { body } = await alice.ok('updateSession', { id: 'taken', body: { approved_tools: [] } });

    expect(body).toEqual({ ...session, approved_tools: [] });
    expect(await statusOfNext('taken', 'create a task titled Second of taken')).toBe('requires_action');
  });

  spec('decideToolCalls', 400, 'is refused for a tool that deletes, and for a rejection', async () => {
    await createTask(alice, { title: 'Precious' });
    const { body: run } = await runAgent(alice, agent, 'delete task Precious', {
      context: { session_id: 'deleting' },
    });
    await decide(alice, run, { approve: true });
    const again = async (): Promise<Schemas['Run']> => (await alice.ok('getRun', { id: run.id })).body;
    await expect.poll(async () => callsOf(await again())).toMatchObject([{ name: 'delete_task' }]);
    const deleting = await again();

    for (const approve of [true, false]) {
      const decision = { tool_call_id: callsOf(deleting)[0]?.id, approve, scope: 'session' };
      expect(await refusedAt(alice, run, decision)).toEqual(['/decisions/0/scope']);
    }

    expect(await approvedTools('deleting')).toEqual([]);
    expect(await again()).toEqual(deleting);
  });

  spec('decideToolCalls', 400, 'cannot extend an approval of one call, but includes it', async () => {
    const once = await waitingRun(alice, agent, 'Once');
    await decide(alice, once, { approve: true });
    const extended = { tool_call_id: callsOf(once)[0]?.id, ...forSession };
    const always = await waitingRun(alice, agent, 'Always');
    await decide(alice, always, forSession);

    expect(await refusedAt(alice, once, extended)).toEqual(['/decisions/0/scope']);
    expect((await decide(alice, always, { approve: true })).id).toBe(always.id);
    expect(await approvedTools('Once')).toEqual([]);
  });
});
