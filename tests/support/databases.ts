import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCitusTemplate, dropCitusDatabase, type CitusCluster } from './citus.ts';
import { copyFolder } from './copy-folder.ts';
import { databaseUrl, run } from './postgres.ts';

export type Engine = 'pglite' | 'postgres' | 'citus';

export interface Templates {
  /** A folder with a migrated, empty embedded database. */
  readonly pglite: string;
  /** A Postgres server with a migrated, empty database; undefined where Postgres is unavailable. */
  readonly postgres: { readonly url: string; readonly template: string } | undefined;
  /** Undefined without TEST_CITUS_URL. */
  readonly citus: CitusCluster | undefined;
}

export interface TestDatabase {
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** Copies the template of an engine, and returns the environment by which a server reaches the copy. */
export async function copyTemplate(engine: Engine, templates: Templates): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-test-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (engine === 'pglite') {
    await copyFolder(templates.pglite, folder);
    return { env: { DATA_DIR: folder }, drop: removeFolder };
  }
  const name = `worktable_test_${process.pid}_${Date.now()}_${String(Math.random()).slice(2, 8)}`;
  if (engine === 'citus') {
    const { citus } = templates;
    if (citus === undefined) throw new Error('The tests of the project "citus" need TEST_CITUS_URL.');
    return {
      env: { DATA_DIR: folder, DATABASE_URL: await copyCitusTemplate(citus, name) },
      drop: async () => {
        await dropCitusDatabase(citus.nodes, name);
        await removeFolder();
      },
    };
  }
  const { postgres } = templates;
  if (postgres === undefined)
    throw new Error('The tests of the project "postgres" found no Postgres server.');
  await run(postgres.url, `create database ${name} template ${postgres.template}`);
  return {
    env: { DATA_DIR: folder, DATABASE_URL: databaseUrl(postgres.url, name) },
    drop: async () => {
      await run(postgres.url, `drop database if exists ${name} with (force)`);
      await removeFolder();
    },
  };
}
