import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { isDistributed } from './citus.ts';
import type { Db } from './tables.ts';

interface Setting {
  readonly value: string;
  /** Further values with the same effect. */
  readonly accepts?: RegExp;
}

/**
 * The settings that this server relies on and that a database, a role or DATABASE_URL may change. Each session sets them
 * when it begins. The start checks them too, because a pooler may ignore what a session asks for.
 */
const ownSettings: Readonly<Record<string, Setting>> = {
  client_encoding: { value: 'UTF8' },
  TimeZone: { value: 'UTC', accepts: /^(?:Etc\/)?UTC$/ },
  DateStyle: { value: 'ISO', accepts: /^ISO,/ },
  IntervalStyle: { value: 'postgres' },
  // Concurrent writes fail under a stricter level.
  default_transaction_isolation: { value: 'read committed' },
  // Kysely writes literals in this syntax.
  standard_conforming_strings: { value: 'on' },
  // Otherwise a null in a list of values is the text NULL.
  array_nulls: { value: 'on' },
  // Sums of tokens are floating-point numbers.
  extra_float_digits: { value: '1', accepts: /^[23]$/ },
  // Citus cannot send a generic plan to one node.
  plan_cache_mode: { value: 'auto', accepts: /^force_custom_plan$/ },
  // A rejected statement must not end its connection.
  exit_on_error: { value: 'off' },
};

/** Settings that a session may not set: most need an administrator, and the last is unknown to Postgres 13. */
const checkedSettings: Readonly<Record<string, Setting>> = {
  // With another value, Postgres ignores foreign keys, so deleting a row would leave the rows that refer to it.
  session_replication_role: { value: 'origin', accepts: /^local$/ },
  // The list of changes waits for the transactions in `pg_stat_activity`, which is empty without this setting.
  track_activities: { value: 'on' },
  // Postgres would end idle connections, and with them the requests that are about to use one.
  idle_session_timeout: { value: '0' },
};

const settings: Readonly<Record<string, Setting>> = { ...ownSettings, ...checkedSettings };

/** The statements by which a session sets what this server relies on. */
export const setStatements = Object.entries(ownSettings)
  .map(([name, { value }]) => `set ${name} to '${value}'`)
  .join('; ');

/** The settings of `setStatements` as Postgres' `options` of a new connection, with further settings. */
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
  /** The address of a worker of a Citus cluster; undefined for the database that the server connects to. */
  readonly worker?: string;
}

const currentSettings = `
  select name, value, quote_ident(session_user) as role, quote_ident(current_database()) as database
  from unnest('{${Object.keys(settings).join()}}'::text[]) name, current_setting(name, true) value
  where value is not null`;

/** The settings of a session that are not as this server needs them. */
export async function findWrongSettings(db: Db): Promise<WrongSetting[]> {
  const { rows } = await sql.raw<WrongSetting>(currentSettings).execute(db);
  return rows.filter(isWrong);
}

/**
 * The wrong settings of sessions on the workers of a Citus cluster. The coordinator opens these sessions and passes on
 * no settings. A worker that cannot be reached is left out.
 */
async function findWrongSettingsOfWorkers(db: Db): Promise<WrongSetting[]> {
  if (!(await isDistributed(db))) return [];
  const { rows } = await sql<WrongSetting>`
    select settings.*, nodename || ':' || nodeport as worker
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
  const values = wrong.map(({ name, value, worker }) => `${name} = '${value}'${on(worker)}`);
  const statements = wrong.map(
    ({ name, role, database, worker }) =>
      `alter role ${role} in database ${database} set ${name} = '${settings[name]?.value ?? ''}'${on(worker)};`,
  );
  throw new StartupError(
    `The sessions of this server have settings with which it would lose data or answer wrongly: ${values.join(', ')}. Correct them as an administrator: ${statements.join(' ')}`,
  );
}

function on(worker: string | undefined): string {
  return worker === undefined ? '' : ` on the worker ${worker}`;
}
