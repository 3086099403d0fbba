import { describe, expect } from 'vitest';
import { createAgent, runAgent } from '../../support/agents.ts';
import { unknownId } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice);

describe.each([
  [{}, '/input', 'required', 'Input is required.'],
  [{ input: '' }, '/input', 'not_blank', 'Input must not be blank.'],
  [{ input: ' \n ' }, '/input', 'not_blank', 'Input must not be blank.'],
  [{ input: 'x'.repeat(65_537) }, '/input', 'too_long', 'Input must not have more than 65536 characters.'],
  [{ input: 'x', context: 'y' }, '/context', 'wrong_type', 'Context must be an object.'],
  [{ input: 'x', context: [] }, '/context', 'wrong_type', 'Context must be an object.'],
  [
    { input: 'x', context: { note: 'a\0b' } },
    '/context/note',
    'unsupported_character',
    'Note of context must not contain NUL characters or lone surrogates.',
  ],
  [
    { input: 'x', context: { a: 'ä'.repeat(33_000) } },
    '/context',
    'too_large',
    'Context must not be larger than 65536 bytes as JSON.',
  ],
  ...['a/b', '.', '..', ''].map((session_id): [object, string, string, string] => [
    { input: 'x', context: { session_id } },
    '/context/session_id',
    'malformed',
    'Session id of context must have 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", ":" and "-", and must not be "." or "..".',
  ]),
  [
    { input: 'x', context: { task_id: 'nowhere' } },
    '/context/task_id',
    'not_found',
    'Task id of context must be the id of one of your tasks.',
  ],
])('the body %.60j', (body, pointer, code, detail) => {
  spec('runAgent', 400, `an invalid body is rejected: ${detail}`, async () => {
    const { body: problem } = await alice.fails('runAgent', 400, { id: agent.id, body });

    expect(problem.code).toBe('VALIDATION_ERROR');
    expect(problem.errors).toEqual([{ pointer, code, detail }]);
  });
});

spec('runAgent', 400, 'a blank input and a large context are reported together', async () => {
  const body = { input: '', context: { a: 'x'.repeat(66_000) } };

  const { body: problem } = await alice.fails('runAgent', 400, { id: agent.id, body });

  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/input', '/context']);
});

spec('runAgent', 400, 'the session of another agent is rejected', async () => {
  const other = await createAgent(alice);
  await runAgent(alice, agent, 'list my tasks', { context: { session_id: 'taken' } });

  const body = { input: 'list my tasks', context: { session_id: 'taken' } };
  const { body: problem } = await alice.fails('runAgent', 400, { id: other.id, body });

  expect(problem.errors).toEqual([
    {
      pointer: '/context/session_id',
      code: 'conflicting',
      detail: 'Session id of context must not name a session of another agent.',
    },
  ]);
});

spec('runAgent', 400, 'the error for an unavailable runtime lists the configured ones', async () => {
  const unavailable = await createAgent(alice, { runtime: 'gpt-99' });

  const { body } = await alice.fails('runAgent', 400, { id: unavailable.id, body: { input: 'Hi' } });

  expect(body).toMatchObject({
    code: 'Agent unavailable',
    detail: 'The runtime "gpt-99" of this agent is not configured on this server. It has: builtin.',
  });
});

spec('runAgent', 413, 'a body above 1 MiB is rejected', async () => {
  await alice.fails('runAgent', 413, { id: agent.id, body: { input: 'x'.repeat(1024 * 1024) } });
});

spec('runAgent', 415, 'a body that is not JSON is rejected', async () => {
  const headers = { 'Content-Type': 'text/plain' };

  await alice.fails('runAgent', 415, { id: agent.id, body: 'hello', headers });
});

spec('runAgent', 404, 'an agent with a malformed or unknown id is not found', async () => {
  const body = { input: 'Hi' };

  await alice.fails('runAgent', 404, { id: 'nowhere', body });
  await alice.fails('runAgent', 404, { id: unknownId, body });
});

describe.each(['...', '.a', 'a.', '-', 'x'.repeat(128)])('the session_id %.20s', (session_id) => {
  spec('getSession', 200, 'can be used and read', async () => {
    await runAgent(alice, agent, 'help', { context: { session_id } });

    expect((await alice.ok('getSession', { id: session_id })).body.id).toBe(session_id);
  });
});
