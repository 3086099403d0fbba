import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, runAgent } from '../../support/agents.ts';
import { callsOf, decide } from '../../support/approvals.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { auditLog, createTask } from '../../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const agent = await createAgent(alice, { approvals: [] });

/** A task with a comment, and a run whose agent wants to delete it. */
async function runThatDeletes(title: string): Promise<{ task: Schemas['Task']; run: Schemas['Run'] }> {
  const task = await createTask(alice, { title });
  await alice.ok('createComment', { id: task.id, body: { body: 'Keep me.' } });
  return { task, run: (await runAgent(alice, agent, `delete task ${title}`)).body };
}

describe('an agent that deletes a task', () => {
  spec('runAgent', 202, 'waits for the user, although its approvals name no tool', async () => {
    const { task, run } = await runThatDeletes('Waiting');

    expect(run.status).toBe('requires_action');
    expect(callsOf(run)).toMatchObject([{ name: 'delete_task', arguments: { id: task.id } }]);
    expect((await alice.ok('getTask', { id: task.id })).body.task.title).toBe('Waiting');
  });

  spec('decideToolCalls', 200, 'deletes it once the call is approved, as the audit log says', async () => {
    const { task, run } = await runThatDeletes('Approved');

    await decide(alice, run, { approve: true });

    expect((await endedRun(alice, run)).output).toBe('Deleted the task "Approved".');
    await alice.fails('getTask', 404, { id: task.id });
    const { body: entries } = await alice.ok('listAuditLogs', { id: task.id });
    expect(entries.map(({ action }) => action)).toEqual(['create', 'comment', 'delete']);
    expect(entries[2]).toMatchObject({ actor_type: 'agent', actor_id: agent.id });
    const payload = { approved_by: server.userId('alice'), title: 'Approved' };
    expect((await auditLog(alice, task.id))[2]).toMatchObject({ payload });
  });

  spec('decideToolCalls', 200, 'learns that it was gone before the approval', async () => {
    const { task, run } = await runThatDeletes('Gone');
    await alice.ok('deleteTask', { id: task.id });

    await decide(alice, run, { approve: true });

    expect((await endedRun(alice, run)).output).toMatch(/^That did not work: No task has this id\./);
    const { body: entries } = await alice.ok('listAuditLogs', { id: task.id });
    expect(entries.filter(({ action }) => action === 'delete')).toMatchObject([{ actor_type: 'human' }]);
  });
});
