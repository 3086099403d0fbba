import { sql } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import type { Db } from './tables.ts';

/**
 * Settings that this server relies on, and that a database, a role or DATABASE_URL may change. Each session begins by
 * setting the first value. Further values have the same effect. The start checks the values too, because a pooler may
 * ignore the settings of a session.
 */
const ownSettings = {
  client_encoding: ['UTF8'],
  TimeZone: ['UTC', 'Etc/UTC'],
  DateStyle: ['ISO', 'ISO, DMY', 'ISO, MDY', 'ISO, YMD'],
  IntervalStyle: ['postgres'],
  // With a stricter level, concurrent writes would fail.
  default_transaction_isolation: ['read committed'],
  // Kysely writes literals in the syntax of this setting.
  standard_conforming_strings: ['on'],
  // With `off`, a null in a list of values would be the text NULL.
  array_nulls: ['on'],
  // Sums of tokens are floating-point numbers, and a lower value would round them.
  extra_float_digits: ['1', '2', '3'],
  // Citus cannot send a generic plan to one node.
  plan_cache_mode: ['auto', 'force_custom_plan'],
  // A rejected statement must not end its connection.
  exit_on_error: ['off'],
} as const;

/** Settings that a session cannot set: most need an administrator, and older versions of Postgres lack some. */
const checkedSettings = {
  // Other encodings cannot store every text.
  server_encoding: ['UTF8'],
  // With another value, Postgres ignores foreign keys, so rows that refer to a deleted row would stay.
  session_replication_role: ['origin', 'local'],
  // The list of changes waits for transactions in `pg_stat_activity`, which is empty without this setting.
  track_activities: ['on'],
  // Postgres would end idle connections that a request is about to use.
  idle_session_timeout: ['0'],
} as const;

const ownValues = Object.entries(ownSettings).map(([name, [value]]) => [name, value] as const);

/** The statements with which a session sets the settings above. */
export const setStatements = ownValues.map(([name, value]) => `set ${name} to '${value}'`).join('; ');

/** The settings as `options` of a new connection, together with further settings. */
export function sessionOptions(further: Readonly<Record<string, number>>): string {
  return [...ownValues, ...Object.entries(further)]
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', String.raw`\ `)}`)
    .join(' ');
}

/** The settings of this session that differ from what the server needs, such as `array_nulls = 'off', not 'on'`. */
export async function findWrongSettings(db: Db): Promise<string[]> {
  const settings: Readonly<Record<string, readonly string[]>> = { ...ownSettings, ...checkedSettings };
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from unnest(${Object.keys(settings)}::text[]) name, current_setting(name, true) value
    where value is not null`.execute(db);
  return rows.flatMap(({ name, value }) => {
    const accepted = settings[name] ?? [];
    return accepted.includes(value) ? [] : [`${name} = '${value}', not '${accepted[0] ?? ''}'`];
  });
}

/** Throws a StartupError that names each wrong setting and its value. */
export async function assertSessionSettings(db: Db): Promise<void> {
  const wrong = await findWrongSettings(db);
  if (wrong.length === 0) return;
  throw new StartupError(
    `The sessions of this server have settings with which it would lose data or answer wrongly: ${wrong.join('; ')}. Correct them as server/install.md says under "Postgres".`,
  );
}
