import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseError } from 'pg';
import { cleanUpAfter } from './cleanup.ts';
import { freePort } from './free-port.ts';
import { databaseUrl, run } from './postgres.ts';

/** The programs of the nodes, and the user who may start them; undefined if the nodes run on other machines. */
export interface LocalPrograms {
  readonly folder: string;
  readonly user: { readonly uid?: number; readonly gid?: number };
}

export async function findPrograms(node: string): Promise<LocalPrograms | undefined> {
  const { rows } = await run(
    node,
    `select current_setting('data_directory') as data, (select setting from pg_config where name = 'BINDIR') as bin`,
  );
  const { data, bin } = rows[0] as { data: string; bin: string };
  const [owner, program] = await Promise.all(
    [data, join(bin, 'pg_ctl')].map((path) => stat(path).catch(() => undefined)),
  );
  if (owner === undefined || program === undefined) return undefined;
  return { folder: bin, user: process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {} };
}

/** Starts a cluster of three nodes, whose base backups contain no databases of other tests. Resolves to its addresses. */
export async function startCluster(programs: LocalPrograms, folder: string): Promise<string[]> {
  const nodes: string[] = [];
  for (const i of [0, 1, 2]) {
    const data = await ownFolder(programs, join(folder, `source-${i}`));
    const options = ['--username=citus', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await execute(programs, 'initdb', [...options, `--pgdata=${data}`]);
    const port = await freePort();
    await startNode(programs, data, [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      `shared_preload_libraries = 'citus'`,
      'max_prepared_transactions = 100',
    ]);
    nodes.push(`postgres://citus@127.0.0.1:${port}/postgres`);
  }
  return nodes;
}

/** Starts a node with further settings, and stops it after the test. */
async function startNode(programs: LocalPrograms, data: string, settings: readonly string[]): Promise<void> {
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  await execute(programs, 'pg_ctl', ['start', '-w', '-D', data, '-l', join(data, 'test.log')]);
  cleanUpAfter(() => execute(programs, 'pg_ctl', ['stop', '-m', 'immediate', '-w', '-D', data]));
}

/** Makes a folder that belongs to the user of the programs. */
async function ownFolder({ user }: LocalPrograms, path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
  return path;
}

interface NodeBackup {
  readonly node: string;
  readonly data: string;
  readonly archive: string;
}

/** Makes a base backup of each node, and archives the WAL that the nodes write later. */
export async function backUp(
  programs: LocalPrograms,
  nodes: readonly string[],
  folder: string,
): Promise<readonly NodeBackup[]> {
  const backups: NodeBackup[] = [];
  for (const [i, node] of nodes.entries()) {
    const backup = {
      node,
      data: await ownFolder(programs, join(folder, `node-${i}`)),
      archive: await ownFolder(programs, join(folder, `archive-${i}`)),
    };
    await receiveLog(programs, backup);
    const options = ['--no-sync', '--checkpoint=fast', '--wal-method=fetch'];
    await execute(programs, 'pg_basebackup', [...options, `--pgdata=${backup.data}`, `--dbname=${node}`]);
    backups.push(backup);
  }
  return backups;
}

/** Starts a receiver of WAL. Its slot reserves WAL at once, unlike a slot of `pg_receivewal --create-slot`. */
async function receiveLog(programs: LocalPrograms, { node, archive }: NodeBackup): Promise<void> {
  const slot = `worktable_${randomUUID().replaceAll('-', '_')}`;
  const options = [`--slot=${slot}`, `--dbname=${node}`];
  await run(node, `select pg_create_physical_replication_slot('${slot}', true)`);
  const receiver = spawn(
    join(programs.folder, 'pg_receivewal'),
    ['--no-sync', `--directory=${archive}`, ...options],
    { ...programs.user, env: environment, stdio: 'ignore' },
  );
  const exited = once(receiver, 'exit');
  cleanUpAfter(async () => {
    receiver.kill();
    await exited;
    await execute(programs, 'pg_receivewal', ['--drop-slot', ...options]);
  });
}

/** The environment of the programs. It lacks HOME, which would point to files of another user. */
const environment = { PATH: process.env['PATH'] ?? '' };

async function execute(
  { folder, user }: LocalPrograms,
  name: string,
  args: readonly string[],
): Promise<void> {
  await promisify(execFile)(join(folder, name), args, { ...user, env: environment });
}

/** Waits until the archives contain everything that the nodes have written. */
export async function archiveAll(backups: readonly NodeBackup[]): Promise<void> {
  for (const { node, archive } of backups) {
    const { rows } = await run(node, 'select pg_walfile_name(pg_switch_wal()) as file');
    const { file } = rows[0] as { file: string };
    while (!(await readdir(archive)).includes(file)) await pause(50);
  }
}

/** Restores each node to a restore point and starts it on a port of its own. Resolves to the addresses. */
export async function restore(
  programs: LocalPrograms,
  backups: readonly NodeBackup[],
  { point, ports }: { readonly point: string; readonly ports: readonly number[] },
): Promise<string[]> {
  const restored: string[] = [];
  for (const [i, { node, data, archive }] of backups.entries()) {
    const port = ports[i] ?? 0;
    const settings = [
      `port = ${port}`,
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_name = '${point}'`,
      `recovery_target_action = 'promote'`,
      // Citus' maintenance process would use databases whose deletion is still to be replayed, and block the replay.
      'hot_standby = off',
      'citus.recover_2pc_interval = -1',
    ];
    await writeFile(join(data, 'recovery.signal'), '');
    await startNode(programs, data, settings);
    const url = new URL(node);
    url.port = String(port);
    restored.push(url.href);
  }
  for (const node of restored) {
    // A node in recovery refuses connections with 57P03.
    const isRecovering = (): Promise<boolean> =>
      run(databaseUrl(node, 'postgres'), 'select where pg_is_in_recovery()').then(
        ({ rowCount }) => rowCount === 1,
        (error: unknown) => {
          if (error instanceof DatabaseError && error.code === '57P03') return true;
          throw error;
        },
      );
    while (await isRecovering()) await pause(50);
  }
  return restored;
}
