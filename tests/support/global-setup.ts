import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { noLimits } from './agents.ts';
import { findCitus } from './citus.ts';
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
  const runFolder = await mkdtemp(join(tmpdir(), 'worktable-tests-'));
  // A Postgres of the tests runs as another user.
  await chmod(runFolder, 0o755);
  // Everything that the processes of this run leave in a temporary folder is deleted with this one.
  process.env['TMPDIR'] = runFolder;
  const folder = join(runFolder, 'template');
  const [postgres, citus] = await Promise.all([
    findPostgres(),
    findCitus(),
    migrateByCommand({ DATA_DIR: folder }),
  ]);
  const templates: Templates = {
    pglite: folder,
    postgres: postgres && { url: postgres.url, template: postgres.template },
    citus: citus && { nodes: citus.nodes, template: citus.template },
  };
  const [onPglite, onPostgres, onCitus] = await Promise.all([
    startSharedServer('pglite', templates),
    templates.postgres && startSharedServer('postgres', templates),
    templates.citus && startSharedServer('citus', templates),
  ]);
  provide('templates', templates);
  provide('sharedServers', {
    pglite: onPglite.server,
    postgres: onPostgres?.server,
    citus: onCitus?.server,
  });
  return async () => {
    await Promise.all([onPglite.stop(), onPostgres?.stop(), onCitus?.stop()]);
    await Promise.all([postgres?.stop(), citus?.stop()]);
    await rm(runFolder, { recursive: true, force: true });
  };
}

async function startSharedServer(
  engine: Engine,
  templates: Templates,
): Promise<{ server: SharedServer; stop: () => Promise<void> }> {
  const database = await copyTemplate(engine, templates);
  const environment = { ...testEnvironment, ...noLimits, LOG_LEVEL: 'error', ...database.env };
  const running = await untilReady(spawnCli(['serve'], environment));
  return {
    server: { url: running.url, env: database.env },
    stop: async () => {
      await running.stop('SIGTERM');
      reportFaults(engine, running.output());
      await database.drop();
    },
  };
}

/** A test that got a 500 from a shared server names its request_id only; the reason is in the server's log. */
function reportFaults(engine: Engine, output: string): void {
  const lines = output.split('\n').filter((line) => line.startsWith('{"level":50,'));
  for (const line of lines) console.error(`The shared server on ${engine} logged: ${line}`);
}
