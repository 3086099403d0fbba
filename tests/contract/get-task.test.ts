import { describe, expect } from 'vitest';
import { unknownId } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const alice = await sharedServer().as('alice');

spec('getTask', 200, 'the response is the task as it was created, wrapped in "task"', async () => {
  const task = await createTask(alice, { title: 'Find me' });

  expect((await alice.ok('getTask', { id: task.id })).body).toEqual({ task });
});

spec('getTask', 200, 'a task is found by its id in capital letters', async () => {
  const task = await createTask(alice);

  expect((await alice.ok('getTask', { id: task.id.toUpperCase() })).body).toEqual({ task });
});

describe.each(['{etag}', 'W/{etag}', '"7", {etag}', '*'])('If-None-Match: %s', (tags) => {
  spec('getTask', 304, 'omits the body while the task has that version', async () => {
    const task = await createTask(alice);

    const { status, headers, body } = await alice.send('getTask', {
      id: task.id,
      headers: { 'If-None-Match': tags.replace('{etag}', task.etag) },
    });

    expect({ status, body, tag: headers.get('ETag') }).toEqual({ status: 304, body: '', tag: task.etag });
  });
});

spec('getTask', 200, 'returns the body again after the task has changed', async () => {
  const task = await createTask(alice);
  await alice.ok('updateTask', { id: task.id, body: { title: 'Changed' } });

  const { headers, body } = await alice.ok('getTask', {
    id: task.id,
    headers: { 'If-None-Match': task.etag },
  });

  expect(headers.get('ETag')).toBe(body.task.etag);
  expect(body.task.etag).not.toBe(task.etag);
  expect(body.task.title).toBe('Changed');
});

describe.each([unknownId, 'no-uuid', '00000000-0000-0000-0000-000000000000', "1'%20or%20'1'='1", '%00'])(
  'the unknown id %s',
  (id) => {
    spec('getTask', 404, 'is not found, even if it is malformed', async () => {
      const { body } = await alice.fails('getTask', 404, { id });

      expect(body).toMatchObject({
        code: 'Task not found',
        error: 'Task not found',
        status: 404,
        title: 'Not Found',
      });
    });
  },
);

describe.each(['foo', 'limit', 'constructor'])('the query parameter %s', (name) => {
  spec('getTask', 400, 'is refused because this operation has none', async () => {
    const task = await createTask(alice);

    const { body } = await alice.fails('getTask', 400, { id: task.id, query: `${name}=1` });

    expect(body.errors).toEqual([
      {
        pointer: `/query/${name}`,
        code: 'unknown',
        detail: `The query parameter "${name}" is not known; this operation has no query parameters.`,
      },
    ]);
  });
});
