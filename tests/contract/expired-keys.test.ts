import { describe, expect, it } from 'vitest';
import { run } from '../support/postgres.ts';
import { engine, isShareable, startTestServer } from '../support/server.ts';

describe.runIf(isShareable)('idempotency keys', () => {
  it('are deleted after 24 hours, and not before', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');
    for (const key of ['expired', 'fresh'])
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Idempotency-Key': key } });
    const url = server.env['DATABASE_URL'] ?? '';
    const aDayAgo = `now() - interval '24 hours'`;
    await run(url, `update idempotency_keys set created_at = ${aDayAgo} where key = 'expired'`);

    // A server deletes expired keys when it starts, and every hour.
    await startTestServer({ sharing: server });

    await expect
      .poll(() => run(url, 'select key from idempotency_keys'))
      .toMatchObject({ rows: [{ key: 'fresh' }] });
  });

  it('are deleted even if one statement cannot delete all of them before its timeout', async () => {
    // A statement that reaches several nodes takes much longer, so fewer rows are too many for it there.
    const [rows, statementTimeoutMs] = engine === 'citus' ? [20_000, 4000] : [400_000, 200];
    const server = await startTestServer();
    const url = server.env['DATABASE_URL'] ?? '';
    await run(
      url,
      `insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
      select 'alice', n::text, 'hash', '{}', now() - interval '25 hours'
      from generate_series(1, ${rows}) n`,
    );

    await startTestServer({ sharing: server, changes: { database: { statementTimeoutMs } } });

    await expect
      .poll(() => run(url, 'select count(*)::int as count from idempotency_keys'))
      .toMatchObject({ rows: [{ count: 0 }] });
  });
});
