import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');

/**
 * Migrates a database by the command. The process is separate, because the embedded database sets the exit code of its
 * process, and that of the tests must stay.
 */
export async function migrateByCommand(env: Readonly<Record<string, string>>): Promise<void> {
  await promisify(execFile)(process.execPath, [cli, 'migrate'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}
