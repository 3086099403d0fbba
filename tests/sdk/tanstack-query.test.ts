import { randomUUID } from 'node:crypto';
import {
  InfiniteQueryObserver,
  MutationObserver,
  onlineManager,
  QueryClient,
  QueryObserver,
  type InfiniteData,
} from '@tanstack/query-core';
import { beforeEach, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { ConnectionError, createClient, type Client, type Page, type Task } from '../../sdk/src/index.ts';
import { createQueries, type PageParam, type Queries } from '../../sdk/src/tanstack-query.ts';
import { sharedServer } from '../support/server.ts';
import { disconnect, json, problem, startFakeServer } from './fake-server.ts';
import { mount } from './mount-query.ts';
import { task } from './samples.ts';

const server = sharedServer();
let client: Client;
let queries: Queries;
let queryClient: QueryClient;

beforeEach(async () => {
  client = createClient({ baseUrl: server.url, token: await server.token(randomUUID()) });
  queries = createQueries(client);
  queryClient = new QueryClient();
});

const titles = (data: InfiniteData<Page<Task>> | undefined): string[] | undefined =>
  data?.pages.flatMap(({ items }) => items.map(({ title }) => title));

describe('the options of queries', () => {
  it('a read is kept under the area, the method and its arguments', async () => {
    const { id } = await client.tasks.create({ title: 'Buy milk' });
    const options = queries.tasks.get.queryOptions(id);

    const read = await queryClient.query(options);

    expect(read.title).toBe('Buy milk');
    expect(options.queryKey).toEqual(['worktable', 'tasks', 'get', { args: [id] }]);
    expect(queryClient.getQueryData(options.queryKey)).toEqual(read);
    expectTypeOf(queryClient.getQueryData(options.queryKey)).toEqualTypeOf<Task | undefined>();
  });

  it('reads without arguments, of charts and of the caller are queries too', async () => {
    const { count } = await queryClient.query(queries.tasks.count.queryOptions());
    const { renders } = await queryClient.query(queries.viz.getStatus.queryOptions());
    const chart = queries.viz.renderSvg.queryOptions({ data: [] });
    const { svg } = await queryClient.query(chart);
    expect(chart.staleTime).toBe(Infinity);
    const me = await queryClient.query(queries.me.queryOptions());

    expect([count, renders.includes('svg'), svg.includes('<svg')]).toEqual([0, true, true]);
    expect(me).toEqual(await client.me());
  });

  it('an infinite query reads each task once, page by page', async () => {
    for (const title of ['1', '2', '3', '4', '5']) await client.tasks.create({ title });
    const options = queries.tasks.list.infiniteQueryOptions({ limit: 2, offset: 1, sort: 'title' });

    const data = await queryClient.infiniteQuery({ ...options, pages: 9 });

    expect(titles(data)).toEqual(['2', '3', '4', '5']);
    expect(data.pages).toHaveLength(2);
    expectTypeOf(queryClient.getQueryData(options.queryKey)).toEqualTypeOf<
      InfiniteData<Page<Task>, PageParam> | undefined
    >();
  });

  it('a query that is cancelled aborts its request', async () => {
    const slow = await startFakeServer(() => undefined);
    const options = createQueries(slow.client()).tasks.get.queryOptions('1');

    const reading = queryClient.query(options);
    await expect.poll(() => slow.requests.length).toBe(1);
    await queryClient.cancelQueries(options);

    await expect(reading).rejects.toThrow('CancelledError');
  });

  it('only the client retries a query', async () => {
    const refusing = await startFakeServer(problem(404, 'Task not found'));
    const options = createQueries(refusing.client()).tasks.get.queryOptions('1');

    const reading = new QueryObserver(queryClient, options).fetchOptimistic(
      queryClient.defaultQueryOptions(options),
    );

    await expect(reading).rejects.toThrow('Task not found');
    expect(refusing.requests).toHaveLength(1);
  });
});

describe('the options of mutations', () => {
  it('the variables are the arguments of the method, and the lists of its area are read again', async () => {
    const list = new InfiniteQueryObserver(queryClient, queries.tasks.list.infiniteQueryOptions());
    await mount(list);

    const shown: unknown[] = [];
    const onSettled = (data?: Task) => shown.push(data?.title, titles(list.getCurrentResult().data));
    const create = new MutationObserver(queryClient, queries.tasks.create.mutationOptions({ onSettled }));
    expectTypeOf(create.getCurrentResult().error).toEqualTypeOf<Error | null>();
    const created = await create.mutate([{ title: 'Buy milk' }]);
    expect(shown).toEqual(['Buy milk', ['Buy milk']]);
    const update = new MutationObserver(queryClient, queries.tasks.update.mutationOptions());
    await update.mutate([created.id, { title: 'Buy oat milk' }, { ifMatch: created.etag }]);

    expect(titles(list.getCurrentResult().data)).toEqual(['Buy oat milk']);
  });

  it('a run, a decision and the deletion of a session are shown by the lists of all areas', async () => {
    const tasks = queries.tasks.list.queryOptions();
    const runs = queries.runs.list.queryOptions();
    const sessions = queries.sessions.list.queryOptions();
    await mount(new QueryObserver(queryClient, tasks));
    await mount(new QueryObserver(queryClient, runs));
    await mount(new QueryObserver(queryClient, sessions));
    const shown = () => [
      queryClient.getQueryData(tasks.queryKey)?.items.map(({ title }) => title),
      queryClient.getQueryData(runs.queryKey)?.items.map(({ status }) => status),
      queryClient.getQueryData(sessions.queryKey)?.items.length,
    ];
    const { id } = await client.agents.create({ name: 'Planner', skills: ['tasks'] });
    const run = new MutationObserver(queryClient, queries.agents.run.mutationOptions());

    await run.mutate([id, { input: 'create a task titled Buy milk' }]);
    expect(shown()).toEqual([['Buy milk'], ['completed'], 1]);
    const asking = await run.mutate([id, { input: 'delete task Buy milk' }]);
    expect(shown()).toEqual([['Buy milk'], ['requires_action', 'completed'], 2]);

    // A change by another client appears when the next mutation reads all queries again.
    await client.tasks.create({ title: 'Buy bread' });
    const decisions = [{ tool_call_id: asking.required_action?.tool_calls[0]?.id ?? '', approve: false }];
    const approve = new MutationObserver(queryClient, queries.runs.approve.mutationOptions());
    await approve.mutate([asking.id, decisions]);
    expect(shown()[0]).toContain('Buy bread');

    await client.runs.wait(asking.id);
    const forget = new MutationObserver(queryClient, queries.sessions.delete.mutationOptions());
    await forget.mutate([asking.session_id]);
    expect(shown().slice(1)).toEqual([['completed'], 1]);
  });

  it('a write without a network fails, and is not sent later', async () => {
    onTestFinished(() => {
      onlineManager.setOnline(true);
    });
    onlineManager.setOnline(false);
    const away = await startFakeServer(disconnect);
    const options = createQueries(away.client({ retriesMax: 0 })).tasks.create.mutationOptions();

    const creating = new MutationObserver(queryClient, options).mutate([{ title: 'Buy milk' }]);

    await expect(creating).rejects.toBeInstanceOf(ConnectionError);
  });

  it('the attempts of one mutation have one idempotency key, and two mutations have two', async () => {
    const flaky = await startFakeServer(problem(500, 'Database error'), json(201, { task }));
    const options = createQueries(flaky.client()).tasks.create.mutationOptions();
    const create = new MutationObserver(queryClient, { ...options, retry: 1, retryDelay: 0 });

    await create.mutate([{ title: 'Buy milk' }]);
    await create.mutate([{ title: 'Buy milk' }]);
    await create.mutate([{ title: 'Buy milk' }, { idempotencyKey: 'mine' }]);

    const [first, retry, second, third] = flaky.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBe(retry);
    expect(second).not.toBe(first);
    expect(third).toBe('mine');
  });
});
