import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../server/src/db/database.ts';
import { userTableNames } from '../../server/src/db/tables.ts';
import { taskColumns } from '../../server/src/tasks/task.ts';
import { cleanUpAfter } from '../support/cleanup.ts';
import { testConfig } from '../support/config.ts';
import { createDatabase } from '../support/server.ts';

const { env } = await createDatabase();
const database = await openDatabase(testConfig({ dataDir: env['DATA_DIR'] ?? '', env }));

// Cleanups run in reverse order, so this one runs before the database is dropped.
cleanUpAfter(() => database.close());

it.each<[promise: string, query: string, expected: unknown]>([
  [
    'every field of a task is a column of tasks, which a migration in server/src/db/migrations has added',
    `column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = 'tasks'`,
    expect.arrayContaining([...taskColumns]),
  ],
  [
    'every table with rows of users is distributed, exported, copied and deleted',
    `table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'user_id'`,
    userTableNames.toSorted(),
  ],
  [
    'every row has a user, except in tables that belong to no user',
    `table_name as name from information_schema.tables t
     where table_schema = current_schema() and not exists (
       select from information_schema.columns c
       where c.table_schema = t.table_schema and c.table_name = t.table_name and column_name = 'user_id' and is_nullable = 'NO')`,
    [
      'chart_link_key', // signs addresses of charts of all users
      'migrations',
      'paused_runtimes', // written by an operator
      'rate_limits', // counts of a minute; the key includes the caller
    ],
  ],
  [
    'every key and index begins with the user, so that a statement reads the rows of one user',
    `i.indexrelid::regclass::text as name from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = current_schema()::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relkind = 'r' and a.attname <> 'user_id'`,
    [
      'idempotency_keys_by_age', // for deleting expired keys
      'migrations_pkey',
      'paused_runtimes_pkey',
      'rate_limits_pkey',
      'tasks_by_id', // distinguishes a task of another user from one that does not exist
    ],
  ],
  [
    'every reference contains the user, so that both rows are on one node of a distributed database',
    `conname as name from pg_constraint
     where contype = 'f' and connamespace = current_schema()::regnamespace and not exists (
       select from pg_attribute where attrelid = conrelid and attnum = any(conkey) and attname = 'user_id')`,
    [],
  ],
])('%s', async (_promise, query, expected) => {
  const { rows } = await sql.raw<{ name: string }>(`select ${query}`).execute(database.db);

  expect(rows.map(({ name }) => name).sort()).toEqual(expected);
});
