import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCitusTemplate, dropCitusDatabase, findCitus, type CitusCluster } from './citus.ts';
import { copyFolder } from './copy-folder.ts';
import { databaseUrl, findPostgres, run } from './postgres.ts';
import { runCommand } from './server-process.ts';

export type Engine = 'pglite' | 'postgres' | 'citus';

/** A migrated, empty database, which is copied for each test server. */
export type Template =
  | { readonly engine: 'pglite'; readonly folder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly template: string }
  | ({ readonly engine: 'citus' } & CitusCluster);

/** Migrates a database of an engine; undefined if the engine is not available. */
export async function migratedTemplate(
  engine: Engine,
): Promise<(Template & { readonly stop: () => Promise<void> }) | undefined> {
  if (engine === 'citus') {
    const citus = await findCitus();
    return citus && { engine, ...citus };
  }
  if (engine === 'postgres') {
    const postgres = await findPostgres();
    return postgres && { engine, ...postgres };
  }
  const folder = await mkdtemp(join(tmpdir(), 'worktable-template-'));
  await runCommand('migrate', { DATA_DIR: folder });
  return { engine, folder, stop: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies a template. Resolves to the environment with which a server uses the copy. */
export async function copyTemplate(
  template: Template,
): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-test-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (template.engine === 'pglite') {
    await copyFolder(template.folder, folder);
    return { env: { DATA_DIR: folder }, drop: removeFolder };
  }
  const name = `worktable_test_${process.pid}_${Date.now()}_${String(Math.random()).slice(2, 8)}`;
  const isOnCitus = template.engine === 'citus';
  if (!isOnCitus) await run(template.url, `create database ${name} template ${template.template}`);
  const url = isOnCitus ? await copyCitusTemplate(template, name) : databaseUrl(template.url, name);
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url },
    drop: async () => {
      if (isOnCitus) await dropCitusDatabase(template.nodes, name);
      else await run(template.url, `drop database if exists ${name} with (force)`);
      await removeFolder();
    },
  };
}
