import { cpus, totalmem, type } from 'node:os';
import type pg from 'pg';

/** One sentence on when and where the numbers were taken. */
export async function machine(client: pg.Client, rows: number): Promise<string> {
  const { rows: answers } = await client.query<{ server_version: string }>('show server_version');
  const version = answers[0]?.server_version.split(' ')[0] ?? '?';
  const [processor] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return (
    `${new Date().toISOString().slice(0, 10)}, ${type()}, ${cpus().length} cores (${processor?.model.trim() ?? '?'}), ` +
    `${memory} GB, Node ${process.versions.node}, Postgres ${version}, ${rows.toLocaleString('en')} tasks. ` +
    'Server, database and load share the machine.'
  );
}
