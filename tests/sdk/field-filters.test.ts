import { expect, it } from 'vitest';
import { matchesFields, type FieldFilters } from '../../sdk/src/field-filters.ts';
import { createClient } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';
import { createFiveTasks } from '../support/tasks.ts';

const queries: readonly FieldFilters[] = [
  {},
  { workspace_id: 'home' },
  { workspace_id: '', status: 'todo' },
  { status: ['todo', 'blocked'], workspace_id: 'home' },
  { priority: '1' },
  { assignee_id: 'bob' },
  { assignee_type: 'agent' },
  { assignee_type: 'human' },
  { unassigned: true },
  { unassigned: false, status: 'todo' },
];

it('the filters that a copy of tasks applies select what the server lists', async () => {
  const server = sharedServer();
  const client = createClient({ baseUrl: server.url, token: await server.token('filtering') });
  await createFiveTasks(await server.as('filtering'));
  const all = await client.tasks.list().toArray();

  for (const query of queries)
    expect(
      all.filter((task) => matchesFields(task, query)),
      JSON.stringify(query),
    ).toEqual(await client.tasks.list(query).toArray());
});
