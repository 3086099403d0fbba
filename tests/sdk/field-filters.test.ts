import { expect, it } from 'vitest';
import { matchesFields, type FieldFilters } from '../../sdk/src/field-filters.ts';
import { createClient } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';

const queries: readonly FieldFilters[] = [
  {},
  { workspace_id: 'home' },
  { workspace_id: '', status: 'todo' },
  { status: ['todo', 'blocked'], workspace_id: 'home' },
  { priority: '2' },
  { assignee_id: 'bob' },
  { assignee_type: 'agent' },
  { unassigned: true },
  { unassigned: false, status: 'done' },
];

it('the filters that a copy of tasks applies select what the server lists', async () => {
  const server = sharedServer();
  const client = createClient({ baseUrl: server.url, token: await server.token('filtering') });
  await client.tasks.create({ title: '1' });
  await client.tasks.create({ title: '2', workspace_id: 'home', status: 'blocked', priority: 2 });
  await client.tasks.create({ title: '3', workspace_id: 'home', status: 'done', assignee_id: 'bob' });
  await client.tasks.create({ title: '4', assignee_id: 'planner', assignee_type: 'agent', status: 'done' });
  const all = await client.tasks.list().toArray();

  for (const query of queries)
    expect(
      all.filter((task) => matchesFields(task, query)),
      JSON.stringify(query),
    ).toEqual(await client.tasks.list(query).toArray());
});
