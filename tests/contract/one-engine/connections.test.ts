import { setTimeout } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../../server/src/config/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { testConfig } from '../../support/config.ts';
import { createDatabase, engine } from '../../support/server.ts';

describe.runIf(engine === 'postgres')('a connection', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps the first 256 statements, and runs any others without keeping them', async () => {
    const db = await openConnection();
    const statements = Array.from({ length: 300 }, (_, n) => `select ${n} as n`);

    for (const statement of statements) await rowsOf(db, statement);

    expect(await rowsOf(db, 'select count(*)::int as n from pg_prepared_statements')).toEqual([{ n: 256 }]);
    expect(await rowsOf(db, 'select 0 as n')).toEqual([{ n: 0 }]);
    expect(await rowsOf(db, 'select 299 as n')).toEqual([{ n: 299 }]);
  });

  it('keeps no statement with more than 100 parameters', async () => {
    const db = await openConnection();

    for (const parameters of [100, 101]) await selectNumbers(db, parameters);

    const kept = `select count(*)::int as n from pg_prepared_statements where statement like 'values%'`;
    expect(await rowsOf(db, kept)).toEqual([{ n: 1 }]);
  });

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

/** Runs a statement whose text differs for each number of parameters. */
async function selectNumbers(db: Db, parameters: number): Promise<void> {
  const numbers = Array.from({ length: parameters }, (_, n) => n);
  const text = `values ${numbers.map((n) => `($${n + 1}::int)`).join(', ')}`;
  await db.executeQuery(CompiledQuery.raw(text, numbers));
}

async function rowsOf(db: Db, text: string): Promise<unknown[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, []));
  return rows;
}
