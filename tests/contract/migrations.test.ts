import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { findMissing, serverMigrations, type Migrations } from '../../server/src/db/migrate.ts';
import { laterMigration, migrateWith, migrationNames } from '../support/migrations.ts';
import { onDatabase } from '../support/on-database.ts';
import { createDatabase, isShareable, startTestServer, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

const added = laterMigration('added');
const filled = laterMigration('filled', 2);
const columns: Migrations = {
  [added]: {
    oldest: '001-task-tables',
    up: async (db) => {
      await sql`alter table tasks add column title_length integer`.execute(db);
    },
  },
  [filled]: {
    oldest: '001-task-tables',
    up: async (db) => {
      await sql`update tasks set title_length = length(title)`.execute(db);
    },
  },
};

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

it('the migrations that a database lacks are named, run once and in their order, and let the earlier version start', async () => {
  const missing = await onDatabase(database.env, (db) =>
    findMissing(db, { ...serverMigrations, ...columns }),
  );
  const first = await migrateWith(columns, database.env);
  const second = await migrateWith(columns, database.env);
  const before = await migrateWith({}, database.env);

  expect([missing, first, second, before]).toEqual([[added, filled], [added, filled], [], []]);
});

it.runIf(isShareable)('processes that migrate at the same time run the migrations once', async () => {
  const names = await Promise.all([1, 2, 3, 4].map(() => migrateWith(columns, database.env)));

  expect(names.toSorted((one, other) => one.length - other.length)).toEqual([[], [], [], [added, filled]]);
});

const recordedByKysely = [
  'create table kysely_migration as select name from migrations',
  "update kysely_migration set name = '004-chart-link-key' where name = '002-agent-tables'",
  'create table migration_compatibility as select * from migrations',
  'drop table migrations',
];

it.each([
  ['this table of migrations', []],
  ["Kysely's tables of migrations", recordedByKysely],
])('a database of an earlier version with %s keeps its rows', async (_tables, statements) => {
  const before = await startTestServer({ sharing: database });
  const { id } = await createTask(await before.as('alice'), { title: 'Kept' });
  await before.close();
  await onDatabase(database.env, async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });

  await migrateWith(columns, database.env);

  const after = await startTestServer({ sharing: database });
  const { task } = (await (await after.as('alice')).ok('getTask', { id })).body;
  expect(task.title).toBe('Kept');
  await after.close();
});

it.each([{}, { oldest: added }])('an incompatible migration stops a start: %j', async (compatibility) => {
  const changed = laterMigration('changed');
  await migrateWith({ [changed]: { up: () => Promise.resolve(), ...compatibility } }, database.env);

  await expect(migrateWith({}, database.env)).rejects.toThrow(
    `This version of the server cannot use the database, because the database has other migrations (${[...migrationNames, changed].join(', ')}). Start the version that migrated it, or set the address of another database.`,
  );
});

it('the migrations of another program stop a start', async () => {
  const [first, ...others] = migrationNames;
  await onDatabase(database.env, (db) =>
    sql`update migrations set name = '000-first' where name = ${first}`.execute(db),
  );

  await expect(migrateWith({}, database.env)).rejects.toThrow(
    `because the database has other migrations (000-first, ${others.join(', ')})`,
  );
});

it('a migration that fails is named, and those before it are rolled back', async () => {
  const name = laterMigration('failing', 2);
  const failing: Migrations = {
    [added]: columns[added] ?? expect.fail(),
    [name]: {
      up: (db) => sql`alter table tasks drop column absent`.execute(db).then(() => undefined),
    },
  };

  await expect(migrateWith(failing, database.env)).rejects.toThrow(
    new RegExp(
      `^The migration ${name} failed, and the database was not changed\\. The driver reports: .*"absent"`,
    ),
  );
  expect(await migrateWith(columns, database.env)).toEqual([added, filled]);
});
