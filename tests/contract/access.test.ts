import { describe, expect } from 'vitest';
import type { OperationId } from '../../server/src/operation.ts';
import { operations } from '../../server/src/operations.ts';
import { Client, type Input } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const server = sharedServer();

describe.each(Object.keys(operations) as OperationId[])('%s', (operation) => {
  spec(operation, 401, 'is refused without a token, whatever else is wrong with the request', async () => {
    const anonymous = await server.as();

    const { body, headers } = await anonymous.fails(operation, 401, { id: 'nowhere', query: 'foo=1' });

    expect(body).toMatchObject({ code: 'Unauthorized', error: 'Unauthorized', status: 401 });
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
  });
});

const now = (): number => Math.floor(Date.now() / 1000);
const unsigned = `${base64({ alg: 'none' })}.${base64({ sub: 'alice' })}.`;

describe.each([
  ['no scheme', () => 'token'],
  ['another scheme', () => 'Basic YWxpY2U6c2VjcmV0'],
  ['no token', () => 'Bearer '],
  ['two tokens', () => 'Bearer a b'],
])('%s', (_name, authorization) => {
  spec('listTasks', 401, 'is refused like a request without a token', async () => {
    const headers = { Authorization: authorization() };

    const answer = await new Client(server, undefined).fails('listTasks', 401, { headers });

    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(answer.body.errors).toBeUndefined();
  });
});

spec('listTasks', 401, 'a token that has expired is told from one that is not valid', async () => {
  const expired = new Client(server, await tokenFor('alice', { exp: now() - 60 }));

  const { body, headers } = await expired.fails('listTasks', 401);

  expect(body.errors).toEqual([
    {
      pointer: '/header/authorization',
      code: 'expired',
      detail: 'The header parameter "authorization" has a token that has expired.',
    },
  ]);
  expect(headers.get('WWW-Authenticate')).toBe(
    'Bearer error="invalid_token", error_description="The token has expired. Send a new one."',
  );
});

describe.each([
  ['nonsense', () => 'Bearer nonsense'],
  [
    'another key',
    async () => `Bearer ${await tokenFor('alice', {}, 'another secret of 32 bytes or even more')}`,
  ],
  [
    'an expired token of another key',
    async () =>
      `Bearer ${await tokenFor('alice', { exp: now() - 60 }, 'another secret of 32 bytes or even more')}`,
  ],
  ['a token that is not valid yet', async () => `Bearer ${await tokenFor('alice', { nbf: now() + 60 })}`],
  ['an unsigned token', () => `Bearer ${unsigned}`],
  ['no subject', async () => `Bearer ${await tokenFor('alice', { sub: undefined })}`],
  ['a blank subject', async () => `Bearer ${await tokenFor(' ')}`],
  ['a subject that cannot be stored', async () => `Bearer ${await tokenFor('a\0b')}`],
  ['a subject that is too long', async () => `Bearer ${await tokenFor('x'.repeat(256))}`],
  ['a cut token', async () => `Bearer ${(await server.token('alice')).slice(0, -2)}`],
])('%s', (_name, authorization: () => string | Promise<string>) => {
  spec('listTasks', 401, 'is refused as a token that is not valid', async () => {
    const headers = { Authorization: await authorization() };

    const answer = await new Client(server, undefined).fails('listTasks', 401, { headers });

    expect(answer.headers.get('WWW-Authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"\\]+"$/,
    );
    expect(answer.body.errors?.map(({ code }) => code)).toEqual(['invalid']);
  });
});

describe.each([
  ['a lower-case scheme', async () => `bearer ${await server.token('alice')}`],
  [
    'a token that has expired within the skew of clocks',
    async () => `Bearer ${await tokenFor('alice', { exp: now() - 1 })}`,
  ],
])('%s', (_name, authorization) => {
  spec('listTasks', 200, 'is accepted', async () => {
    await new Client(server, undefined).ok('listTasks', {
      headers: { Authorization: await authorization() },
    });
  });
});

const byId: readonly (Input & { operation: keyof typeof operations })[] = [
  { operation: 'getTask' },
  { operation: 'updateTask', body: { title: 'Stolen' } },
  { operation: 'updateTask', body: {} },
  { operation: 'assignTask', body: { assignee_id: server.userId('mallory') } },
  { operation: 'deleteTask' },
  { operation: 'listComments' },
  { operation: 'createComment', body: { body: 'Hello from outside' } },
  { operation: 'listAuditLogs' },
];

describe.each(byId)('$operation with the body $body', ({ operation, body }) => {
  spec(operation as 'getTask', 403, 'protects the task from everybody but its owner', async () => {
    const alice = await server.as('alice');
    const task = await createTask(alice, {
      assignee_id: server.userId('mallory'),
      workspace_id: 'shared',
    });

    const { body: problem } = await (
      await server.as('mallory')
    ).fails(operation as 'getTask', 403, { id: task.id, body });

    expect(problem).toMatchObject({ code: 'Access denied', error: 'Access denied' });
    expect(JSON.stringify(problem)).not.toContain('alice');
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
    expect(await auditLog(alice, task.id)).toHaveLength(1);
  });
});

spec(
  'listTasks',
  200,
  'a list never has a task of another user, not even by its workspace or assignee',
  async () => {
    await createTask(await server.as('alice'), {
      workspace_id: 'common',
      assignee_id: server.userId('mallory'),
    });

    const mallory = await server.as('mallory');

    expect((await mallory.ok('listTasks', { query: { workspace_id: 'common' } })).body.count).toBe(0);
    expect(
      (await mallory.ok('listTasks', { query: { assignee_id: server.userId('mallory') } })).body.count,
    ).toBe(0);
  },
);

spec('getTask', 401, 'a token with the signature of another token of the same user is refused', async () => {
  const [header, , signature] = (await server.token('mallory')).split('.');
  const forged = [header, base64({ sub: server.userId('alice'), name: 'Alice' }), signature].join('.');

  await new Client(server, forged).fails('getTask', 401, { id: 'nowhere' });
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
