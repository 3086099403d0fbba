import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

async function setStatus(client: Client, id: string, status: string): Promise<Schemas['Task']> {
  return (await client.ok('updateTask', { id, body: { status } })).body.task;
}

describe('completed_at of a task', () => {
  spec('updateTask', 200, 'is when the status became done, else null, as the audit log says', async () => {
    const { id, completed_at: ofNew } = await createTask(alice);

    const done = await setStatus(alice, id, 'done');
    const renamed = (await alice.ok('updateTask', { id, body: { title: 'Renamed' } })).body.task;
    const { body: assigned } = await alice.ok('assignTask', { id, body: { assignee_id: 'bob' } });
    const again = await setStatus(alice, id, 'done');
    const reopened = await setStatus(alice, id, 'todo');
    const second = await setStatus(alice, id, 'done');

    expect(ofNew).toBeNull();
    expect(done.completed_at).toBe(done.updated_at);
    for (const task of [renamed, assigned, again]) expect(task.completed_at).toBe(done.completed_at);
    expect(reopened.completed_at).toBeNull();
    expect(second.completed_at).toBe(second.updated_at);
    expect((await alice.ok('getTask', { id })).body.task).toEqual(second);
    const log = await auditLog(alice, id);
    const { completed_at } = second;
    expect(log.at(-2)?.payload).toMatchObject({ changes: { completed_at: { to: null } } });
    expect(replay(log)).toMatchObject({ status: 'done', completed_at });
  });

  spec('createTask', 201, 'is the time of creation if the task is created with the status done', async () => {
    const task = await createTask(alice, { status: 'done' });

    expect(task.completed_at).toBe(task.created_at);
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  });
});

describe('a list of tasks', () => {
  let bob: Client;
  let titles: string[];
  let times: string[];

  beforeAll(async () => {
    bob = await server.as('bob');
    titles = ['first', 'second', 'third'];
    times = [];
    for (const title of titles) {
      const { id } = await createTask(bob, { title });
      const { completed_at } = await setStatus(bob, id, 'done');
      times.push(completed_at ?? '');
      // Waits for the next millisecond, so that all times differ.
      await vi.waitUntil(() => new Date().toISOString() > (completed_at ?? ''), { interval: 1 });
    }
    await createTask(bob, { title: 'open' });
  });

  async function titlesOf(query: Record<string, string>): Promise<string[]> {
    const { tasks, count } = (await bob.ok('listTasks', { query })).body;
    expect(count).toBe(tasks.length);
    return tasks.map(({ title }) => title);
  }

  it('can be filtered by the time of completion', async () => {
    const [, second = ''] = times;

    expect(await titlesOf({ completed_after: second, sort: 'completed_at' })).toEqual(['second', 'third']);
    expect(await titlesOf({ completed_before: second })).toEqual(['first']);
    expect(await titlesOf({ completed_after: second, completed_before: second })).toEqual([]);
    expect(await titlesOf({ completed_before: '2999-01-01', status: 'todo' })).toEqual([]);
  });

  it('can be sorted by it, with open tasks last', async () => {
    expect(await titlesOf({ sort: 'completed_at' })).toEqual(['first', 'second', 'third', 'open']);
    expect(await titlesOf({ sort: '-completed_at' })).toEqual(['third', 'second', 'first', 'open']);
  });
});
