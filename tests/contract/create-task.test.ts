import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

spec('createTask', 201, 'fields that the request leaves out get the defaults of the interface', async () => {
  const { body, headers } = await alice.ok('createTask', { body: { title: 'Buy milk' } });

  expect(body.task).toEqual({
    id: expect.any(String),
    user_id: server.userId('alice'),
    workspace_id: null,
    title: 'Buy milk',
    description: null,
    status: 'todo',
    priority: 'none',
    assignee_id: null,
    assignee_type: null,
    assignee_name: null,
    due_date: null,
    tags: null,
    metadata: null,
    completed_at: null,
    created_at: expect.any(String),
    updated_at: body.task.created_at,
    etag: headers.get('ETag'),
  });
  expect(headers.get('Location')).toBe(`/api/tasks/${body.task.id}`);
});

spec('createTask', 201, 'every field is stored as it was sent, to the character', async () => {
  const fields = {
    workspace_id: 'home',
    description: 'Übergröße \u{1F95B} "quoted" \\ back\nnext line',
    status: 'in_progress',
    assignee_id: 'bob',
    assignee_type: 'human',
    assignee_name: 'Bob',
    due_date: 'next Tuesday',
    tags: ' a , b,',
    metadata: '{"a": 1.0}',
  };

  expect(await createTask(alice, fields)).toMatchObject(fields);
});

describe.each([
  [3, '3'],
  [1.5, '1.5'],
  [true, 'true'],
  ['high', 'high'],
  [null, 'none'],
  ['', 'none'],
])('priority %j', (sent, stored) => {
  spec('createTask', 201, `is returned as the string "${stored}"`, async () => {
    expect(await createTask(alice, { priority: sent })).toMatchObject({ priority: stored });
  });
});

spec('createTask', 201, 'white space around the title is removed', async () => {
  expect(await createTask(alice, { title: '  Buy milk\n' })).toMatchObject({ title: 'Buy milk' });
});

spec('createTask', 201, 'empty optional fields are stored as null, and an empty status as todo', async () => {
  const task = await createTask(alice, { description: '', due_date: '', workspace_id: null, status: '' });

  expect(task).toMatchObject({ description: null, due_date: null, workspace_id: null, status: 'todo' });
});

spec(
  'createTask',
  201,
  'unknown fields are ignored, and so are fields that only the server sets',
  async () => {
    const body = { title: 'Mine', color: 'red', user_id: 'mallory', id: 'x', created_at: 'yesterday' };

    const { task } = (await alice.ok('createTask', { body })).body;

    expect(task).toMatchObject({ title: 'Mine', user_id: server.userId('alice') });
    expect(task.id).not.toBe('x');
  },
);

spec('createTask', 201, 'the audit entry has the fields that were set', async () => {
  const task = await createTask(alice, { title: 'Logged', priority: 2 });

  const { body: log } = await alice.ok('listAuditLogs', { id: task.id });

  expect(log).toEqual([
    {
      id: expect.any(String),
      task_id: task.id,
      action: 'create',
      actor_type: 'human',
      actor_id: server.userId('alice'),
      payload: expect.any(String),
      created_at: task.created_at,
    },
  ]);
  expect(await auditLog(alice, task.id)).toEqual([
    { action: 'create', payload: { title: 'Logged', status: 'todo', priority: '2' } },
  ]);
});

const textRule = 'must not contain NUL characters or lone surrogates.';

describe.each([
  ['title', {}, 'required', 'Title is required.'],
  ['title', { title: '' }, 'not_blank', 'Title must not be blank.'],
  ['title', { title: ' \n ' }, 'not_blank', 'Title must not be blank.'],
  ['title', { title: 7 }, 'wrong_type', 'Title must be a string.'],
  ['title', { title: null }, 'wrong_type', 'Title must be a string.'],
  ['title', { title: 'x'.repeat(501) }, 'too_long', 'Title must not have more than 500 characters.'],
  ['title', { title: 'a\0b' }, 'unsupported_character', `Title ${textRule}`],
  ['description', { title: 'x', description: '\ud800' }, 'unsupported_character', `Description ${textRule}`],
  [
    'description',
    { title: 'x', description: 'x'.repeat(65_537) },
    'too_long',
    'Description must not have more than 65536 characters.',
  ],
  ['metadata', { title: 'x', metadata: { a: 1 } }, 'wrong_type', 'Metadata must be a string or null.'],
  ['tags', { title: 'x', tags: ['a'] }, 'wrong_type', 'Tags must be a string or null.'],
  [
    'tags',
    { title: 'x', tags: 'x'.repeat(2001) },
    'too_long',
    'Tags must not have more than 2000 characters.',
  ],
  [
    'tags',
    { title: 'x', tags: 'a,'.repeat(50) },
    'malformed',
    'Tags must not have more than 49 commas, which separate 50 tags.',
  ],
  ['status', { title: 'x', status: '  ' }, 'not_blank', 'Status must not be blank.'],
  [
    'status',
    { title: 'x', status: 'x'.repeat(65) },
    'too_long',
    'Status must not have more than 64 characters.',
  ],
  [
    'priority',
    { title: 'x', priority: {} },
    'wrong_type',
    'Priority must be a string or a number or a boolean or null.',
  ],
  [
    'priority',
    { title: 'x', priority: 'x'.repeat(256) },
    'too_long',
    'Priority must not have more than 255 characters.',
  ],
  [
    'priority',
    { title: 'x', priority: 9007199254740992 },
    'too_large',
    'Priority must be at most 9007199254740991.',
  ],
  ['due_date', { title: 'x', due_date: 5 }, 'wrong_type', 'Due date must be a string or null.'],
  [
    'workspace_id',
    { title: 'x', workspace_id: 'x'.repeat(256) },
    'too_long',
    'Workspace id must not have more than 255 characters.',
  ],
])('a wrong %s', (field, body, code, sentence) => {
  spec('createTask', 400, `is reported with its pointer, a code and a sentence: ${sentence}`, async () => {
    const { body: problem } = await alice.fails('createTask', 400, { body });

    expect(problem).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: 'VALIDATION_ERROR',
      detail: sentence,
      errors: [{ pointer: `/${field}`, code, detail: sentence }],
    });
  });
});

spec('createTask', 400, 'a priority that is not a finite number is refused', async () => {
  const { body } = await alice.fails('createTask', 400, { body: '{"title": "x", "priority": 1e400}' });

  expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/priority']);
});

spec('createTask', 400, 'every wrong field is reported at once', async () => {
  const { body } = await alice.fails('createTask', 400, { body: { status: 1, tags: 2, due_date: 3 } });

  expect(body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
    '/due_date',
    '/status',
    '/tags',
    '/title',
  ]);
});

spec(
  'createTask',
  201,
  'a character outside the basic plane counts as one, not as two code units',
  async () => {
    const title = '\u{1F95B}'.repeat(500);

    expect(await createTask(alice, { title })).toMatchObject({ title });
  },
);
