import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const server = sharedServer();

const alice = await server.as('alice');

spec('createComment', 201, 'the response is the comment of the caller, not wrapped', async () => {
  const task = await createTask(alice);

  const { body, headers } = await alice.ok('createComment', { id: task.id, body: { body: ' Oat milk.\n' } });

  expect(body).toEqual({
    id: expect.any(String),
    task_id: task.id,
    body: ' Oat milk.\n',
    author_id: server.userId('alice'),
    author_name: 'Alice',
    created_at: expect.any(String),
    updated_at: null,
  });
  expect(headers.get('Location')).toBe(`/api/tasks/${task.id}/comments`);
  expect((await alice.ok('listComments', { id: task.id })).body).toEqual([body]);
});

describe.each([
  [{ name: 'Al' }, 'Al'],
  [{ name: undefined, preferred_username: 'al1' }, 'al1'],
  [{ name: undefined, email: 'al@example.org' }, 'al@example.org'],
  [{ name: undefined }, server.userId('alice')],
])('a token with the claims %j', (claims, name) => {
  spec('createComment', 201, `makes ${name} the author`, async () => {
    const task = await createTask(alice);
    const Authorization = `Bearer ${await tokenFor(server.userId('alice'), claims)}`;

    const { body } = await alice.ok('createComment', {
      id: task.id,
      body: { body: 'Hi' },
      headers: { Authorization },
    });

    expect(body).toMatchObject({ author_id: server.userId('alice'), author_name: name });
  });
});

spec('createComment', 201, 'the audit entry has the id and body of the comment', async () => {
  const task = await createTask(alice);
  const { body } = await alice.ok('createComment', { id: task.id, body: { body: 'Logged' } });

  expect((await auditLog(alice, task.id))[1]).toEqual({
    action: 'comment',
    payload: { id: body.id, body: 'Logged' },
  });
});

describe.each([
  {},
  { body: '' },
  { body: '  \n' },
  { body: null },
  { body: 'a\0' },
  { body: 'x'.repeat(65_537) },
])('the comment %.40j', (body) => {
  spec('createComment', 400, 'is refused with the pointer /body', async () => {
    const task = await createTask(alice);

    const { body: problem } = await alice.fails('createComment', 400, { id: task.id, body });

    expect(problem.errors).toHaveLength(1);
    expect(problem.errors?.[0]?.pointer).toBe('/body');
  });
});

spec('createComment', 404, 'an unknown task is not found', async () => {
  await alice.fails('createComment', 404, { id: 'nowhere', body: { body: 'Hi' } });
});

spec('listComments', 200, 'a task without comments has an empty list', async () => {
  const task = await createTask(alice);

  expect((await alice.ok('listComments', { id: task.id })).body).toEqual([]);
});

spec('listComments', 200, 'comments are listed oldest first, in pages that Link connects', async () => {
  const task = await createTask(alice);
  for (const body of ['one', 'two', 'three'])
    await alice.ok('createComment', { id: task.id, body: { body } });

  const first = await alice.ok('listComments', { id: task.id, query: { limit: 2 } });
  const second = await alice.ok('listComments', { id: task.id, query: { limit: 2, offset: 2 } });

  const path = `/api/tasks/${task.id}/comments`;
  expect(first.body.map(({ body }) => body)).toEqual(['one', 'two']);
  expect(first.headers.get('Link')).toMatch(/\/comments\?limit=2&cursor=[\w-]+>; rel="next"$/);
  expect(second.body.map(({ body }) => body)).toEqual(['three']);
  expect(second.headers.get('Link')).toBe(`<${path}?limit=2&offset=0>; rel="prev"`);
});

spec('listComments', 200, 'a page beyond the last comment is empty', async () => {
  const task = await createTask(alice);

  expect((await alice.ok('listComments', { id: task.id, query: { offset: 5 } })).body).toEqual([]);
});

spec('listComments', 400, 'a negative offset is refused', async () => {
  const task = await createTask(alice);

  await alice.fails('listComments', 400, { id: task.id, query: { offset: -1 } });
});

spec('listComments', 404, 'an unknown task is not found', async () => {
  await alice.fails('listComments', 404, { id: 'nowhere' });
});
