import { expect, it } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

/** The payload of an audit entry about a comment. */
interface Logged {
  readonly id: string;
  readonly changes: { readonly body: { readonly from: string; readonly to: string } };
}

const server = sharedServer();

const alice = await server.as('alice');

it('a task that is deleted while comments arrive is deleted with all of them', async () => {
  const { id } = await createTask(alice);

  const comments = Array.from({ length: 10 }, () =>
    alice.send('createComment', { id, body: { body: 'Hi' } }),
  );
  const [deleted, ...answers] = await Promise.all([alice.send('deleteTask', { id }), ...comments]);

  expect(deleted.status).toBe(200);
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 404]))).toEqual(new Set());
  const added = answers.filter(({ status }) => status === 201).length;
  expect((await auditLog(alice, id)).filter(({ action }) => action === 'comment')).toHaveLength(added);
  await alice.fails('listComments', 404, { id });
});

it('changes of a task and its comments that arrive together are logged in the order of their effects', async () => {
  const alone = await server.as('writer of one task');
  const { id } = await createTask(alone, { title: 'start' });
  const { body: comment } = await alone.ok('createComment', { id, body: { body: 'text 0' } });
  const request = { id, commentId: comment.id };

  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      if (n % 3 === 0) return alone.send('updateTask', { id, body: { title: `title ${n}` } });
      if (n % 3 === 1) return alone.send('createComment', { id, body: { body: `${n}` } });
      if (n === 20) return alone.send('deleteComment', request);
      return alone.send('updateComment', { ...request, body: { body: `text ${n}` } });
    }),
  );

  const { body: entries } = await alone.ok('listAuditLogs', { id });
  const log = await auditLog(alone, id);
  const times = entries.map(({ created_at: time }) => time);
  expect(log).toHaveLength(2 + answers.filter(({ status }) => status < 300).length);
  expect(times).toEqual(times.toSorted());
  const { task } = (await alone.ok('getTask', { id })).body;
  expect(replay(log)['title']).toBe(task.title);
  const { body: comments } = await alone.ok('listComments', { id });
  const added = new Set<string>();
  let text = 'text 0';
  for (const { action, payload } of log) {
    const { id: ofComment, changes } = payload as Logged;
    if (action === 'comment') added.add(ofComment);
    if (action === 'delete_comment') expect(payload).toEqual({ id: comment.id, body: text });
    if (action !== 'update_comment') continue;
    expect(changes.body.from).toBe(text);
    text = changes.body.to;
  }
  expect(added).toEqual(new Set([comment.id, ...comments.map((each) => each.id)]));
  // The feed, which is ordered by time, must have the order of the task's log, which is ordered by number.
  const changes = async (): Promise<string[]> => {
    const { body } = await alone.ok('listChanges', { query: { after: '0' } });
    return body.changes.map((change) => change.id);
  };
  await expect.poll(changes).toEqual(entries.map((entry) => entry.id));
});
