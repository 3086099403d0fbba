import { describe, expect } from 'vitest';
import { isId } from '../../../server/src/ids.ts';
import { createAgent } from '../../support/agents.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const alice = await sharedServer().as('alice');

spec('createAgent', 200, 'an agent can be created with only a name', async () => {
  const { body } = await alice.ok('createAgent', { body: { name: '  Planner ' } });

  const { id, created_at, ...rest } = body;
  expect(rest).toEqual({
    name: 'Planner',
    status: 'active',
    runtime: 'builtin',
    skills: [],
    approvals: [],
    instructions: null,
    model_options: {},
    warnings: [],
  });
  expect(isId(id)).toBe(true);
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
});

spec('createAgent', 200, 'an agent keeps the fields of the request, including unknown skills', async () => {
  const agent = {
    name: 'Coder',
    runtime: 'gpt-99',
    skills: ['tasks', 'juggling'],
    instructions: 'Be brief.',
    model_options: { temperature: 0.2, max_output_tokens: 2000, reasoning_effort: 'low' },
  } as const;

  const { body } = await alice.ok('createAgent', { body: { ...agent, extra: 'ignored' } });

  expect(body).toMatchObject({ ...agent, status: 'unavailable' });
});

spec('createAgent', 400, 'names the options of the model that are not valid', async () => {
  const model_options = { temperature: 2.1, max_output_tokens: 0, reasoning_effort: 'much' };

  const { body } = await alice.fails('createAgent', 400, { body: { name: 'x', model_options } });

  expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/model_options/max_output_tokens',
    '/model_options/reasoning_effort',
    '/model_options/temperature',
  ]);
});

describe.each([{ runtime: null }, { runtime: '' }, { instructions: '' }, { skills: [] }])('%j', (fields) => {
  spec('createAgent', 200, 'an empty field counts as absent', async () => {
    const agent = await createAgent(alice, { skills: [], ...fields });

    expect(agent).toMatchObject({ runtime: 'builtin', skills: [], instructions: null });
  });
});

describe.each([
  [{}, '/name', 'required', 'Name is required.'],
  [{ name: '' }, '/name', 'not_blank', 'Name must not be blank.'],
  [{ name: '  ' }, '/name', 'not_blank', 'Name must not be blank.'],
  [{ name: 'x'.repeat(101) }, '/name', 'too_long', 'Name must not have more than 100 characters.'],
  [{ name: 5 }, '/name', 'wrong_type', 'Name must be a string.'],
  [{ name: 'x', runtime: 5 }, '/runtime', 'wrong_type', 'Runtime must be a string or null.'],
  [{ name: 'x', skills: 'tasks' }, '/skills', 'wrong_type', 'Skills must be an array.'],
  [{ name: 'x', skills: [1] }, '/skills/0', 'wrong_type', 'Item 1 of skills must be a string.'],
  [
    { name: 'x', instructions: 'a\0b' },
    '/instructions',
    'unsupported_character',
    'Instructions must not contain NUL characters or lone surrogates.',
  ],
])('the body %j', (body, pointer, code, detail) => {
  spec('createAgent', 400, `an invalid body is rejected: ${detail}`, async () => {
    const { body: problem } = await alice.fails('createAgent', 400, { body });

    expect(problem.code).toBe('VALIDATION_ERROR');
    expect(problem.errors).toEqual([{ pointer, code, detail }]);
  });
});

spec('createAgent', 200, 'a repeated Idempotency-Key creates one agent', async () => {
  const request = { body: { name: 'Once' }, headers: { 'Idempotency-Key': 'agent' } };

  const first = await alice.ok('createAgent', request);
  const second = await alice.ok('createAgent', request);

  expect(second.body).toEqual(first.body);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
});

spec('createAgent', 422, 'an Idempotency-Key that was used with another body is rejected', async () => {
  const headers = { 'Idempotency-Key': 'agent reused' };
  await alice.ok('createAgent', { body: { name: 'One' }, headers });

  await alice.fails('createAgent', 422, { body: { name: 'Two' }, headers });
});

spec('createAgent', 413, 'a body above 1 MiB is rejected', async () => {
  await alice.fails('createAgent', 413, { body: { name: 'x', instructions: 'x'.repeat(1024 * 1024) } });
});

spec('createAgent', 415, 'a body that is not JSON is rejected', async () => {
  await alice.fails('createAgent', 415, { body: 'name=x', headers: { 'Content-Type': 'text/plain' } });
});
