import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { migrationNames } from '../support/migrations.ts';
import { refusalOf, runCli } from '../support/process.ts';
import { run } from '../support/postgres.ts';
import { createDatabase, engine, isShareable, type TestDatabase } from '../support/server.ts';

const database = await createDatabase();
const folder = await createFolder();

describe.runIf(engine === 'pglite')('an embedded database', () => {
  it('that is damaged stops the start with advice', async () => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database/PG_VERSION'), '99');

    expect(await refusalOf(['migrate'], { DATA_DIR: dataDir })).toBe(
      `The embedded database ${dataDir}/database cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to start with an empty one.\n`,
    );
  });

  async function databaseAfter(statements: string): Promise<TestDatabase> {
    const changed = await createDatabase();
    const pglite = await PGlite.create(join(changed.env['DATA_DIR'] ?? '', 'database'));
    await pglite.exec(statements);
    await pglite.close();
    return changed;
  }

  it('that is unusable stops the start with a sentence about DATA_DIR, not DATABASE_URL', async () => {
    const changed = await databaseAfter(
      'drop table kysely_migration; create table kysely_migration (strange text)',
    );

    expect(await refusalOf(['migrate'], changed.env)).toMatch(
      /^The database cannot be used\. Check DATA_DIR\. The driver reports: .*"name".*\n$/,
    );
  });
});

describe.runIf(isShareable)('a database with the migrations of another program', () => {
  it.each(['2024-notes', '001-tasks', '000-first'])('is not called newer: %s', async (name) => {
    const other = await createDatabase();
    await run(
      other.env['DATABASE_URL'] ?? '',
      `delete from kysely_migration where name <> '001-tables'; update kysely_migration set name = '${name}'`,
    );

    for (const command of ['migrate', 'recount'])
      expect(await refusalOf([command], other.env)).toBe(
        `The migrations of the database (${name}) are not those of this server (${migrationNames.join(', ')}): another program has made it, or another branch or an early version of this one. Set the address of another database, or start the program that made it.\n`,
      );
  });
});

it('the migrate command reports the migrations that it ran, and later that the database is up to date', async () => {
  const first = await runCli(['migrate'], {
    ...database.env,
    ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
  });
  const second = await runCli(['migrate'], {
    ...database.env,
    ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
  });

  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.output.split('\n')).toContain(
    engine === 'pglite' ? `Migrated: ${migrationNames.join(', ')}.` : 'The database is up to date.',
  );
  expect(second.output).toBe('The database is up to date.\n');
});
