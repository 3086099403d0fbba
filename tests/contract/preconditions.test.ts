import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const alice = await sharedServer().as('alice');

const writes = [
  ['updateTask', { title: 'Changed' }],
  ['assignTask', { assignee_id: 'bob' }],
  ['deleteTask', undefined],
] as const;

async function expectUnchanged(client: Client, task: { readonly id: string }): Promise<void> {
  expect((await client.ok('getTask', { id: task.id })).body.task).toEqual(task);
  expect(await auditLog(client, task.id)).toHaveLength(1);
}

describe.each(writes)('%s', (operation, body) => {
  spec(operation, 200, 'is done while the task has the version of If-Match', async () => {
    for (const tags of ['{etag}', '"9",{etag}', '"9", W/{etag}', '*']) {
      const { id, etag } = await createTask(alice);
      const headers = { 'If-Match': tags.replace('{etag}', etag) };

      await alice.ok(operation, { id, body, headers });
    }
  });

  spec(operation, 412, 'changes nothing if the task has another version than If-Match', async () => {
    const task = await createTask(alice);

    for (const tag of ['"2"', 'W/"1"', '"9","8"', task.etag.slice(1, -1), '']) {
      const headers = { 'If-Match': tag };
      const { body: problem } = await alice.fails(operation, 412, { id: task.id, body, headers });

      expect(problem.code).toBe('Precondition failed');
    }
    await expectUnchanged(alice, task);
  });

  spec(operation, 412, 'changes nothing if the task matches If-None-Match', async () => {
    const task = await createTask(alice);

    for (const tags of ['*', '{etag}', 'W/{etag}', '"9", {etag}']) {
      const headers = { 'If-None-Match': tags.replace('{etag}', task.etag) };
      const { body: problem } = await alice.fails(operation, 412, { id: task.id, body, headers });

      expect(problem.detail).toMatch(/^The task matches If-None-Match/);
    }
    await expectUnchanged(alice, task);
  });

  spec(operation, 200, 'is done if If-None-Match has other versions', async () => {
    const { id } = await createTask(alice);

    await alice.ok(operation, { id, body, headers: { 'If-None-Match': '"2", "3"' } });
  });
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

  for (const tags of [etag, `W/${etag}`, `"7", ${etag}`, '*']) {
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
