import { CompiledQuery } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { testConfig } from '../../support/config.ts';
import { createDatabase, isShareable } from '../../support/server.ts';

describe.runIf(isShareable)('a connection', () => {
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
});

/** A database with one connection. */
async function openConnection(): Promise<Db> {
  const test = await createDatabase();
  const env = { ...test.env, DATABASE_POOL_SIZE: '1' };
  const { database } = testConfig({ dataDir: test.env['DATA_DIR'] ?? '', env });
  const { db, close } = openPostgres(database.url ?? '', database);
  onTestFinished(async () => {
    await close();
  });
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
