import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { noLimits } from './agents.ts';
import { copyTemplate, type Engine, type Templates } from './databases.ts';
import { testEnvironment } from './environment.ts';
import { migrateByCommand } from './migrate.ts';
import { findPostgres } from './postgres.ts';
import { spawnCli, untilReady } from './server-process.ts';

interface SharedServer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates;
    /** A server on each engine for the files that need no settings and no database of their own. */
    sharedServers: Readonly<Record<Engine, SharedServer | undefined>>;
  }
}

/** Migrates one database on each engine as a template, and starts one shared server on a copy of each. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-tests-'));
  const [postgres] = await Promise.all([findPostgres(), migrateByCommand({ DATA_DIR: folder })]);
  const templates: Templates = {
    pglite: folder,
    postgres: postgres && { url: postgres.url, template: postgres.template },
  };
  const [onPglite, onPostgres] = await Promise.all([
    startSharedServer('pglite', templates),
    templates.postgres && startSharedServer('postgres', templates),
  ]);
  provide('templates', templates);
  provide('sharedServers', { pglite: onPglite.server, postgres: onPostgres?.server });
  return async () => {
    await Promise.all([onPglite.stop(), onPostgres?.stop()]);
    await rm(folder, { recursive: true, force: true });
    await postgres?.stop();
  };
}

async function startSharedServer(
  engine: Engine,
  templates: Templates,
): Promise<{ server: SharedServer; stop: () => Promise<void> }> {
  const database = await copyTemplate(engine, templates);
  const running = await untilReady(spawnCli(['serve'], { ...testEnvironment, ...noLimits, ...database.env }));
  return {
    server: { url: running.url, env: database.env },
    stop: async () => {
      await running.stop('SIGTERM');
      await database.drop();
    },
  };
}
