import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateByCommand } from './migrate.ts';
import { findPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a migrated, empty embedded database, to be copied. */
    pgliteTemplate: string;
    /** A Postgres server with the database `template`, to be copied; absent where none can be had. */
    postgres: { url: string; template: string } | undefined;
  }
}

/** Makes one migrated database of each engine; every test server starts from a copy. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-tests-'));
  await migrateByCommand({ DATA_DIR: folder });
  provide('pgliteTemplate', folder);

  const postgres = await findPostgres();
  provide('postgres', postgres && { url: postgres.url, template: postgres.template });
  return async () => {
    await rm(folder, { recursive: true, force: true });
    await postgres?.stop();
  };
}
