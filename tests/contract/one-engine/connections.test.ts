import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../../server/src/config/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { testConfig } from '../../support/config.ts';
import { createDatabase, engine } from '../../support/server.ts';

describe.runIf(engine === 'postgres')('a connection', () => {
  afterEach(() => vi.useRealTimers());

  it('that is idle in a transaction is ended by the database, which frees its locks, and replaced', async () => {
    const db = await openConnection({ idleTransactionTimeoutMs: 200 });

    const idle = db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('tasks').select('id').forUpdate().execute();
      await setTimeout(600);
      await transaction.selectFrom('tasks').select('id').execute();
    });

    await expect(idle).rejects.toMatchObject({ code: 'Overloaded' });
    expect(await db.selectFrom('tasks').select('id').execute()).toEqual([]);
  });

  it('is replaced when it is ten minutes old, because its address may lead elsewhere by then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const db = await openConnection();
    const backend = (): Promise<unknown> => db.selectNoFrom(db.fn('pg_backend_pid').as('pid')).execute();
    const before = await backend();
    expect(await backend()).toEqual(before);

    vi.advanceTimersByTime(601_000);

    expect(await backend()).not.toEqual(before);
  });
});

/** A database with one connection. */
async function openConnection(settings: Partial<Config['database']> = {}): Promise<Db> {
  const test = await createDatabase();
  const env = { ...test.env, DATABASE_POOL_SIZE: '1' };
  const changes = { database: settings };
  const { database } = testConfig({ dataDir: test.env['DATA_DIR'] ?? '', env, changes });
  const { db, close } = openPostgres(database.url ?? '', database);
  onTestFinished(close);
  return db;
}
