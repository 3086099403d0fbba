import { describe, expect, it } from 'vitest';
import { createClient as createAgentsClient } from '../../sdk/src/areas/agents.ts';
import { createClient as createTasksClient } from '../../sdk/src/areas/tasks.ts';
import { createClient as createVizClient } from '../../sdk/src/areas/viz.ts';
import { createClient } from '../../sdk/src/index.ts';
import { createQueries } from '../../sdk/src/tanstack-query.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const options = async (user: string) => ({ baseUrl: server.url, token: await server.token(user) });

describe('a client of one area', () => {
  it('the clients have the areas of the whole client together', () => {
    const unused = { baseUrl: 'http://localhost', token: 't' };
    const [all, ...parts] = [createClient, createTasksClient, createVizClient, createAgentsClient].map(
      (create) => Object.keys(create(unused)),
    );

    expect(new Set(parts.flat())).toEqual(new Set(all));
  });

  it('calls the operations of its area, and reads the caller', async () => {
    const tasksOnly = createTasksClient(await options('tasks-only')).withOptions({ retriesMax: 0 });
    const { renders } = await createVizClient(await options('viz-only')).viz.getStatus();
    const { runtimes } = await createAgentsClient(await options('agents-only')).runtimes.list();

    await tasksOnly.tasks.create({ title: 'Buy milk' });
    expect((await tasksOnly.tasks.list().toArray()).map(({ title }) => title)).toEqual(['Buy milk']);
    expect((await tasksOnly.me()).id).toBe(server.userId('tasks-only'));
    expect([renders.length, runtimes.length > 0]).toEqual([3, true]);
  });

  it('has the queries of its area', async () => {
    const queries = createQueries(createTasksClient(await options('tasks-only')));

    expect(Object.keys(queries).sort()).toEqual(['me', 'tasks']);
    // @ts-expect-error A client of tasks has no queries of charts.
    expect(queries.viz).toBeUndefined();
  });
});
