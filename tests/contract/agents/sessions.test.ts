import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, messagesOf, runAgent } from '../../support/agents.ts';
import { unknownId } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();
const alice = await server.as('alice');
const mallory = await server.as('mallory');
const agent = await createAgent(alice);
await runAgent(alice, agent, 'create a task titled Secret', { context: { session_id: 's' } });

async function createSession(id: string): Promise<Schemas['Session']> {
  await runAgent(alice, agent, 'list my tasks', { context: { session_id: id } });
  return (await alice.ok('getSession', { id })).body;
}

async function update(id: string, body: object): Promise<Schemas['Session']> {
  return (await alice.ok('updateSession', { id, body })).body;
}

spec('getSession', 200, 'has the user, the agent and the latest run', async () => {
  const { body } = await alice.ok('getSession', { id: 's' });

  expect(body).toMatchObject({
    ...{ id: 's', agent_id: agent.id, user_id: server.userId('alice'), status: 'idle' },
    ...{ message_count: 4, usage: null, run: { status: 'completed', session_id: 's' } },
  });
});

spec('getSession', 200, 'reads every session that a run can name', async () => {
  for (const id of ['...', '.a', 'a.', '-', 'x'.repeat(128)]) expect((await createSession(id)).id).toBe(id);
});

spec('runAgent', 400, 'cannot name a session whose id a path cannot have', async () => {
  for (const session_id of ['', '.', '..', 'a/b']) {
    const body = { input: 'list my tasks', context: { session_id } };
    const { body: problem } = await alice.fails('runAgent', 400, { id: agent.id, body });
    expect(problem.errors).toMatchObject([{ pointer: '/context/session_id', code: 'malformed' }]);
  }
});

describe('the sessions of two users', () => {
  spec('runAgent', 200, 'with the same id are separate', async () => {
    const own = await createAgent(mallory);

    const { body } = await runAgent(mallory, own, 'list my tasks', { context: { session_id: 's' } });

    expect(body.output).toBe('You have no tasks.');
    expect(await messagesOf(alice, 's')).toHaveLength(4);
  });

  spec('runAgent', 400, 'load no task of the other user', async () => {
    const task = await createTask(alice);
    const { id } = await createAgent(mallory);
    const body = { input: 'complete this task', context: { task_id: task.id } };

    const { body: problem } = await mallory.fails('runAgent', 400, { id, body });

    expect(problem.errors?.[0]?.pointer).toBe('/context/task_id');
  });
});

spec('listMessages', 400, 'rejects an `after` that is not a message of the session', async () => {
  const detail = 'The query parameter "after" must be the id of a message of this session.';
  for (const after of ['nowhere', unknownId]) {
    const { body } = await alice.fails('listMessages', 400, { id: 's', query: { after } });
    expect(body.errors).toEqual([{ pointer: '/query/after', code: 'not_found', detail }]);
  }
});

spec('updateSession', 200, 'changes the given fields and keeps the others', async () => {
  const session = await createSession('merged');
  expect(session).toMatchObject({ title: null, metadata: null });

  const titled = await update('merged', { title: ' Groceries ' });
  const both = await update('merged', {
    metadata: '{"pinned":true}',
    status: 'failed',
    user_id: 'mallory',
  });

  expect(titled).toEqual({ ...session, title: 'Groceries' });
  expect(both).toEqual({ ...titled, metadata: '{"pinned":true}' });
  expect((await alice.ok('getSession', { id: 'merged' })).body).toEqual(both);
  expect(await update('merged', both)).toEqual(both);
});

spec('updateSession', 200, 'clears a field that is null or empty', async () => {
  await createSession('cleared');
  for (const empty of [null, '']) {
    await update('cleared', { title: 'T', metadata: 'M' });

    const body = await update('cleared', { title: empty, metadata: empty });

    expect(body).toMatchObject({ title: null, metadata: null });
  }
});

spec('updateSession', 200, 'keeps the order of the list, the latest messages first', async () => {
  for (const id of ['older', 'newer']) await createSession(id);

  await update('older', { title: 'Renamed' });

  const { body } = await alice.ok('listSessions', { query: { limit: 2 } });
  const listed = body.sessions.map(({ id, title }) => [id, title]);
  expect(listed).toEqual([
    ['newer', null],
    ['older', 'Renamed'],
  ]);
});

spec('updateSession', 200, 'has room for 200 characters of a title and 65,536 of metadata', async () => {
  await createSession('long');
  const longest = { title: '長'.repeat(200), metadata: '長'.repeat(65_536) };

  expect(await update('long', longest)).toMatchObject(longest);
});

spec('updateSession', 400, 'refuses a body without a usable field, for a session that exists', async () => {
  await createSession('empty');
  for (const body of [{}, { status: 'idle' }])
    expect((await alice.fails('updateSession', 400, { id: 'empty', body })).body.code).toBe(
      'No fields to update',
    );
  await mallory.fails('updateSession', 404, { id: 'empty', body: {} });
});
