import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, endedRun, messagesOf, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { run } from '../support/postgres.ts';
import { engine, startTestServer, type TestServer } from '../support/server.ts';
import { allPages } from '../support/pages.ts';
import { createTask } from '../support/tasks.ts';

let server: TestServer;
let alice: Client;

/** Counts the statements that Citus sends to several shards while `use` runs. */
async function countMultiShard(use: () => Promise<unknown>): Promise<number> {
  const before = await counters();
  await use();
  const after = await counters();
  expect(after.single).toBeGreaterThan(before.single);
  return after.multi - before.multi;
}

async function counters(): Promise<{ single: number; multi: number }> {
  const { rows } = await run(
    server.env['DATABASE_URL'] ?? '',
    `select query_execution_single_shard::int as single, query_execution_multi_shard::int as multi
     from citus_stat_counters where name = current_database()`,
  );
  return rows[0] as { single: number; multi: number };
}

describe.runIf(engine === 'citus')('on Citus, every statement of a request reaches one node', () => {
  beforeAll(async () => {
    server = await startTestServer({ env: { AGENT_REQUESTS_PER_MINUTE: '0' } });
    const url = server.env['DATABASE_URL'] ?? '';
    const name = new URL(url).pathname.slice(1);
    await run(url, `alter database ${name} set citus.enable_stat_counters = on`);
    // Starts another server, because the setting applies only to new connections.
    server = await startTestServer({ sharing: server });
    alice = await server.as('alice');
    await alice.ok('listTasks');
  });

  const key = { 'Idempotency-Key': 'once' };
  const fields = { title: 'A task', tags: 'a,b', workspace_id: 'home', due_date: '2027-01-01' };
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    createTask: () => alice.ok('createTask', { body: fields }),
    'createTask with a key, and again': async () => {
      await alice.ok('createTask', { body: fields, headers: key });
      await alice.ok('createTask', { body: fields, headers: key });
    },
    'createTask at the same time as others': async () => {
      const users = await Promise.all(['bob', 'carol', 'dave'].map((name) => server.as(name)));
      await Promise.all([alice, ...users].map((user) => createTask(user, fields)));
    },
    'getTask, updateTask, assignTask, createComment, listComments, listAuditLogs and deleteTask':
      async () => {
        const { id } = await createTask(alice, fields);
        await alice.ok('getTask', { id });
        await alice.ok('updateTask', { id, body: { tags: 'b,c', status: 'done', title: 'Changed' } });
        await alice.ok('assignTask', { id, body: { assignee_id: 'bob' } });
        await alice.ok('createComment', { id, body: { body: 'Hi' } });
        await alice.ok('listComments', { id });
        await alice.ok('listAuditLogs', { id });
        await alice.ok('deleteTask', { id });
      },
    'batchTasks, countTasks, updateComment and deleteComment': async () => {
      const { id } = await createTask(alice, fields);
      const other = await createTask(alice, fields);
      const { body: comment } = await alice.ok('createComment', { id, body: { body: 'Hi' } });
      await alice.ok('updateComment', { id, commentId: comment.id, body: { body: 'Hello' } });
      await alice.ok('deleteComment', { id, commentId: comment.id });
      const body = { create: [fields], update: [{ id, status: 'done' }], delete: [{ id: other.id }] };
      await alice.ok('batchTasks', { body, headers: { 'Idempotency-Key': 'batch' } });
      await alice.ok('countTasks', { query: { status: 'done' } });
    },
    'listTasks with every filter and order': async () => {
      const filters = [
        '',
        'status=todo',
        'workspace_id=home',
        'tag=a',
        'tag=a&status=todo',
        'q=task',
        'offset=1000',
      ];
      const orders = ['created_at', '-created_at', 'updated_at', 'due_date', 'title'];
      for (const filter of filters)
        for (const order of orders) await alice.ok('listTasks', { query: `${filter}&sort=${order}` });
      for (const query of ['sort=created_at', 'sort=-due_date', 'sort=title', 'tag=a'])
        await allPages(alice, 'listTasks', { query: `${query}&limit=1` });
    },
    listChanges: async () => {
      await alice.ok('listChanges', { query: { after: '0' } });
      await alice.ok('listChanges', { query: { after: '0', include: 'task' } });
    },
    'every operation on agents, runs and sessions': async () => {
      const agent = await createAgent(alice);
      const { id } = agent;
      await alice.ok('listAgents');
      await alice.ok('getAgent', { id });
      await alice.ok('updateAgent', { id, body: { name: 'Changed', skills: ['tasks'] } });
      const { body } = await runAgent(alice, agent, 'create a task titled First; list my tasks');
      await alice.ok('getSession', { id: body.session_id });
      await messagesOf(alice, body.session_id);
      await alice.ok('getRun', { id: body.id });
      await alice.ok('cancelRun', { id: body.id });
      await alice.ok('updateAgent', { id, body: { approvals: ['*'] } });
      const { body: waiting } = await runAgent(alice, agent, 'list my tasks');
      const decisions = [{ tool_call_id: waiting.required_action?.tool_calls[0]?.id, approve: false }];
      await alice.ok('decideToolCalls', { id: waiting.id, body: { decisions } });
      await endedRun(alice, waiting);
      await alice.ok('listRuns', {
        query: { agent_id: id, session_id: body.session_id, status: 'completed' },
      });
      await allPages(alice, 'listRuns', { query: { limit: 1 } });
      await alice.ok('listSessions', { query: { agent_id: id, status: 'idle' } });
      await alice.ok('updateSession', { id: body.session_id, body: { title: 'Renamed' } });
      await alice.ok('deleteSession', { id: body.session_id });
      await alice.ok('deleteAgent', { id });
    },
  };

  it.each(Object.entries(operations))('%s', async (_name, use) => {
    expect(await countMultiShard(use)).toBe(0);
  });

  it('except the one that distinguishes a task of another user from one that does not exist', async () => {
    const { id } = await createTask(alice);
    const bob = await server.as('bob');

    expect(await countMultiShard(() => bob.fails('getTask', 403, { id }))).toBe(1);
  });
});
