import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createClient,
  payloadOf,
  type Change,
  type Client,
  type StreamState,
  type Task,
} from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';
import { fetchBreakingStreams, sseEvent, sseStream, startFakeServer } from './fake-server.ts';

const server = sharedServer();
let token: string;
let client: Client;

beforeEach(async () => {
  token = await server.token(randomUUID());
  client = createClient({ baseUrl: server.url, token });
});

async function take(changes: AsyncIterable<Change>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { task_id: id } of changes) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

async function createTasks(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await client.tasks.create({ title: `Task ${n}` })).id);
  return ids;
}

describe('client.tasks.changes', () => {
  it('yields each change once even if its stream breaks and is refused, and reports its states', async () => {
    const states: string[] = [];
    const ids = await createTasks(5);
    const unreliable = createClient({ baseUrl: server.url, token, fetch: fetchBreakingStreams(3) });
    const onState = ({ state }: StreamState): void => {
      states.push(state);
      throw new Error('An error of onState ends nothing.');
    };

    expect(await take(unreliable.tasks.changes({ after: '0' }, { onState }), 5)).toEqual(ids);
    expect(states).toEqual(['connecting', 'live', 'lost', 'lost', 'live']);
  });

  it('yields a change once, although ten thousand other changes come before its repetition', async () => {
    const ids = Array.from({ length: 10_001 }, (_, n) => `${n + 1}`);
    const events = [...ids, ...ids.slice(-2), 'last'].map((id) => sseEvent('change', { id, task_id: id }));
    const { tasks } = (await startFakeServer(sseStream([events.join('')], 'hang'))).client();

    expect((await take(tasks.changes({ after: '0' }), 10_002)).slice(-2)).toEqual(['10001', 'last']);
  });

  it('continues after the cursor of a change', async () => {
    const ids = await createTasks(3);
    const listed = async () => (await client.tasks.listChanges({ after: '0' })).changes;
    await expect.poll(listed).toHaveLength(3);
    const [first] = await listed();

    expect(await take(client.tasks.changes({ after: first?.cursor ?? '' }), 2)).toEqual(ids.slice(1));
  });

  it('follows a snapshot without a gap, even if others write meanwhile', async () => {
    const ids = await createTasks(3);
    const creating = createTasks(10);
    const pages: number[] = [];
    const onPage = (page: readonly Task[]): void => void pages.push(page.length);
    const { tasks, after } = await client.tasks.snapshot({ sort: 'created_at', limit: 2 }, { onPage });
    expect(pages.slice(0, -1).every((size) => size === 2)).toBe(true);
    ids.push(...(await creating));
    const known = new Map(tasks.map((task) => [task.id, task.etag]));

    for await (const { task_id: id, task } of client.tasks.changes({ after, include: 'task' })) {
      if (task != null) known.set(id, task.etag);
      if (known.size === ids.length) break;
    }

    const current = await client.tasks.list().toArray();
    expect(known).toEqual(new Map(current.map((task) => [task.id, task.etag])));
  });
});

it('payloadOf has the values before and after a change', async () => {
  const { id } = await client.tasks.create({ title: 'Buy milk' });
  await client.tasks.update(id, { status: 'done' });

  const entries = await client.tasks.listAuditLogs(id).toArray();

  const [created, updated] = entries.map(payloadOf);
  expect(created).toMatchObject({ title: 'Buy milk', status: 'todo' });
  expect(updated?.changes?.['status']).toEqual({ from: 'todo', to: 'done' });
});
