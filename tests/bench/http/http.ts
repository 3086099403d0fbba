/** `npm run bench -- http [part]`: tasks through HTTP beside other servers; what they cost as data grows; engines. */
import {
  databaseUrl,
  dropDatabase,
  ensureDatabase,
  onDatabase,
  rowsWanted,
  smallDatabaseUrl,
} from './database.ts';
import { machine } from './machine.ts';
import { installPeers } from '../peers.ts';
import { measureRates } from './rates.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  get: () => measureRates('GET one'),
  list: () => measureRates('list of 100'),
  post: () => measureRates('POST'),
  mixed: () => measureRates('mixed'),
};

export async function benchHttp(only?: string): Promise<void> {
  if (only === '--drop') {
    for (const url of [databaseUrl, smallDatabaseUrl]) await dropDatabase(url);
    return;
  }
  const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`Say which part: ${Object.keys(parts).join(', ')}, or --drop.`);
  installPeers();
  await ensureDatabase(databaseUrl, rowsWanted);
  console.log(`${await onDatabase(databaseUrl, (client) => machine(client, rowsWanted))}\n`);
  for (const [, measure] of chosen) console.log(await measure());
}
