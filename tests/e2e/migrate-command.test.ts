import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'worktable-e2e-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

describe.runIf(engine === 'pglite')('an embedded database', () => {
  it('that is damaged stops the start with advice', async () => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database/PG_VERSION'), '99');

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toBe(
      `The embedded database ${dataDir}/database cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to start with an empty one.\n`,
    );
  });

  it('that a migration cannot change stops the start with the error of the driver', async () => {
    const dataDir = await mkdtemp(join(folder, 'strange-'));
    const pglite = await PGlite.create(join(dataDir, 'database'));
    await pglite.exec('create table tasks (id text)');
    await pglite.close();

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toBe(
      'The migration 001-tasks failed, and the database was not changed. The driver reports: error: relation "tasks" already exists\n',
    );
  });

  it('that is unusable stops the start with a sentence about DATA_DIR, not DATABASE_URL', async () => {
    const dataDir = await mkdtemp(join(folder, 'foreign-'));
    const pglite = await PGlite.create(join(dataDir, 'database'));
    await pglite.exec('create table kysely_migration (strange text)');
    await pglite.close();

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toMatch(
      /^The database cannot be used\. Check DATA_DIR\. The driver reports: .*"name".*\n$/,
    );
  });
});

describe('the migrate command', () => {
  it('reports the migrations that it ran, and later that the database is up to date', async () => {
    const first = await runCli(['migrate'], {
      ...database.env,
      ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
    });
    const second = await runCli(['migrate'], {
      ...database.env,
      ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
    });

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.output).toMatch(
      engine === 'pglite' ? /^Migrated: 001-tasks, / : /^The database is up to date\.$/m,
    );
    expect(second.output).toBe('The database is up to date.\n');
  });
});
