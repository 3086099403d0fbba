import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, textLimits } from '../support/tasks.ts';

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

const texts = {
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
/** The fields of a request, and the fields of the stored task if they differ. */
const stored: readonly (readonly [what: string, sent: object, task?: object])[] = [
  ['every field is stored as it was sent, to the character', texts],
  ...textLimits.map(
    ([field, length]) => [`${field} may have ${length} characters`, { [field]: 'x'.repeat(length) }] as const,
  ),
  ['a character outside the basic plane counts as one', { title: '\u{1F95B}'.repeat(500) }],
  ['white space around the title is removed', { title: '  Buy milk\n' }, { title: 'Buy milk' }],
  [
    'empty optional fields become null, and an empty status todo',
    { description: '', due_date: '', workspace_id: null, status: '' },
    { description: null, due_date: null, workspace_id: null, status: 'todo' },
  ],
  ...[3, 1.5, true].map(
    (priority) =>
      [`the priority ${priority} becomes a string`, { priority }, { priority: `${priority}` }] as const,
  ),
  ...[null, ''].map(
    (priority) =>
      [`the priority ${JSON.stringify(priority)} becomes none`, { priority }, { priority: 'none' }] as const,
  ),
  ...['high', '9007199254740993', '-9007199254740993', '1e300'].map(
    (priority) => [`the priority "${priority}" is kept as text`, { priority }] as const,
  ),
  ...['x', '👩\u200d💻', '\u200bx', 'é', '5', '—', '\ufffd'].map(
    (text) => [`a visible character is enough for a title: ${text}`, { title: text, status: text }] as const,
  ),
  [
    'unknown fields are ignored, and so are fields that only the server sets',
    { title: 'Mine', color: 'red', user_id: 'mallory', id: 'x', created_at: 'yesterday' },
    { title: 'Mine', user_id: server.userId('alice'), id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ],
];

describe.each(stored.map(([what, sent, fields = sent]) => ({ what, sent, fields })))(
  'of a new task, $what',
  ({ sent, fields }) => {
    spec('createTask', 201, 'in the response and in getTask', async () => {
      const task = await createTask(alice, sent);

      expect(task).toMatchObject(fields);
      expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
    });
  },
);

spec('createTask', 201, 'the longest texts that cannot be compressed fit into all indexes', async () => {
  const text = (length: number): string =>
    Array.from({ length }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000))).join('');
  const texts = Object.fromEntries(textLimits.map(([field, length]) => [field, text(length)]));
  // The id of the user has the maximum of 255 characters: the test server appends nine to these 246.
  const somebody = await server.as(text(246));

  const { id } = await createTask(somebody, texts);

  expect((await somebody.ok('listTasks', { query: 'sort=due_date' })).body.tasks).toMatchObject([{ id }]);
});

spec('createTask', 201, 'the audit entry has the fields that were set', async () => {
  const task = await createTask(alice, { title: 'Logged', priority: 2 });

  const { body: log } = await alice.ok('listAuditLogs', { id: task.id });

  const author = { actor_type: 'human', actor_id: server.userId('alice'), created_at: task.created_at };
  expect(log).toMatchObject([{ task_id: task.id, ...author }]);
  expect(await auditLog(alice, task.id)).toEqual([
    { action: 'create', payload: { title: 'Logged', status: 'todo', priority: '2' } },
  ]);
});
