/** `npm run bench -- http [part]` measures tasks over HTTP. `npm run bench -- http --drop` drops the databases. */
import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { installPeers } from '../../support/install-peers.ts';
import { measureChanges } from './changes.ts';
import * as databases from './database.ts';
import { measureCitus, measurePGlite } from './engines.ts';
import { measureLists } from './lists.ts';
import { measureRates } from './rates.ts';
import { measureMemory, measureStartUp } from './start-up.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  rates: measureRates,
  lists: measureLists,
  changes: measureChanges,
  pglite: measurePGlite,
  citus: measureCitus,
  start: measureStartUp,
  memory: measureMemory,
};

export async function benchHttp(only?: string): Promise<void> {
  const { databaseUrl, rowsWanted, smallDatabaseUrl, smallRows } = databases;
  if (only === '--drop') {
    for (const url of [databaseUrl, smallDatabaseUrl]) await databases.dropDatabase(url);
    return;
  }
  const names = only === undefined ? Object.keys(parts) : [only];
  const measures = names.map((name) => {
    const measure = parts[name];
    if (measure === undefined) throw new Error(`Name a part: ${Object.keys(parts).join(', ')}, or --drop.`);
    return measure;
  });
  installPeers(join(import.meta.dirname, '../peers'));
  await databases.ensureDatabase(databaseUrl, rowsWanted);
  await databases.ensureDatabase(smallDatabaseUrl, smallRows);
  console.log(`${await machine()}\n`);
  for (const measure of measures) {
    console.log(await measure());
    for (const url of [databaseUrl, smallDatabaseUrl]) await databases.cleanUp(url);
  }
}

/** The date, machine and versions of the measurement. */
async function machine(): Promise<string> {
  const { rows: versions } = await databases.onDatabase(databases.databaseUrl, (client) =>
    client.query<{ server_version: string }>('show server_version'),
  );
  const version = versions[0]?.server_version.split(' ')[0] ?? '?';
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return (
    `**${new Date().toISOString().slice(0, 10)}**, ${type()}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? '?'}), ` +
    `${memory} GB, Node ${process.versions.node}, Postgres ${version}, ${databases.rowsWanted.toLocaleString('en')} tasks`
  );
}
