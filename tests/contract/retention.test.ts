import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import { run } from '../support/postgres.ts';
import { isShareable, startTestServer, type TestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

/** Makes all rows a year older. Not for PGlite, whose tables only the server can use. */
async function age(server: TestServer): Promise<void> {
  const url = server.env['DATABASE_URL'] ?? '';
  await run(url, `update audit_logs set recorded_us = recorded_us - 365 * 86400 * 1000000::bigint`);
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString();
  await run(url, `update sessions set updated_at = '${yearAgo}'`);
}

describe.runIf(isShareable)('the retention', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  it('deletes the logs of tasks that were deleted long ago, except for the deletion', async () => {
    const alice = await server.as('deleting');
    const [gone, living] = [await createTask(alice, { title: 'Gone' }), await createTask(alice)];
    await alice.ok('deleteTask', { id: gone.id });
    const half = (await alice.ok('listChanges', { query: { after: '0', limit: 1 } })).body.next;
    await age(server);
    const late = await createTask(alice);
    await alice.ok('deleteTask', { id: late.id });

    await startTestServer({ sharing: server, env: { RETENTION_DELETED_TASKS: '30d' } });

    const logOf = async (id: string): Promise<string[]> =>
      (await alice.ok('listAuditLogs', { id })).body.map(
        ({ action, payload }) => `${action} ${payload.length}`,
      );
    await expect.poll(() => logOf(gone.id)).toEqual(['delete 2']);
    expect(await logOf(living.id)).toHaveLength(1);
    expect(await logOf(late.id)).toHaveLength(2);
    // A reader that has seen the creation still gets the deletion.
    const { changes } = (await alice.ok('listChanges', { query: { after: '0' } })).body;
    const actions = changes.filter(({ task_id: id }) => id === gone.id).map(({ action }) => action);
    expect(actions).toEqual(['delete']);
    const { body: rest } = await alice.ok('listChanges', { query: { after: half } });
    expect(rest.changes.length).toBeGreaterThan(0);
  });

  it('deletes sessions without activity, with their messages and runs, unless a run is unfinished', async () => {
    const alice = await server.as('talking');
    const agent = await createAgent(alice, { approvals: ['list_tasks'] });
    const inSession = (id: string, input: string) =>
      runAgent(alice, agent, input, { context: { session_id: id } });
    const old = (await inSession('old', 'create a task titled Kept')).body;
    expect((await inSession('waiting', 'list my tasks')).body.status).toBe('requires_action');
    await age(server);
    await inSession('late', 'create a task titled Kept');

    await startTestServer({ sharing: server, env: { RETENTION_SESSIONS: '30d' } });

    await expect
      .poll(async () => (await alice.ok('listSessions')).body.sessions.map(({ id }) => id).toSorted())
      .toEqual(['late', 'waiting']);
    await alice.fails('getRun', 404, { id: old.id });
    await alice.fails('listMessages', 404, { id: 'old' });
    expect(await messagesOf(alice, 'late')).not.toEqual([]);
  });

  it('deletes the counters that are zero', async () => {
    const alice = await server.as('counting');
    for (const status of ['todo', 'done'] as const) await createTask(alice, { status });
    const { tasks } = (await alice.ok('listTasks', { query: { status: 'done' } })).body;
    for (const { id } of tasks) await alice.ok('deleteTask', { id });
    const url = server.env['DATABASE_URL'] ?? '';
    const statement = `select status from task_counts where user_id = 'counting' order by status`;
    expect((await run(url, statement)).rows).toEqual([{ status: 'done' }, { status: 'todo' }]);

    await startTestServer({ sharing: server });

    await expect.poll(() => run(url, statement)).toMatchObject({ rows: [{ status: 'todo' }] });
  });
});
