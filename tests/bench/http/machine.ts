import { cpus, totalmem, type } from 'node:os';
import type pg from 'pg';

/** The date, machine and versions of the measurement. */
export async function machine(client: pg.Client, rows: number): Promise<string> {
  const { rows: versions } = await client.query<{ server_version: string }>('show server_version');
  const version = versions[0]?.server_version.split(' ')[0] ?? '?';
  const [processor] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return (
    `${new Date().toISOString().slice(0, 10)}, ${type()}, ${cpus().length} cores (${processor?.model.trim() ?? '?'}), ` +
    `${memory} GB, Node ${process.versions.node}, Postgres ${version}, ${rows.toLocaleString('en')} tasks. ` +
    'Server, database and load share the machine.'
  );
}
