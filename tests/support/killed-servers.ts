import { join } from 'node:path';
import { expect } from 'vitest';
import { noLimits } from './agents.ts';
import type { Client } from './client.ts';
import { run } from './postgres.ts';
import { runCli, startProcess } from './process.ts';
import type { TestDatabase } from './server.ts';
import type { Environment } from './server-process.ts';
import { secret } from './tokens.ts';

const preload = join(import.meta.dirname, 'kill-at-statement.ts');

/** The environment of a server that kills itself at a statement. `at` is, for example, `before 2` or `after 2`. */
export function killedAt(at: string, statement: string): Record<string, string> {
  return { KILL_AT: at, KILL_STATEMENT: statement, NODE_OPTIONS: `--import=${preload}` };
}

/** The environment of processes that run agents on a database, one process after the other. */
export function processEnv({ env }: TestDatabase, ...more: readonly Environment[]): Record<string, string> {
  const own = { ...env, ...noLimits, PORT: '0', JWT_SECRET: secret, LOG_LEVEL: 'error' };
  return Object.assign(own, ...more) as Record<string, string>;
}

/**
 * Starts a server that kills itself at a statement. Resolves when other servers can continue its work. Without
 * `request`, the server reaches the statement by the work that earlier processes have left.
 */
export async function untilKilled(
  env: Environment,
  [at, statement]: readonly [at: string, statement: string],
  request?: (alice: Client) => Promise<unknown>,
): Promise<void> {
  const killed = { ...env, ...killedAt(at, statement) };
  const exitCode = async (): Promise<number | null> => {
    if (request === undefined) return (await runCli(['serve'], killed)).code;
    const server = await startProcess(killed);
    await request(await server.as('alice')).catch((error: unknown) => {
      // The server may be killed before it responds. After any other error, the process would not reach the statement.
      if (!(error instanceof TypeError)) throw error;
    });
    return server.exited;
  };
  expect(await exitCode(), `${at} ${statement}`).toBeNull();
  await noticeDeadWorkers(env);
}

/** On Postgres, other servers notice a dead worker when its lock expires. Ends all locks now, to save this time. */
async function noticeDeadWorkers({ DATABASE_URL: url }: Environment): Promise<void> {
  if (url !== undefined) await run(url, 'update session_turns set locked_until = now()');
}
