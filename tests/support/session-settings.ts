import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { databaseName, databaseUrl, run } from './postgres.ts';
import type { TestDatabase } from './server.ts';

export type Settings = Readonly<Record<string, string>>;

/** Settings that would change a response, refuse a write or break a statement, unless sessions set their own. */
export const european: Settings = {
  DateStyle: 'SQL, DMY',
  TimeZone: 'Asia/Kathmandu',
  IntervalStyle: 'sql_standard',
  default_transaction_isolation: 'serializable',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  extra_float_digits: '-15',
  exit_on_error: 'on',
  plan_cache_mode: 'force_generic_plan',
  client_encoding: 'LATIN1',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
};

export const german: Settings = {
  ...european,
  DateStyle: 'German',
  TimeZone: 'America/St_Johns',
  IntervalStyle: 'iso_8601',
  default_transaction_isolation: 'repeatable read',
  client_encoding: 'SQL_ASCII',
};

/** Settings that have no effect on responses, so the server's sessions do not override them. */
export const harmless: Settings = {
  bytea_output: 'escape',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  row_security: 'off',
  default_transaction_deferrable: 'on',
  backslash_quote: 'off',
  xmloption: 'document',
  lc_messages: 'C',
  lc_numeric: 'C',
  client_min_messages: 'debug1',
  enable_indexscan: 'off',
  synchronize_seqscans: 'off',
  synchronous_commit: 'off',
  check_function_bodies: 'off',
  gin_fuzzy_search_limit: '1',
};

export async function alterDatabase({ env }: TestDatabase, settings: Settings): Promise<void> {
  const url = env['DATABASE_URL'];
  if (url === undefined) {
    const pglite = await PGlite.create(join(env['DATA_DIR'] ?? '', 'database'));
    // PGlite ignores settings of a database, so this changes the settings of the system.
    for (const [name, value] of Object.entries(settings))
      await pglite.exec(`alter system set ${name} = '${value}'`);
    await pglite.close();
    return;
  }
  // Through a connection to another database, because a session in this one would have its limits.
  for (const [setting, value] of Object.entries(settings))
    await run(
      databaseUrl(url, 'postgres'),
      `alter database ${databaseName(url)} set ${setting} = '${value}'`,
    );
}
