import { describe, expect } from 'vitest';
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

spec('getSession', 200, 'a session has its user, its agent and its latest run', async () => {
  const { body } = await alice.ok('getSession', { id: 's' });

  expect(body).toMatchObject({
    id: 's',
    agent_id: agent.id,
    user_id: server.userId('alice'),
    status: 'idle',
  });
  expect(body).toMatchObject({
    message_count: 4,
    usage: null,
    run: { status: 'completed', session_id: 's' },
  });
});

spec('getSession', 404, 'a session of another user is not found', async () => {
  const { body } = await mallory.fails('getSession', 404, { id: 's' });

  expect(body).toMatchObject({ code: 'Session not found', error: 'Session not found' });
});

spec(
  'listMessages',
  404,
  'the messages of another user and of an unknown session are not found',
  async () => {
    await mallory.fails('listMessages', 404, { id: 's' });
    await alice.fails('listMessages', 404, { id: 'nowhere' });
  },
);

spec('runAgent', 404, 'an agent of another user is not found', async () => {
  const { body } = await mallory.fails('runAgent', 404, { id: agent.id, body: { input: 'list my tasks' } });

  expect(body.code).toBe('Agent not found');
});

spec('runAgent', 200, 'sessions of two users with the same id are separate', async () => {
  const own = await createAgent(mallory);

  const { body } = await runAgent(mallory, own, 'list my tasks', { context: { session_id: 's' } });

  expect(body.output).toBe('You have no tasks.');
  expect(await messagesOf(alice, 's')).toHaveLength(4);
});

spec('runAgent', 400, 'a task of another user is not loaded', async () => {
  const task = await createTask(alice);
  const own = await createAgent(mallory);
  const body = { input: 'complete this task', context: { task_id: task.id } };

  const { body: problem } = await mallory.fails('runAgent', 400, { id: own.id, body });

  expect(problem.errors?.[0]?.pointer).toBe('/context/task_id');
});

spec('listMessages', 200, 'limit and offset select a page of the messages, oldest first', async () => {
  const { body: all } = await alice.ok('listMessages', { id: 's' });
  const first = await alice.ok('listMessages', { id: 's', query: { limit: 2 } });
  const second = await alice.ok('listMessages', { id: 's', query: { limit: 2, offset: 2 } });

  expect(all.count).toBe(4);
  expect([...first.body.messages, ...second.body.messages]).toEqual(all.messages);
  expect(first.headers.get('Link')).toMatch(
    /^<\/v1\/sessions\/s\/messages\?limit=2&cursor=[\w-]+>; rel="next"$/,
  );
  expect(second.headers.get('Link')).toBe('</v1/sessions/s/messages?limit=2&offset=0>; rel="prev"');
});

spec('listMessages', 200, '`after` selects the messages after a message', async () => {
  const all = await messagesOf(alice, 's');

  const { body } = await alice.ok('listMessages', { id: 's', query: { after: all[1]?.id ?? '' } });

  expect(body).toEqual({ messages: all.slice(2), count: 2 });
});

describe.each(['nowhere', unknownId])('after=%s', (after) => {
  spec('listMessages', 400, 'an `after` that is not a message of the session is rejected', async () => {
    const { body } = await alice.fails('listMessages', 400, { id: 's', query: { after } });

    expect(body.errors).toEqual([
      {
        pointer: '/query/after',
        code: 'not_found',
        detail: 'The query parameter "after" must be the id of a message of this session.',
      },
    ]);
  });
});

describe.each(['%00', 'x'.repeat(129), 'a%2Fb'])('the id %.10s', (id) => {
  spec('getSession', 404, 'a session with an invalid id is not found', async () => {
    await alice.fails('getSession', 404, { id });
  });
});

spec('getSession', 400, 'any query parameter is rejected', async () => {
  await alice.fails('getSession', 400, { id: 's', query: 'foo=1' });
});

spec('listMessages', 400, 'a negative limit is rejected', async () => {
  const { body } = await alice.fails('listMessages', 400, { id: 's', query: 'limit=-1' });

  expect(body.errors?.[0]?.pointer).toBe('/query/limit');
});
