import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { noLimits } from './agents.ts';
import { copyTemplate, migratedTemplate, type Engine, type Template } from './databases.ts';
import { testEnvironment } from './environment.ts';
import { spawnCli, untilReady } from './server-process.ts';

export interface StartedEngine {
  readonly template: Template;
  /** A server for files that need no settings and no database of their own. */
  readonly server: SharedServer;
}

interface SharedServer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in a project without an engine, or if no engine is available. */
    engine: StartedEngine | undefined;
  }
}

type Stop = () => Promise<void>;

/**
 * Vitest calls this before the first test of the run, for each project that has an engine and files to run. Starts the
 * engine, unless an earlier project has started it.
 */
export default async function setup(project: TestProject): Promise<Stop | undefined> {
  for (const engine of enginesOf(project)) {
    const running = project.vitest.projects
      .map((other) => other.getProvidedContext().engine)
      .find((each) => each?.template.engine === engine);
    const { started, stop } = running ? { started: running } : await start(engine);
    if (started === undefined) continue;
    project.provide('engine', started);
    return stop;
  }
  return undefined;
}

/** The engines for the files of a project, in order of preference. */
function enginesOf({ name, config }: TestProject): readonly Engine[] {
  const engine = config.env['TEST_ENGINE'];
  if (engine === 'any') return ['postgres', 'pglite'];
  if (engine === 'pglite' || engine === 'postgres' || engine === 'citus') return [engine];
  throw new Error(`The project "${name}" names no engine in TEST_ENGINE; see vitest.config.ts.`);
}

async function start(engine: Engine): Promise<{ started?: StartedEngine; stop?: Stop }> {
  const migrated = await migratedTemplate(engine);
  if (migrated === undefined) return {};
  const { stop: dropTemplate, ...template } = migrated;
  const { server, stop: stopServer } = await startSharedServer(template);
  return {
    started: { template, server },
    stop: async () => {
      await stopServer();
      await dropTemplate();
    },
  };
}

async function startSharedServer(template: Template): Promise<{ server: SharedServer; stop: Stop }> {
  const database = await copyTemplate(template);
  const environment = { ...testEnvironment, ...noLimits, LOG_LEVEL: 'error', ...database.env };
  const child = spawnCli(['serve'], environment);
  const logFile = join(tmpdir(), `worktable-${template.engine}-${process.pid}.log`);
  child.stdout?.pipe(createWriteStream(logFile));
  const running = await untilReady(child);
  return {
    server: { url: running.url, env: database.env, logFile },
    stop: async () => {
      await running.stop('SIGTERM');
      reportErrors(template.engine, running.output());
      await rm(logFile, { force: true });
      await database.drop();
    },
  };
}

/** Prints each error that a shared server has logged, because a failed test may show only the status 500. */
function reportErrors(engine: Engine, output: string): void {
  for (const line of output.split('\n').filter((each) => each.startsWith('{"level":50,')))
    console.error(`The shared server on ${engine} logged: ${line}`);
}
