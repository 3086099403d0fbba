import { describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { allPages } from '../support/pages.ts';
import { unknownId } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const server = sharedServer();

const alice = await server.as('alice');

async function createComment(client: Client, body = 'Oat milk'): Promise<Schemas['Comment']> {
  const { id } = await createTask(client);
  return (await client.ok('createComment', { id, body: { body } })).body;
}

async function comments(client: Client, id: string): Promise<Schemas['Comment'][]> {
  return (await client.ok('listComments', { id })).body;
}

/** The path of a comment. */
function pathOf({ task_id: id, id: commentId }: Schemas['Comment']): { id: string; commentId: string } {
  return { id, commentId };
}

describe('a comment', () => {
  spec('createComment', 201, 'is returned unwrapped, and logged with its text', async () => {
    const { id } = await createTask(alice);

    const { body, headers } = await alice.ok('createComment', { id, body: { body: ' Oat milk.\n' } });

    const author = { author_id: server.userId('alice'), author_name: 'Alice' };
    expect(body).toMatchObject({ task_id: id, body: ' Oat milk.\n', ...author, updated_at: null });
    expect(headers.get('Location')).toBe(`/api/tasks/${id}/comments`);
    expect(await comments(alice, id)).toEqual([body]);
    const payload = { id: body.id, body: ' Oat milk.\n' };
    expect((await auditLog(alice, id))[1]).toEqual({ action: 'comment', payload });
  });

  spec('createComment', 201, 'has the name of its author from the first of four claims', async () => {
    const { id } = await createTask(alice);
    const userId = server.userId('alice');
    const email = 'al@example.org';
    const names = [
      [{ name: 'Al', preferred_username: 'al1', email }, 'Al'],
      [{ name: undefined, preferred_username: 'al1', email }, 'al1'],
      [{ name: undefined, email }, email],
      [{ name: undefined }, userId],
    ] as const;

    for (const [claims, name] of names) {
      const headers = { Authorization: `Bearer ${await tokenFor(userId, claims)}` };
      const { body } = await alice.ok('createComment', { id, body: { body: 'Hi' }, headers });

      expect(body).toMatchObject({ author_id: userId, author_name: name });
    }
  });

  spec('updateComment', 200, 'can be changed by its author, and says when it was', async () => {
    const comment = await createComment(alice);

    const { body } = await alice.ok('updateComment', { ...pathOf(comment), body: { body: 'Soy milk' } });

    expect(body).toEqual({ ...comment, body: 'Soy milk', updated_at: expect.any(String) });
    expect((body.updated_at ?? '') >= comment.created_at).toBe(true);
    expect(await comments(alice, comment.task_id)).toEqual([body]);
    expect((await auditLog(alice, comment.task_id)).at(-1)).toEqual({
      action: 'update_comment',
      payload: { id: comment.id, changes: { body: { from: 'Oat milk', to: 'Soy milk' } } },
    });
  });

  spec('updateComment', 200, 'that is not changed keeps its time, and nothing is logged', async () => {
    const comment = await createComment(alice);

    const { body } = await alice.ok('updateComment', { ...pathOf(comment), body: { body: 'Oat milk' } });

    expect(body).toEqual(comment);
    expect(await auditLog(alice, comment.task_id)).toHaveLength(2);
  });

  spec('deleteComment', 200, 'can be deleted by its author once, and the log keeps its text', async () => {
    const comment = await createComment(alice);
    const id = comment.task_id;
    const { body: other } = await alice.ok('createComment', { id, body: { body: 'Two litres' } });

    const { body } = await alice.ok('deleteComment', pathOf(comment));
    const again = await alice.fails('deleteComment', 404, pathOf(comment));

    expect(body).toEqual({ id: comment.id, deleted: true });
    expect(again.body.code).toBe('Comment not found');
    expect(await comments(alice, id)).toEqual([other]);
    const payload = { id: comment.id, body: 'Oat milk' };
    expect((await auditLog(alice, id)).at(-1)).toEqual({ action: 'delete_comment', payload });
  });
});

describe('a comment of somebody else', () => {
  spec('updateComment', 403, 'or of an agent cannot be changed by the owner of the task', async () => {
    const { id } = await createTask(alice, { title: 'Commented by an agent' });
    await runAgent(alice, await createAgent(alice), 'comment on Commented by an agent: two litres');
    const [comment] = await comments(alice, id);
    if (comment === undefined) throw new Error('The agent wrote no comment.');

    const changed = await alice.fails('updateComment', 403, { ...pathOf(comment), body: { body: 'x' } });
    const deleted = await alice.fails('deleteComment', 403, pathOf(comment));

    for (const { body } of [changed, deleted])
      expect(body).toMatchObject({ code: 'Access denied', detail: expect.stringMatching(/^Somebody else/) });
    expect(await comments(alice, id)).toEqual([comment]);
  });

  spec('updateComment', 404, 'is not found if it does not exist, or is on another task', async () => {
    const comment = await createComment(alice);
    const { id } = await createTask(alice);

    for (const commentId of [unknownId, 'no-uuid', comment.id]) {
      const { body } = await alice.fails('updateComment', 404, { id, commentId, body: { body: 'x' } });
      expect(body.code).toBe('Comment not found');
    }
    const { body } = await alice.fails('deleteComment', 404, { id: unknownId, commentId: comment.id });
    expect(body.code).toBe('Task not found');
  });
});

spec('listComments', 200, 'the list of comments is oldest first, in pages that Link connects', async () => {
  const { id } = await createTask(alice);
  expect(await comments(alice, id)).toEqual([]);
  for (const body of ['one', 'two', 'three']) await alice.ok('createComment', { id, body: { body } });

  const { body: second } = await alice.ok('listComments', { id, query: { limit: 2, offset: 2 } });
  const pages = await allPages(alice, 'listComments', { id, query: { limit: 2 } });

  expect(pages.map((page) => page.map(({ body }) => body))).toEqual([['one', 'two'], ['three']]);
  expect(second).toEqual(pages[1]);
});
