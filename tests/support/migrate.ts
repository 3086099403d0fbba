import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCache, nodeOptions } from './node.ts';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');

/**
 * Migrates a database by the command, in a separate process. The embedded database sets the exit code of its process,
 * and must not set it for the tests.
 */
export function migrateByCommand(env: Environment): Promise<void> {
  return runCommand('migrate', env);
}

/** Distributes a database over the nodes of its Citus cluster. */
export function distributeByCommand(env: Environment): Promise<void> {
  return runCommand('distribute', env);
}

type Environment = Readonly<Record<string, string>>;

async function runCommand(name: string, env: Environment): Promise<void> {
  await promisify(execFile)(process.execPath, [...nodeOptions, cli, name], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
  });
}
