/**
 * `npm run bench -- http [part]`: tasks over HTTP compared with other servers, growing data, both engines, a noisy
 * neighbour, startup and memory. `npm run bench -- http --drop` drops the databases.
 */
import { installPeers } from '../peers.ts';
import { measureNoisyNeighbour } from './noisy-neighbour.ts';
import { measureChanges } from './changes.ts';
import { measureCitus } from './citus.ts';
import * as databases from './database.ts';
import { measureEngines } from './engines.ts';
import { measureGrowth } from './growth.ts';
import { machine } from './machine.ts';
import { measurePages } from './pages.ts';
import { measureRates } from './rates.ts';
import { measureMemory, measureStartUp } from './start-up.ts';
import { measureToolCalls } from './tool-calls.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  'post-keyed': () => measureRates('POST with a key'),
  get: () => measureRates('GET one'),
  list: () => measureRates('list of 100'),
  post: () => measureRates('POST'),
  mixed: () => measureRates('mixed'),
  'tool-calls': measureToolCalls,
  growth: measureGrowth,
  pages: measurePages,
  changes: measureChanges,
  engines: measureEngines,
  citus: measureCitus,
  'noisy-neighbour': measureNoisyNeighbour,
  start: measureStartUp,
  memory: measureMemory,
};

export async function benchHttp(only?: string): Promise<void> {
  const { databaseUrl, rowsWanted, smallDatabaseUrl, smallRows } = databases;
  if (only === '--drop') {
    for (const url of [databaseUrl, smallDatabaseUrl]) await databases.dropDatabase(url);
    return;
  }
  const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`Name a part: ${Object.keys(parts).join(', ')}, or --drop.`);
  installPeers();
  await databases.ensureDatabase(databaseUrl, rowsWanted);
  await databases.ensureDatabase(smallDatabaseUrl, smallRows);
  console.log(`${await databases.onDatabase(databaseUrl, (client) => machine(client, rowsWanted))}\n`);
  for (const [, measure] of chosen) console.log(await measure());
}
