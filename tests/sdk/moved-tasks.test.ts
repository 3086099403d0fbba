import { randomUUID } from 'node:crypto';
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import {
  createClient,
  PreconditionFailedError,
  type Client,
  type Task,
  type TaskQuery,
} from '../../sdk/src/index.ts';
import {
  createQueries,
  type MutationCallbacks,
  type Queries,
  type TaskMove,
} from '../../sdk/src/tanstack-query.ts';
import { sharedServer } from '../support/server.ts';
import { mount } from './mount-query.ts';

const server = sharedServer();

describe('a task that is moved', () => {
  let client: Client;
  let queries: Queries;
  let queryClient: QueryClient;
  let milk: Task;
  let doors: PromiseWithResolvers<void>[];
  const column = (status: string) => queries.tasks.list.infiniteQueryOptions({ status });
  const pageOf = (status: string) => queryClient.getQueryData(column(status).queryKey)?.pages[0];
  const shown = (status: string) => pageOf(status)?.items.map(({ title }) => title);
  const letThrough = () => {
    for (const door of doors) door.resolve();
  };
  const moving = (
    moved: Task,
    changes: TaskMove['changes'],
    callbacks?: MutationCallbacks<TaskMove, Task>,
  ) => {
    const move = new MutationObserver(queryClient, queries.tasks.move.mutationOptions(callbacks));
    expectTypeOf(move.getCurrentResult().error).toEqualTypeOf<Error | null>();
    const outcome = move.mutate({ task: moved, changes });
    outcome.catch(() => undefined);
    return outcome;
  };

  beforeEach(async () => {
    client = createClient({ baseUrl: server.url, token: await server.token(randomUUID()) });
    queryClient = new QueryClient();
    await client.tasks.create({ title: 'Bread', status: 'done' });
    milk = await client.tasks.create({ title: 'Milk' });
    // Holds back each change, so that the test sees what is shown before it reaches the server.
    doors = [Promise.withResolvers(), Promise.withResolvers()];
    const closed = doors.values();
    const held = async (request: Request): Promise<Response> => {
      if (request.method === 'PUT') await closed.next().value?.promise;
      return fetch(request);
    };
    queries = createQueries(client.withOptions({ fetch: held }));
    for (const status of ['todo', 'done'])
      await mount(new InfiniteQueryObserver(queryClient, column(status)));
    await mount(new QueryObserver(queryClient, queries.tasks.get.queryOptions(milk.id)));
  });

  it('is in its new list at once, and stays there', async () => {
    const move = moving(milk, { status: 'done' });
    await expect.poll(() => shown('done')).toEqual(['Milk', 'Bread']);
    expect(shown('todo')).toEqual([]);
    letThrough();
    await move;

    expect(shown('done')).toEqual(['Milk', 'Bread']);
    expect(shown('todo')).toEqual([]);
    const kept = queryClient.getQueryData(queries.tasks.get.queryOptions(milk.id).queryKey);
    expect(kept).toEqual(await client.tasks.get(milk.id));
    expect(kept?.status).toBe('done');
  });

  // Only the server knows if the task belongs to a list with such a filter.
  it.each<[TaskQuery, string[]]>([
    [{ q: 'invoice' }, []],
    [{ tag: 'work' }, []],
    [{ due_before: '2026-01-01' }, []],
    [{ offset: 1 }, []],
    [{ q: '', tag: undefined, offset: 0 }, ['Milk', 'Bread']],
  ])('is added to a list with %o only if its other filters are empty', async (query, expected) => {
    const other = queries.tasks.list.queryOptions({ status: 'done', ...query });
    await mount(new QueryObserver(queryClient, other));
    const move = moving(milk, { status: 'done' });
    await expect.poll(() => shown('done')).toEqual(['Milk', 'Bread']);

    expect(queryClient.getQueryData(other.queryKey)?.items.map(({ title }) => title)).toEqual(expected);
    letThrough();
    await move;
  });

  it('is replaced in or removed from a list with any filter that has it', async () => {
    const ofText = (query: TaskQuery) => queries.tasks.list.queryOptions({ q: 'Milk', ...query });
    const found = (query: TaskQuery) =>
      queryClient.getQueryData(ofText(query).queryKey)?.items.map(({ status }) => status);
    for (const query of [{}, { status: 'todo' }]) await mount(new QueryObserver(queryClient, ofText(query)));
    expect([found({}), found({ status: 'todo' })]).toEqual([['todo'], ['todo']]);

    const move = moving(milk, { status: 'done' });
    await expect.poll(() => found({})).toEqual(['done']);
    expect(found({ status: 'todo' })).toEqual([]);
    letThrough();
    await move;
  });

  it('goes back to its list if somebody else has changed it', async () => {
    await client.tasks.update(milk.id, { title: 'Oat milk' });

    const seen: unknown[] = [];
    const move = moving(
      milk,
      { status: 'done' },
      {
        onError: (error, { task }) => seen.push(error.name, task.title, shown('todo')),
        onSettled: () => seen.push(shown('todo')),
      },
    );
    await expect.poll(() => shown('done')).toEqual(['Milk', 'Bread']);
    letThrough();

    await expect(move).rejects.toBeInstanceOf(PreconditionFailedError);
    expect(shown('todo')).toEqual(['Oat milk']);
    expect(shown('done')).toEqual(['Bread']);
    // The callbacks run after the queries have changed.
    expect(seen).toEqual(['PreconditionFailedError', 'Milk', ['Milk'], ['Oat milk']]);
  });

  it('stays where the second move put it when the first move has ended', async () => {
    const first = moving(milk, { status: 'done' });
    await expect.poll(() => shown('done')).toEqual(['Milk', 'Bread']);
    const [seen = milk] = pageOf('done')?.items ?? [];
    const second = moving(seen, { status: 'todo' });
    await expect.poll(() => shown('done')).toEqual(['Bread']);
    doors[0]?.resolve();
    await first;

    expect(shown('todo')).toEqual(['Milk']);
    expect(shown('done')).toEqual(['Bread']);
    const kept = queryClient.getQueryData(queries.tasks.get.queryOptions(milk.id).queryKey);
    expect(kept?.status).toBe('todo');
    letThrough();
    await second;
    expect(shown('todo')).toEqual(['Milk']);
  });

  it('takes back what was changed after it, if it is refused', async () => {
    await client.tasks.update(milk.id, { title: 'Oat milk' });
    const first = moving(milk, { status: 'done' });
    const second = moving({ ...milk, status: 'done' }, { title: 'Cream' });
    await expect.poll(() => shown('done')).toEqual(['Cream', 'Bread']);
    letThrough();

    await expect(first).rejects.toBeInstanceOf(PreconditionFailedError);
    await expect(second).rejects.toBeInstanceOf(PreconditionFailedError);
    expect(shown('todo')).toEqual(['Oat milk']);
    expect(await client.tasks.get(milk.id)).toMatchObject({ status: 'todo', title: 'Oat milk' });
  });
});
