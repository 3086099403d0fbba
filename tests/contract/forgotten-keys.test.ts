import { describe, expect, it } from 'vitest';
import { run } from '../support/postgres.ts';
import { engine, startTestServer } from '../support/server.ts';

describe.runIf(engine === 'postgres')('idempotency keys', () => {
  it('are deleted once 24 hours are over, and no others', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');
    for (const key of ['over', 'not over'])
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Idempotency-Key': key } });
    const url = server.env['DATABASE_URL'] ?? '';
    const day = `interval '24 hours'`;
    await run(url, `update idempotency_keys set created_at = created_at - ${day} where key = 'over'`);

    // Each server looks for them when it starts, and every hour.
    await startTestServer({ sharing: server });

    await expect
      .poll(() => run(url, 'select key from idempotency_keys'))
      .toMatchObject({ rows: [{ key: 'not over' }] });
  });
});
