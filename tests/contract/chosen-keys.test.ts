import { describe, expect } from 'vitest';
import { runConnection } from '../support/postgres.ts';
import { isShareable, sharedServer, startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

describe.runIf(isShareable)('an Idempotency-Key', () => {
  spec('createTask', 201, 'cannot be chosen to share the lock of another user', async () => {
    // With `hashtextextended`, both of these names would be one lock.
    const othersLock = `hashtextextended('["runs of a caller","bob"]', 0)`;
    const chosen = "kkkkkkkkS-'D1>/zBKU{";
    const server = await startTestServer();
    const alice = await server.as('alice');

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(`begin; select pg_advisory_xact_lock(${othersLock})`);
      await alice.ok('createTask', { body: { title: 'Mine' }, headers: { 'Idempotency-Key': chosen } });
      await connection.query('commit');
    });
  });
});

spec(
  'createTask',
  201,
  'a repetition may have other unknown fields and another order of fields',
  async () => {
    const alice = await sharedServer().as('alice');
    const headers = { 'Idempotency-Key': 'unknown fields' };
    const first = await alice.ok('createTask', {
      body: '{"title":"One","status":"todo","note":1,"__proto__":{}}',
      headers,
    });

    const second = await alice.ok('createTask', {
      body: '{"other":[],"status":"todo","title":"One"}',
      headers,
    });

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  },
);
