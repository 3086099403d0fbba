import { createCollection } from '@tanstack/db';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, UnauthorizedError } from '../../sdk/src/index.ts';
import { taskCollectionOptions } from '../../sdk/src/tanstack-db.ts';
import { sharedServer } from '../support/server.ts';
import { collect, newUser, titles } from './collected-tasks.ts';

const server = sharedServer();

describe('a collection of tasks', () => {
  it('shows each page of 1,000 tasks of its query as it arrives', async () => {
    const { other, client } = await newUser();
    for (const title of ['Milk', 'Bread', 'Salt']) await other.tasks.create({ title });
    await other.tasks.create({ title: 'Flour', status: 'done' });
    const door = Promise.withResolvers<undefined>();
    const inSmallPages = async (request: Request): Promise<Response> => {
      if (request.url.includes('cursor=')) await door.promise;
      return fetch(new Request(request.url.replace('limit=1000', 'limit=2'), request));
    };
    const reader = client.withOptions({ fetch: inSmallPages });
    const tasks = createCollection(taskCollectionOptions(reader, { status: ['todo', 'blocked'] }));
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
