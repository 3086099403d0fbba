import { createCollection } from '@tanstack/db';
import { expect, it, onTestFinished } from 'vitest';
import { createClient, type Client, type Task } from '../../sdk/src/index.ts';
import { taskCollectionOptions } from '../../sdk/src/tanstack-db.ts';
import { startRelay } from '../support/relay.ts';
import { sharedServer } from '../support/server.ts';

const writersMax = 150;
// Like the connections of an application, which are limited.
const concurrentMax = 40;

/**
 * Creates a task, and changes it and a task that all writers share. Some writers then delete their task, or move it out
 * of the query.
 */
async function write(client: Client, shared: Task, n: number): Promise<void> {
  const { id } = await client.tasks.create({ title: `Task ${n}`, status: 'todo', workspace_id: 'home' });
  await client.tasks.update(shared.id, { description: `Changed by ${n}` });
  await client.tasks.update(id, { status: n % 3 === 0 ? 'done' : 'blocked' });
  if (n % 5 === 0) await client.tasks.delete(id);
  else if (n % 7 === 0) await client.tasks.update(id, { workspace_id: 'work' });
  else if (n % 3 === 0) await client.tasks.update(id, { status: 'todo' });
}

it('a live collection equals the list of the server after 150 writers, 40 at a time, and after lost connections', async () => {
  const server = sharedServer();
  const token = await server.token('crowd');
  const relay = await startRelay(server.url);
  const states: string[] = [];
  let requests = 0;
  const counted = (request: Request): Promise<Response> => {
    requests += 1;
    return fetch(request);
  };
  const writer = createClient({ baseUrl: server.url, token, fetch: counted, retriesMax: 9 });
  const shared = await writer.tasks.create({ title: 'Shared', status: 'todo', workspace_id: 'home' });
  const query = { workspace_id: 'home', status: ['todo', 'blocked'] };
  const client = createClient({ baseUrl: relay.url, token });
  const collection = createCollection(
    taskCollectionOptions(client, { ...query, onState: ({ state }) => states.push(state) }),
  );
  onTestFinished(() => collection.cleanup());
  await collection.preload();
  const isLive = () => expect.poll(() => states.at(-1)).toBe('live');
  await isLive();

  const writers = Array(writersMax).keys();
  const work = async (): Promise<void> => {
    for (const n of writers) await write(writer, shared, n);
  };
  const writing = Promise.all(Array.from({ length: concurrentMax }, work));
  for (const part of [1, 2]) {
    await expect.poll(() => requests).toBeGreaterThan(writersMax * part);
    await relay.cut();
    await expect.poll(() => states.at(-1)).toBe('lost');
    await relay.restore();
    await isLive();
    // Meanwhile, a user works in the collection.
    await collection.insert({ title: 'Mine', workspace_id: 'home' }).when('settled');
  }
  await writing;

  const listed = await writer.tasks.list({ ...query, sort: 'created_at' }).toArray();
  expect(listed.length).toBeGreaterThan(writersMax / 2);
  const versions = (tasks: readonly Task[]) => tasks.map(({ id, etag }) => `${id} ${etag}`).sort();
  await expect.poll(() => versions(collection.toArray)).toEqual(versions(listed));
  for (const task of listed) expect(collection.get(task.id)).toMatchObject(task);
});
