import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import type { RowCounts } from '../db/user-rows.ts';
import { StartupError } from '../startup-error.ts';

/** The configuration for `--to`: the address of a Postgres database, or the folder of an embedded one. */
export function targetOf(config: Config, to: string): Config {
  if (/^postgres/i.test(to) && !to.includes('://'))
    throw new StartupError(
      '--to begins like the address of a Postgres, but lacks "://". Write postgres://user:password@host:5432/database, or a folder of that name as ./postgres.',
    );
  if (!to.includes('://'))
    return { ...config, dataDir: resolve(to), database: { ...config.database, url: undefined } };
  return { ...config, database: { ...config.database, url: settings.database.url.parse(to, '--to') } };
}

/** Describes numbers of rows in words. */
export function describeRows(counts: RowCounts): string {
  return counts.size === 0 ? 'nothing' : [...counts].map(([table, count]) => `${count} ${table}`).join(', ');
}
