import { describe, expect, it } from 'vitest';
import { createAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { sendTwiceWhileLocked } from '../support/locks.ts';
import { run } from '../support/postgres.ts';
import { createDatabase, isShareable, startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const server = await startTestServer();

const key = (value: string): { headers: Record<string, string> } => ({
  headers: { 'Idempotency-Key': value },
});

const { id: taskId } = await createTask(await server.as('createComment'));
const { id: agentId } = await createAgent(await server.as('runAgent'));

const countTasks = async (client: Client): Promise<number> => (await client.ok('listTasks')).body.count;
const countAgents = async (client: Client): Promise<number> =>
  (await client.ok('listAgents')).body.agents.length;

async function countComments(client: Client): Promise<number> {
  const { body: comments } = await client.ok('listComments', { id: taskId });
  expect(await auditLog(client, taskId)).toHaveLength(1 + comments.length);
  return comments.length;
}

const batch = { create: [{ title: 'Once' }] };
const runRequest = { id: agentId, body: { input: 'create a task titled Once' } };

/** Operations with their table, a request, another body for it, and what counts its effects. */
const operations = [
  ['createTask', 'tasks', { body: { title: 'Once' } }, { title: 'Twice' }, countTasks],
  ['createComment', 'comments', { id: taskId, body: { body: 'Once' } }, { body: 'Twice' }, countComments],
  ['createAgent', 'agents', { body: { name: 'Once' } }, { name: 'Twice' }, countAgents],
  ['batchTasks', 'tasks', { body: batch }, { create: [{ title: 'Twice' }] }, countTasks],
  ['runAgent', 'runs', runRequest, { input: 'list my tasks' }, countTasks],
] as const;

describe.each(operations)('a repeated Idempotency-Key of %s', (operation, table, request, body, count) => {
  it('replays the response, and takes effect once', async () => {
    const alice = await server.as(operation);
    const before = await count(alice);

    const first = await alice.ok(operation, { ...request, ...key('first') });
    const id = 'id' in request ? request.id.toUpperCase() : '';
    const second = await alice.ok(operation, { ...request, id, ...key('first') });

    expect(second.body).toEqual(first.body);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    for (const name of ['Location', 'ETag']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(await count(alice)).toBe(before + 1);
  });

  spec(operation, 422, 'is refused with another body', async () => {
    const alice = await server.as(operation);
    await alice.ok(operation, { ...request, ...key('reused') });

    const refused = await alice.fails(operation, 422, { ...request, body, ...key('reused') });

    expect(refused.body.code).toBe('Idempotency key reused');
  });

  it.runIf(isShareable)('waits while the first request is in progress, and is replayed', async () => {
    const alice = await server.as(operation);
    const before = await count(alice);

    const answers = await sendTwiceWhileLocked(server, table, () =>
      alice.ok(operation, { ...request, ...key('in flight') }),
    );

    expect(answers[1].body).toEqual(answers[0].body);
    const replayed = answers.map(({ headers }) => headers.get('Idempotency-Replayed'));
    expect(new Set(replayed)).toEqual(new Set([null, 'true']));
    expect(await count(alice)).toBe(before + 1);
  });
});

spec('createComment', 422, 'a key that was used for another task or operation is refused', async () => {
  const alice = await server.as('alice');
  const [one, two] = [await createTask(alice), await createTask(alice)];
  await alice.ok('createComment', { id: one.id, body: { body: 'Hi' }, ...key('one task') });

  await alice.fails('createComment', 422, { id: two.id, body: { body: 'Hi' }, ...key('one task') });
  await alice.fails('createTask', 422, { body: { title: 'Hi' }, ...key('one task') });
});

spec('createComment', 201, 'a failure is not stored: the key works once the cause is gone', async () => {
  const alice = await server.as('alice');
  const { id } = await createTask(alice);
  await alice.fails('createComment', 400, { id, body: { body: '' }, ...key('second try') });
  await alice.fails('createComment', 404, { id: 'nowhere', body: { body: 'x' }, ...key('second try') });

  await alice.ok('createComment', { id, body: { body: 'Now' }, ...key('second try') });
});

describe.each(['', 'ä', 'x'.repeat(256)])('the Idempotency-Key "%.10s"', (value) => {
  spec('createTask', 400, 'is refused: it must be plain text of 1 to 255 characters', async () => {
    const alice = await server.as('alice');

    const { body } = await alice.fails('createTask', 400, { body: { title: 'One' }, ...key(value) });

    expect(body.errors?.[0]?.pointer).toBe('/header/idempotency-key');
  });
});

spec('createTask', 201, 'a repetition may have another order, and other unknown fields', async () => {
  const alice = await server.as('reorderer');
  const bodies = [
    '{"title":"One","status":"todo","note":1,"constructor":{}}',
    '{"other":[],"status":"todo","title":"One"}',
  ];

  const [first, second] = await Promise.all(
    bodies.map((body) => alice.ok('createTask', { body, ...key('order') })),
  );

  expect(second?.body).toEqual(first?.body);
});

describe.runIf(isShareable)('on Postgres', () => {
  const url = server.env['DATABASE_URL'] ?? '';

  spec('createTask', 201, 'another process replays the response, even at the same time', async () => {
    const other = await startTestServer({ sharing: server });
    const [here, there] = [await server.as('mover'), await other.as('mover')];
    const request = { body: { title: 'Two servers' }, ...key('two servers') };

    const together = await Promise.all([here, there].map((client) => client.ok('createTask', request)));
    const later = await there.ok('createTask', request);

    for (const { body } of together) expect(body).toEqual(later.body);
    expect(later.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await here.ok('listTasks')).body.count).toBe(1);
  });

  spec('createTask', 201, 'a key is new again after 24 hours', async () => {
    const alice = await server.as('late');
    await alice.ok('createTask', { body: { title: 'Yesterday' }, ...key('old') });
    await run(url, `update idempotency_keys set created_at = now() - interval '24 hours' where key = 'old'`);

    const { headers } = await alice.ok('createTask', { body: { title: 'Today' }, ...key('old') });

    expect(headers.get('Idempotency-Replayed')).toBeNull();
    expect((await alice.ok('listTasks')).body.count).toBe(2);
  });

  it('keys are deleted after 24 hours, however many there are, and not before', async () => {
    const own = await createDatabase();
    const ownUrl = own.env['DATABASE_URL'] ?? '';
    await run(
      ownUrl,
      `insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
      select 'alice', n::text, 'hash', '{}', now() - interval '1 hour' * case n when 1 then 23 else 25 end
      from generate_series(1, 1500) n`,
    );

    // A server deletes expired keys when it starts and every hour.
    await startTestServer({ sharing: own });

    const left = async (): Promise<unknown> =>
      (await run(ownUrl, 'select key from idempotency_keys order by created_at desc limit 2')).rows;
    await expect.poll(left).toEqual([{ key: '1' }]);
  });
});
