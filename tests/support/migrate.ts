import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');

/**
 * Migrates a database as an operator does. In a process of its own: the embedded database sets the exit code of the
 * process it is in, which must stay that of the tests.
 */
export async function migrateByCommand(env: Readonly<Record<string, string>>): Promise<void> {
  await promisify(execFile)(process.execPath, [cli, 'migrate'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}
