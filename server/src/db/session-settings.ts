import { sql } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import { isDistributed } from './citus.ts';
import type { Db } from './tables.ts';

interface Setting {
  readonly value: string;
  /** Other values that have the same effect. */
  readonly accepts?: RegExp;
}

/**
 * Settings that this server relies on, and that a database, a role or DATABASE_URL may change. Each session sets them
 * when it begins. The start checks them too, because a pooler may ignore them.
 */
const ownSettings: Readonly<Record<string, Setting>> = {
  client_encoding: { value: 'UTF8' },
  TimeZone: { value: 'UTC', accepts: /^(?:Etc\/)?UTC$/ },
  DateStyle: { value: 'ISO', accepts: /^ISO,/ },
  IntervalStyle: { value: 'postgres' },
  // With a stricter level, concurrent writes would fail.
  default_transaction_isolation: { value: 'read committed' },
  // Kysely writes literals in the syntax of this setting.
  standard_conforming_strings: { value: 'on' },
  // With `off`, a null in a list of values would be the text NULL.
  array_nulls: { value: 'on' },
  // Sums of tokens are floating-point numbers, which must be exact.
  extra_float_digits: { value: '1', accepts: /^[23]$/ },
  // Citus cannot send a generic plan to one node.
  plan_cache_mode: { value: 'auto', accepts: /^force_custom_plan$/ },
  // A rejected statement must not end its connection.
  exit_on_error: { value: 'off' },
};

/** Settings that a session cannot set: most need an administrator, and Postgres 13 lacks `idle_session_timeout`. */
const checkedSettings: Readonly<Record<string, Setting>> = {
  // With another value, Postgres ignores foreign keys, so rows would stay that refer to a deleted row.
  session_replication_role: { value: 'origin', accepts: /^local$/ },
  // The list of changes waits for transactions in `pg_stat_activity`, which is empty without this setting.
  track_activities: { value: 'on' },
  // Postgres would end idle connections that a request is about to use.
  idle_session_timeout: { value: '0' },
};

const settings: Readonly<Record<string, Setting>> = { ...ownSettings, ...checkedSettings };

/** The statements with which a session sets the settings above. */
export const setStatements = Object.entries(ownSettings)
  .map(([name, { value }]) => `set ${name} to '${value}'`)
  .join('; ');

/** The settings as `options` of a new connection, together with further settings. */
export function sessionOptions(further: Readonly<Record<string, number>>): string {
  const own = Object.entries(ownSettings).map(([name, { value }]) => [name, value] as const);
  return [...own, ...Object.entries(further)]
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', String.raw`\ `)}`)
    .join(' ');
}

interface WrongSetting {
  readonly name: string;
  readonly value: string;
  readonly role: string;
  readonly database: string;
  /** The end of a sentence that names a Citus worker; empty for the database that the server connects to. */
  readonly place: string;
}

const currentSettings = `
  select name, value, quote_ident(session_user) as role, quote_ident(current_database()) as database,
    '' as place
  from unnest('{${Object.keys(settings).join()}}'::text[]) name, current_setting(name, true) value
  where value is not null`;

/** The settings of this session that differ from what the server needs. */
export async function findWrongSettings(db: Db): Promise<WrongSetting[]> {
  const { rows } = await sql.raw<WrongSetting>(currentSettings).execute(db);
  return rows.filter(isWrong);
}

/**
 * The wrong settings of sessions on Citus workers. The coordinator opens these sessions and passes no settings on.
 * Workers that cannot be reached are left out.
 */
async function findWrongSettingsOfWorkers(db: Db): Promise<WrongSetting[]> {
  if (!(await isDistributed(db))) return [];
  const { rows } = await sql<WrongSetting>`
    select settings.*, ' on the worker ' || nodename || ':' || nodeport as place
    from run_command_on_workers(${`select json_agg(s) from (${currentSettings}) s`}),
      json_to_recordset((case when success then result end)::json)
        as settings (name text, value text, role text, database text)`.execute(db);
  return rows.filter(isWrong);
}

function isWrong({ name, value }: WrongSetting): boolean {
  const needed = settings[name];
  return needed !== undefined && value !== needed.value && needed.accepts?.test(value) !== true;
}

/** Throws a StartupError that names each wrong setting and the statement that corrects it. */
export async function assertSessionSettings(db: Db): Promise<void> {
  const wrong = [...(await findWrongSettings(db)), ...(await findWrongSettingsOfWorkers(db))];
  if (wrong.length === 0) return;
  const values = wrong.map(({ name, value, place }) => `${name} = '${value}'${place}`);
  const statements = wrong.map(
    ({ name, role, database, place }) =>
      `alter role ${role} in database ${database} set ${name} = '${settings[name]?.value ?? ''}'${place};`,
  );
  throw new StartupError(
    `The sessions of this server have settings with which it would lose data or answer wrongly: ${values.join(', ')}. Correct them as an administrator: ${statements.join(' ')}`,
  );
}
