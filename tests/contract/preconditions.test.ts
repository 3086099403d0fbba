import { describe, expect, it } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const alice = await sharedServer().as('alice');

const writes = [
  ['updateTask', { title: 'Changed' }],
  ['assignTask', { assignee_id: 'bob' }],
  ['deleteTask', undefined],
] as const;

/** Headers that a task with the etag fulfils. */
const fulfilled = (etag: string) => [
  ...[etag, `"9",${etag}`, `"9", W/${etag}`, '*'].map((tags) => ({ 'If-Match': tags })),
  { 'If-None-Match': '"2", "3"' },
];
const otherVersions = (etag: string) => ['"2"', 'W/"1"', '"9","8"', etag.slice(1, -1), ''];
const sameVersions = (etag: string) => ['*', etag, `W/${etag}`, `"9", ${etag}`];

describe.each(writes)('%s', (operation, body) => {
  spec(
    operation,
    200,
    'is done if the task has a version of If-Match, or none of If-None-Match',
    async () => {
      for (let n = 0; n < fulfilled('').length; n += 1) {
        const { id, etag } = await createTask(alice);

        await alice.ok(operation, { id, body, headers: fulfilled(etag)[n] });
      }
    },
  );

  spec(
    operation,
    412,
    'changes nothing if the task has no version of If-Match, or one of If-None-Match',
    async () => {
      const task = await createTask(alice);
      const refused = [
        ...otherVersions(task.etag).map((tags) => [{ 'If-Match': tags }, /^The task has changed/] as const),
        ...sameVersions(task.etag).map((tags) => [{ 'If-None-Match': tags }, /^The task matches/] as const),
      ];

      for (const [headers, detail] of refused) {
        const { body: problem } = await alice.fails(operation, 412, { id: task.id, body, headers });

        expect(problem.code).toBe('Precondition failed');
        expect(problem.detail).toMatch(detail);
      }
      expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
      expect(await auditLog(alice, task.id)).toHaveLength(1);
    },
  );
});

it('of 20 parallel updates with the same If-Match exactly one succeeds', async () => {
  const { id, etag } = await createTask(alice);
  const change = { id, headers: { 'If-Match': etag } };

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      alice.send('updateTask', { ...change, body: { title: `title ${n}` } }),
    ),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  expect(await auditLog(alice, id)).toHaveLength(2);
});

spec('getTask', 304, 'omits the body while the task has the version of If-None-Match', async () => {
  const { id, etag } = await createTask(alice);

  for (const tags of sameVersions(etag)) {
    const { status, headers, body } = await alice.send('getTask', { id, headers: { 'If-None-Match': tags } });

    expect({ status, body, tag: headers.get('ETag') }).toEqual({ status: 304, body: '', tag: etag });
  }
});

spec('getTask', 200, 'returns the body again after the task has changed', async () => {
  const { id, etag } = await createTask(alice);
  await alice.ok('updateTask', { id, body: { title: 'Changed' } });

  const { headers, body } = await alice.ok('getTask', { id, headers: { 'If-None-Match': etag } });

  expect(headers.get('ETag')).toBe(body.task.etag);
  expect(body.task.etag).not.toBe(etag);
  expect(body.task.title).toBe('Changed');
});
