import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client, Input } from '../support/client.ts';
import { isShareable, sharedServer, startTestServer } from '../support/server.ts';
import { whileLocked } from '../support/locks.ts';
import { run } from '../support/postgres.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

type Change = Schemas['Change'];

const server = sharedServer();
let client: Client;

beforeEach(async () => {
  client = await server.as(randomUUID());
});

async function changesAfter(
  after: string,
  query: Record<string, string | number> = {},
): Promise<Schemas['ChangeList']> {
  return (await client.ok('listChanges', { query: { after, ...query } })).body;
}

function summary(changes: readonly Change[]): string[] {
  return changes.map(({ action, workspace_id: workspace }) => `${action} ${workspace ?? '-'}`);
}

/** Creates two tasks; comments on, moves, assigns and deletes the first. Returns its id. */
async function changeTasks(): Promise<string> {
  const { id } = await createTask(client, { workspace_id: 'home' });
  await client.ok('createComment', { id, body: { body: 'Oat milk' } });
  await createTask(client, { workspace_id: 'work' });
  await client.ok('updateTask', { id, body: { workspace_id: 'work' } });
  await client.ok('assignTask', { id, body: { assignee_id: 'bob' } });
  await client.ok('deleteTask', { id });
  await untilListed(6);
  return id;
}

/** Waits until the changes are listed. They are delayed until earlier writes of other tests have ended. */
async function untilListed(count: number): Promise<void> {
  await expect.poll(async () => (await changesAfter('0')).changes.length).toBe(count);
}

describe('the list of changes', () => {
  spec('listChanges', 200, 'has every change of all own tasks in order, deletions included', async () => {
    await createTask(await server.as('stranger'));
    const id = await changeTasks();

    const { changes } = await changesAfter('0');

    const ofWork = ['create work', 'update work', 'assign work', 'delete work'];
    expect(summary(changes)).toEqual(['create home', 'comment home', ...ofWork]);
    const audit = (await client.ok('listAuditLogs', { id })).body;
    const ofTask = changes.filter(({ task_id: taskId }) => taskId === id);
    expect(ofTask.map(({ workspace_id: workspace, cursor, etag, ...entry }) => entry)).toEqual(audit);
  });

  spec('listChanges', 200, 'is complete however it is paged, and continues after any change', async () => {
    await changeTasks();
    const { changes: all } = await changesAfter('0');

    const paged: Change[] = [];
    for (let after = '0'; paged.length < all.length;) {
      const { changes, next } = await changesAfter(after, { limit: 2 });
      expect(changes.length).toBeGreaterThan(0);
      paged.push(...changes);
      after = next;
    }

    expect(paged).toEqual(all);
    for (const [i, { cursor }] of all.entries())
      expect((await changesAfter(cursor)).changes).toEqual(all.slice(i + 1));
  });

  spec('listChanges', 200, 'after "now" has only new changes', async () => {
    await changeTasks();

    const { changes: none, next } = await changesAfter('now');
    await createTask(client, { workspace_id: 'later' });
    await untilListed(7);

    expect(none).toEqual([]);
    expect(summary((await changesAfter(next)).changes)).toEqual(['create later']);
  });

  spec('listChanges', 200, 'of a workspace has the changes that move a task in and out', async () => {
    await changeTasks();

    const changesOf = async (workspace_id: string) =>
      summary((await changesAfter('0', { workspace_id })).changes);

    expect(await changesOf('home')).toEqual(['create home', 'comment home', 'update work']);
    expect(await changesOf('work')).toEqual(['create work', 'update work', 'assign work', 'delete work']);
    expect(await changesOf('')).toHaveLength(6);
  });
});

