import { randomUUID } from 'node:crypto';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, type Client, type Task, type TaskQuery } from '../../sdk/src/index.ts';
import { createQueries, followTasks, type Queries } from '../../sdk/src/tanstack-query.ts';
import { sharedServer } from '../support/server.ts';
import { mount } from './mount-query.ts';

const server = sharedServer();

describe('queries of tasks that are followed', () => {
  let other: Client;
  let queries: Queries;
  let queryClient: QueryClient;
  let milk: Task;
  let bread: Task;
  const column = (status: string) => queries.tasks.list.infiniteQueryOptions({ status, limit: 1 });
  const shown = (status: string) => {
    const pages = queryClient.getQueryData(column(status).queryKey)?.pages;
    return [pages?.[0]?.count, pages?.flatMap(({ items }) => items.map(({ title }) => title))];
  };

  beforeEach(async () => {
    other = createClient({ baseUrl: server.url, token: await server.token(randomUUID()) });
    [milk, bread] = [
      await other.tasks.create({ title: 'Milk' }),
      await other.tasks.create({ title: 'Bread' }),
    ];
    queries = createQueries(other);
    queryClient = new QueryClient();
    const states: string[] = [];
    const onState = ({ state }: { readonly state: string }) => states.push(state);
    onTestFinished(followTasks(queryClient, other, { onState }));
    await expect.poll(() => states).toContain('live');
    for (const status of ['todo', 'done']) {
      const column1 = new InfiniteQueryObserver(queryClient, column(status));
      await mount(column1);
      await column1.fetchNextPage();
    }
    await mount(new QueryObserver(queryClient, queries.tasks.get.queryOptions(milk.id)));
  });

  it('show what others change, and read no list again', async () => {
    const sent = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => {
      sent.mockRestore();
    });
    await other.tasks.update(bread.id, { status: 'done', title: 'Rye bread' });
    await other.tasks.create({ title: 'Eggs' });
    await expect.poll(() => shown('todo')).toEqual([2, ['Eggs', 'Milk']]);
    const changed = await other.tasks.update(milk.id, { title: 'Oat milk' });
    await other.tasks.delete(bread.id);

    await expect.poll(() => shown('todo')).toEqual([2, ['Eggs', 'Oat milk']]);
    await expect.poll(() => shown('done')).toEqual([0, []]);
    expect(queryClient.getQueryData(queries.tasks.get.queryOptions(milk.id).queryKey)).toEqual(changed);
    expect(
      sent.mock.calls.filter(
        ([request]) => request instanceof Request && request.url.includes('/api/tasks?'),
      ),
    ).toEqual([]);
  });

  it.each<TaskQuery>([
    { status: 'done' },
    { limit: 1 },
    { sort: 'title' },
    { q: 'Milk' },
    { offset: 1 },
    { limit: 0 },
  ])('have the tasks, the order and the count of the server: %o', async (query) => {
    const eggs = await other.tasks.create({ title: 'Eggs', status: 'done' });
    await expect.poll(() => shown('done')).toEqual([1, ['Eggs']]);
    const list = queries.tasks.list.queryOptions(query);
    await mount(new QueryObserver(queryClient, list));

    await other.tasks.create({ title: 'Zucchini', status: 'done' });
    await expect.poll(() => shown('done')).toEqual([2, ['Zucchini', 'Eggs']]);
    await other.tasks.delete(bread.id);
    await other.tasks.update(milk.id, { title: 'Apples', status: 'done' });
    await other.tasks.update(eggs.id, { title: 'Milk' });

    const { count, items } = await other.tasks.list(query).page();
    await expect.poll(() => queryClient.getQueryData(list.queryKey)).toMatchObject({ count, items });
  });

  it('have the count of the server if a task is on a page that is not loaded', async () => {
    for (const title of ['Eggs', 'Flour', 'Grapes']) await other.tasks.create({ title, status: 'done' });
    await expect.poll(() => shown('done')[0]).toBe(3);
    const list = queries.tasks.list.infiniteQueryOptions({ status: 'done', limit: 2 });
    await mount(new InfiniteQueryObserver(queryClient, list));
    const count = (): unknown => queryClient.getQueryData(list.queryKey)?.pages[0]?.count;

    await other.tasks.update(milk.id, { status: 'done' });
    await expect.poll(count).toBe(4);
    await other.tasks.delete(milk.id);
    await expect.poll(count).toBe(3);
  });

  it('are read again when they are shown, if only the server knew what had changed', async () => {
    const list = { ...queries.tasks.list.queryOptions({ sort: 'title' }), staleTime: Infinity };
    await new QueryObserver(queryClient, list).refetch();

    await other.tasks.create({ title: 'Cheese' });
    await other.tasks.update(milk.id, { status: 'done' });
    await expect.poll(() => shown('done')).toEqual([1, ['Milk']]);
    await mount(new QueryObserver(queryClient, list));

    const titles = (): unknown => queryClient.getQueryData(list.queryKey)?.items.map(({ title }) => title);
    await expect.poll(titles).toEqual(['Bread', 'Cheese', 'Milk']);
  });
});
