import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Migrations } from '../../server/src/db/migrate.ts';
import { migrateWith } from '../support/migrations.ts';
import { createDatabase, startTestServer, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

const columns: Migrations = {
  '002-added': {
    oldest: '001-tables',
    up: async (db) => {
      await sql`alter table tasks add column title_length integer`.execute(db);
    },
  },
  '003-filled': {
    oldest: '001-tables',
    up: async (db) => {
      await sql`update tasks set title_length = length(title)`.execute(db);
    },
  },
};

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database.drop());

it('the migrations that a database lacks run once, in their order', async () => {
  const first = await migrateWith(columns, database.env);
  const second = await migrateWith(columns, database.env);

  expect([first, second]).toEqual([['002-added', '003-filled'], []]);
});

it('a database of an earlier version keeps its rows', async () => {
  const before = await startTestServer({ sharing: database });
  const { id } = await createTask(await before.as('alice'), { title: 'Kept' });
  await before.close();

  await migrateWith(columns, database.env);

  const after = await startTestServer({ sharing: database });
  const { task } = (await (await after.as('alice')).ok('getTask', { id })).body;
  expect(task.title).toBe('Kept');
  await after.close();
});

it('a migration that only adds to the schema lets the version before it start', async () => {
  await migrateWith(columns, database.env);

  expect(await migrateWith({}, database.env)).toEqual([]);
});

it('a migration that earlier versions cannot work with stops their start', async () => {
  await migrateWith({ '002-changed': { up: () => Promise.resolve() } }, database.env);

  await expect(migrateWith({}, database.env)).rejects.toThrow(
    'A newer version of this server has changed the database (002-changed) so that this version cannot use it. Start the newer version.',
  );
});

it('a migration that fails is named, and takes back those before it', async () => {
  const failing: Migrations = {
    '002-added': columns['002-added'] ?? expect.fail(),
    '003-failing': {
      up: (db) => sql`alter table tasks drop column absent`.execute(db).then(() => undefined),
    },
  };

  await expect(migrateWith(failing, database.env)).rejects.toThrow(
    /^The migration 003-failing failed, and the database was not changed\. The driver reports: .*"absent"/,
  );
  expect(await migrateWith(columns, database.env)).toEqual(['002-added', '003-filled']);
});

it('a list of migrations whose numbers have a gap stops the start', async () => {
  const gap: Migrations = { '003-later': { up: () => Promise.resolve() } };

  await expect(migrateWith(gap, database.env)).rejects.toThrow(
    'The migration 003-later must have the number 002. Rename it, and its entry in server/src/db/migrate.ts.',
  );
  expect(await migrateWith({}, database.env)).toEqual([]);
});