describe('a change', () => {
  spec('listChanges', 200, 'has the new etag of the task, which changes of comments keep', async () => {
    const created = await createTask(client);
    const { id } = created;
    const updated = (await client.ok('updateTask', { id, body: { title: 'Renamed' } })).body.task;
    const { body: comment } = await client.ok('createComment', { id, body: { body: 'Oat milk' } });
    await client.ok('updateComment', { id, commentId: comment.id, body: { body: 'Soy milk' } });
    await client.ok('deleteComment', { id, commentId: comment.id });
    const { body: assigned } = await client.ok('assignTask', { id, body: { assignee_id: 'bob' } });
    await client.ok('deleteTask', { id });
    await untilListed(7);

    const { changes } = await changesAfter('0');

    const [first, second, third] = [created, updated, assigned].map(({ etag }) => etag);
    expect(changes.map(({ action, etag }) => [action, etag])).toEqual([
      ['create', first],
      ['update', second],
      ['comment', second],
      ['update_comment', second],
      ['delete_comment', second],
      ['assign', third],
      ['delete', null],
    ]);
    expect(changes.filter((change) => 'task' in change)).toEqual([]);
  });

  spec('listChanges', 200, 'has its task as it is now, or null, if the request includes tasks', async () => {
    const gone = await createTask(client);
    const { id } = await createTask(client, { description: 'Two litres', tags: 'food' });
    await client.ok('updateTask', { id, body: { workspace_id: 'work' } });
    await client.ok('deleteTask', { id: gone.id });
    await untilListed(4);
    const { task } = (await client.ok('getTask', { id })).body;

    const { changes } = await changesAfter('0', { include: 'task' });
    const ofWorkspace = await changesAfter('0', { include: 'task', workspace_id: 'work' });

    expect(changes.map((change) => change.task)).toEqual([null, task, task, null]);
    expect(ofWorkspace.changes.map((change) => change.task)).toEqual([task]);
  });

  spec('listChanges', 200, 'with a large task ends its page early', async () => {
    const large = { title: 'x', description: 'x'.repeat(65_000), metadata: 'y'.repeat(65_000) };
    const create = Array.from({ length: 7 }, () => large);
    for (let n = 0; n < 14; n += 7) await client.ok('batchTasks', { body: { create } });
    await untilListed(14);

    const { changes, next } = await changesAfter('0', { include: 'task' });
    const rest = await changesAfter(next, { include: 'task' });

    expect(changes.length).toBeLessThan(14);
    expect(changes.length + rest.changes.length).toBe(14);
  });
});

describe('a position', () => {
  spec('listChanges', 400, 'is required, and refused if it is damaged or of another list', async () => {
    await createTask(client);
    const { next } = await changesAfter('0');
    const stranger = await (await server.as('stranger')).ok('listChanges', { query: { after: 'now' } });
    const damaged = [`${next}x`, next.slice(1), 'yesterday', '', '1', stranger.body.next];
    const refused: readonly (readonly [pointer: string, input: Input])[] = [
      ['/query/after', {}],
      ...damaged.map((after) => ['/query/after', { query: { after } }] as const),
      ['/header/last-event-id', { query: { after: '0' }, headers: { 'Last-Event-ID': 'damaged' } }],
      ['/query/limit', { query: { after: '0', limit: 0 } }],
      ['/query/include', { query: { after: '0', include: 'comments' } }],
    ];

    for (const [pointer, input] of refused) {
      const { body } = await client.fails('listChanges', 400, input);
      expect(body.errors).toMatchObject([{ pointer }]);
    }
    const query = { after: next, workspace_id: 'home' };
    expect((await client.fails('listChanges', 400, { query })).body.detail).toMatch(/same workspace_id/);
  });
});

describe.runIf(isShareable)('a change whose transaction commits late', () => {
  it('is recognized whatever application name DATABASE_URL has', async () => {
    const own = await startTestServer();
    const url = own.env['DATABASE_URL'] ?? '';
    const env = { ...own.env, DATABASE_URL: `${url}?application_name=tasks` };
    await createTask(await (await startTestServer({ sharing: { env } })).as('alice'));

    const names = `select from pg_stat_activity where application_name = 'tasks'`;
    expect((await run(url, names)).rows).toEqual([]);
  });

  spec('listChanges', 200, 'comes before changes that were recorded after it', async () => {
    const own = await startTestServer();
    client = await own.as('late');
    const { id } = await createTask(client);
    await untilListed(1);
    const { next } = await changesAfter('0');

    const entry = `
      set application_name = 'worktable';
      insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
      values (gen_random_uuid(), '${id}', 'late', 'comment', 'human', 'late', '{}', now())`;
    await whileLocked(own, entry, async (transaction) => {
      await createTask(client);
      expect((await changesAfter(next)).changes).toEqual([]);
      await transaction.query('commit');
    });
    await untilListed(3);

    expect(summary((await changesAfter(next)).changes)).toEqual(['comment -', 'create -']);
  });
});
