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

const nil = '00000000-0000-0000-0000-000000000000';

describe.each([unknownId, 'no-uuid', 'COUNTS', nil, "1'%20or%20'1'='1", '%00'])('the unknown id %s', (id) => {
  spec('getTask', 404, 'is not found, even if it is malformed', async () => {
    const { body } = await alice.fails('getTask', 404, { id });

    const code = 'Task not found';
    expect(body).toMatchObject({ code, error: code, status: 404, title: 'Not Found' });
  });
});
