import { expect, it } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

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

it('the audit entries of comments and updates that arrive together have one order', async () => {
  const alone = await server.as('writer of one task');
  const { id } = await createTask(alone, { title: 'start' });

  const ids = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      if (n % 2 === 0) await alone.ok('updateTask', { id, body: { title: `title ${n}` } });
      return n % 2 === 0 ? [] : [(await alone.ok('createComment', { id, body: { body: `${n}` } })).body.id];
    }),
  );

  const { body: log } = await alone.ok('listAuditLogs', { id });
  const times = log.map(({ created_at: time }) => time);
  const commented = log.filter(({ action }) => action === 'comment');
  expect(log).toHaveLength(41);
  expect(times).toEqual(times.toSorted());
  expect(replay(await auditLog(alone, id))['title']).toBe(
    (await alone.ok('getTask', { id })).body.task.title,
  );
  expect(new Set(commented.map(({ payload }) => (JSON.parse(payload) as { id: string }).id))).toEqual(
    new Set(ids.flat()),
  );
  // The feed, which is ordered by time, must have the order of the task's log, which is ordered by number.
  const changes = async (): Promise<string[]> => {
    const { body } = await alone.ok('listChanges', { query: { after: '0' } });
    return body.changes.map((change) => change.id);
  };
  await expect.poll(changes).toEqual(log.map((entry) => entry.id));
});
