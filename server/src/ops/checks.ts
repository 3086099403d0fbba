import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { findPausedRuntimes } from '../agents/runs/operate-runs.ts';
import type { Config } from '../config/config.ts';
import { checkClock, checkPool, checkRole } from '../db/checks.ts';
import { startFailure, type Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { writeTemporaryFile } from '../db/readiness.ts';
import { createLogger, reasonsOf } from './log.ts';
import { program, StartupError } from '../lib/startup-error.ts';
import { fetchOrFail } from '../lib/fetch.ts';

/**
 * Checks by name. A check throws if a server could not work. Otherwise, it resolves to warnings, or to undefined if
 * there is nothing to check.
 */
export type Checks = Readonly<Record<string, () => Promise<readonly string[] | undefined>>>;

/** Checks of an opened database. `doctor` prints their results, and a start logs them. */
export function databaseChecks(config: Config, database: Database): Checks {
  return {
    role: () => checkRole(database),
    clock: () => checkClock(database),
    pool: () => checkPool(config, database),
    runs: () => checkRuns(database),
    disk: () => checkDisk(config, database),
  };
}

/** Checks of the settings, and of the model servers and MCP servers, to which the checks send requests. */
export function configChecks(config: Config): Checks {
  return {
    settings: () => Promise.resolve(config.warnings),
    models: () => checkModels(config),
    skills: () => checkSkills(config),
  };
}

/** Runs checks one after the other. A check that does not apply has no finding. */
export async function* findingsOf(
  config: Config,
  checks: Checks,
): AsyncGenerator<{ level: 'ok' | 'warning' | 'wrong'; name: string; sentence: string }> {
  for (const [name, check] of Object.entries(checks)) {
    try {
      const sentences = await check();
      if (sentences?.length === 0) yield { level: 'ok', name, sentence: '' };
      for (const sentence of sentences ?? []) yield { level: 'warning', name, sentence };
    } catch (cause) {
      const error = startFailure(cause, config);
      const sentence = error instanceof StartupError ? error.message : reasonsOf(error);
      yield { level: 'wrong', name, sentence };
    }
  }
}

/** Logs all findings that are not `ok`. */
export async function logFindings(logger: Logger, config: Config, checks: Checks): Promise<void> {
  for await (const { level, name, sentence } of findingsOf(config, checks))
    if (level !== 'ok') logger.warn({ check: name }, sentence);
}

async function checkRuns({ db }: Database): Promise<string[]> {
  const paused = (await isMigrated(db)) ? await findPausedRuntimes(db) : [];
  return paused.map(
    (name) =>
      `Runs of ${name === '*' ? 'all runtimes' : name} are paused. \`${program} runs resume\` begins them.`,
  );
}

const freeMbMin = 1024;

async function checkDisk({ database, dataDir }: Config, { db }: Database): Promise<string[] | undefined> {
  if (database.isInMemory) return undefined;
  if (database.url !== undefined) {
    await writeTemporaryFile(db);
    return [];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeMb = Math.round((bavail * bsize) / 2 ** 20);
  if (freeMb > freeMbMin) return [];
  return [
    `The disk of DATA_DIR has ${freeMb} MB free. Make space: below 48 MB the embedded database refuses writes.`,
  ];
}

const timeoutMs = 5000;

async function checkModels({ agents }: Config): Promise<string[] | undefined> {
  if (agents.models.length === 0) return undefined;
  const answers = agents.models.map(async ({ name, baseUrl, apiKey }) => {
    try {
      const { ok, status, body } = await fetchOrFail(`${baseUrl}/models`, {
        headers: apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body?.cancel();
      // Some model servers do not list their models.
      if (ok || status === 404 || status === 405) return [];
      return [`The model server "${name}" answers ${status}. Check its address and its key.`];
    } catch (error) {
      return [`The model server "${name}" cannot be reached: ${reasonsOf(error)}.`];
    }
  });
  return (await Promise.all(answers)).flat();
}

async function checkSkills({ agents }: Config): Promise<string[] | undefined> {
  if (agents.mcpSkills.length === 0) return undefined;
  // The client is loaded on its first use, because loading takes a while.
  const { mcpSkill } = await import('../agents/skills/mcp/mcp-skill.ts');
  const logger = createLogger('silent');
  const skills = agents.mcpSkills.map((server) => mcpSkill(server, timeoutMs, logger, () => undefined));
  const { signal } = new AbortController();
  await Promise.all(skills.map((skill) => skill.listTools(signal, true)));
  return skills.flatMap((skill) => skill.lastList()?.problem ?? []);
}
