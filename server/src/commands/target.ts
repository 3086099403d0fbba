import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import type { RowCounts } from '../db/user-rows.ts';

/** The configuration of the database that `--to` names: the address of a Postgres, or the folder of an embedded one. */
export function targetOf(config: Config, to: string): Config {
  if (!to.includes('://'))
    return { ...config, dataDir: resolve(to), database: { ...config.database, url: undefined } };
  return { ...config, database: { ...config.database, url: settings.database.url.parse(to, '--to') } };
}

/** Numbers of rows as words. */
export function describeRows(counts: RowCounts): string {
  return counts.size === 0 ? 'nothing' : [...counts].map(([table, count]) => `${count} ${table}`).join(', ');
}
