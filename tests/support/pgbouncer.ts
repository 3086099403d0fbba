import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUpAfter } from './cleanup.ts';
import { createFolder } from './folder.ts';
import { freePort, untilListening } from './free-port.ts';
import { versionOf } from './installed.ts';

const version = /PgBouncer (\d+)\.(\d+)/.exec(versionOf('pgbouncer') ?? '');

export const hasPgbouncer = version !== null;
export const pgbouncerMissing =
  'PgBouncer is missing, so nothing is tried behind it. Install it (Debian: apt-get install pgbouncer).';

/** Version 1.21 and later support prepared statements in transaction mode. */
const keepsNamedStatements = Number(version?.[1]) > 1 || Number(version?.[2]) >= 21;

/**
 * Starts PgBouncer in transaction mode in front of a database, configured as server/install.md says. It stops after the
 * test or file. Resolves to the address of the database behind it.
 */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const folder = await createFolder();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings(new URL(databaseUrl), port), { mode: 0o600 });
  // PgBouncer refuses to run as root, so it changes its user after it has read its settings.
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file]);
  const exited = once(child, 'exit');
  cleanUpAfter(async () => {
    child.kill('SIGINT');
    await exited;
  });
  await untilListening(port);
  return Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href;
}

function settings({ hostname, port: target, username, password, pathname }: URL, port: number): string {
  const login = `user=${username} ${password === '' ? '' : `password=${password}`}`;
  return `
[databases]
${pathname.slice(1)} = host=${hostname} port=${target || '5432'} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
query_wait_timeout = 4
${keepsNamedStatements ? 'max_prepared_statements = 500' : ''}
ignore_startup_parameters = options
`;
}
