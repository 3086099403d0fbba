import { createCollection } from '@tanstack/db';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, UnauthorizedError } from '../../sdk/src/index.ts';
import { taskCollectionOptions } from '../../sdk/src/tanstack-db.ts';
import { sharedServer } from '../support/server.ts';
import { collect, newUser, titles } from './collected-tasks.ts';

const server = sharedServer();

describe('a collection of tasks', () => {
  it('has the tasks of its query, and the changes that others make', async () => {
    const { other, client } = await newUser();
    const milk = await other.tasks.create({ title: 'Milk', status: 'todo' });
    const bread = await other.tasks.create({ title: 'Bread', status: 'todo' });
    await other.tasks.create({ title: 'Salt', status: 'done' });
    const tasks = await collect(client, { status: ['todo', 'blocked'] });
    expect(tasks.toArray.sort((a, b) => a.id.localeCompare(b.id))).toMatchObject([milk, bread]);

    const changed = await other.tasks.update(milk.id, { status: 'blocked' });
    await other.tasks.update(bread.id, { status: 'done' });
    const eggs = await other.tasks.create({ title: 'Eggs' });
    const flour = await other.tasks.create({ title: 'Flour' });
    await other.tasks.delete(flour.id);

    await expect.poll(() => titles(tasks)).toEqual(['Eggs', 'Milk']);
    expect(tasks.get(milk.id)).toMatchObject(changed);
    expect(tasks.get(eggs.id)).toMatchObject(eggs);
  });

  it('a task that leaves the workspace of the query leaves the collection', async () => {
    const { other, client } = await newUser();
    const milk = await other.tasks.create({ title: 'Milk', workspace_id: 'home' });
    const bread = await other.tasks.create({ title: 'Bread', workspace_id: 'work' });
    const tasks = await collect(client, { workspace_id: 'home' });
    expect(titles(tasks)).toEqual(['Milk']);

    await other.tasks.update(milk.id, { workspace_id: 'work' });
    await other.tasks.update(bread.id, { workspace_id: 'home' });

    await expect.poll(() => titles(tasks)).toEqual(['Bread']);
  });

  it('shows each page of 1,000 tasks as it arrives', async () => {
    const { other, client } = await newUser();
    for (const title of ['Milk', 'Bread', 'Salt']) await other.tasks.create({ title });
    const door = Promise.withResolvers<undefined>();
    const inSmallPages = async (request: Request): Promise<Response> => {
      if (request.url.includes('cursor=')) await door.promise;
      return fetch(new Request(request.url.replace('limit=1000', 'limit=2'), request));
    };
    const tasks = createCollection(taskCollectionOptions(client.withOptions({ fetch: inSmallPages })));
    onTestFinished(() => tasks.cleanup());
    const loading = tasks.preload();
    await expect.poll(() => titles(tasks)).toEqual(['Bread', 'Salt']);

    door.resolve(undefined);
    await loading;
    expect(titles(tasks)).toEqual(['Bread', 'Milk', 'Salt']);
  });

  it('fails with the error that ended its stream', async () => {
    const client = createClient({ baseUrl: server.url, token: 'wrong' });
    const tasks = createCollection(taskCollectionOptions(client));
    onTestFinished(() => tasks.cleanup());

    await expect(tasks.preload()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(tasks.status).toBe('error');
  });

  it('ends its stream when it is cleaned up', async () => {
    const { other, client } = await newUser();
    const signals: AbortSignal[] = [];
    const states: string[] = [];
    const watched = client.withOptions({
      fetch: (request) => {
        signals.push(request.signal);
        return fetch(request);
      },
    });
    const tasks = await collect(watched, { onState: ({ state }) => states.push(state) });
    await expect.poll(() => states).toEqual(['connecting', 'live']);

    await tasks.cleanup();

    expect(signals.at(-1)?.aborted).toBe(true);
    await other.tasks.create({ title: 'Milk' });
    await tasks.preload();
    expect(titles(tasks)).toEqual(['Milk']);
  });
});
