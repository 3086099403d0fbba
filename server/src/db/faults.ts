import { sql } from 'kysely';
import { program } from '../program.ts';
import { hasSqlState } from './errors.ts';
import type { Db } from './tables.ts';
import { userTableNames } from './user-tables.ts';

const clockDifferenceMsMax = 2000;

const tableNames = [...userTableNames, 'rate_limits', 'paused_runtimes', 'chart_link_key'];

/** Sentences about what is wrong with the database role. */
export async function findRoleFaults(db: Db): Promise<string[]> {
  const { rows } = await sql<{ is_superuser: boolean; may_create: boolean; unusable: string[] }>`
    select rolsuper as is_superuser, has_schema_privilege(current_schema(), 'create') as may_create,
      array(
        select relname::text from pg_class
        where oid = any (array(select to_regclass(name) from unnest(${tableNames}::text[]) name)) and not (
          select bool_and(has_table_privilege(pg_class.oid, name))
          from unnest(array['select', 'insert', 'update', 'delete']) name
        )
        order by relname
      ) as unusable
    from pg_roles where rolname = current_user`.execute(db);
  const [{ is_superuser, may_create, unusable } = { is_superuser: false, may_create: true, unusable: [] }] =
    rows;
  return [
    ...(unusable.length === 0
      ? []
      : [
          `The database user may not read and write ${unusable.join(', ')}. Grant the rights that server/README.md lists under "Upgrading".`,
        ]),
    ...(may_create
      ? []
      : [
          `The database user may not create tables. Run \`${program} migrate\` as their owner before a newer version starts.`,
        ]),
    ...(is_superuser
      ? ['The database user is a superuser. Use one that has access to this database only.']
      : []),
  ];
}

/** A sentence if the clocks of the database and this process differ. */
export async function findClockFault(db: Db): Promise<string | undefined> {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const ms = rows[0]?.ms ?? before;
  // The database has read its clock between `before` and now.
  const differenceMs = Math.max(before - ms, ms - Date.now(), 0);
  if (differenceMs <= clockDifferenceMsMax) return undefined;
  return `The clocks of this machine and of the database differ by ${Math.round(differenceMs / 1000)} s. Synchronize both (NTP).`;
}

interface Worker {
  readonly host: string;
  readonly port: number;
}

/** A sentence if the coordinator of a Citus cluster cannot connect to one of its workers. */
export async function findWorkerFault(db: Db): Promise<string | undefined> {
  const { rows: workers } = await sql<Worker>`
    select node_name as host, node_port::int as port from citus_get_active_worker_nodes() order by host, port`.execute(
    db,
  );
  const unreachable: string[] = [];
  for (const worker of workers)
    if (!(await isReachable(db, worker))) unreachable.push(`${worker.host}:${worker.port}`);
  if (unreachable.length === 0) return undefined;
  return `The coordinator of the Citus cluster cannot connect to ${unreachable.join(', ')}. Requests of the users whose rows are there fail. Start Postgres there, and check the network, pg_hba.conf and the password of the coordinator.`;
}

/** Also resolves to false if the worker does not answer within the time limit of a statement. */
async function isReachable(db: Db, { host, port }: Worker): Promise<boolean> {
  try {
    const { rows } = await sql<{ is_reachable: boolean }>`
      select citus_check_connection_to_node(${host}, ${port}) as is_reachable`.execute(db);
    return rows[0]?.is_reachable === true;
  } catch (error) {
    if (hasSqlState(error, 'query_canceled')) return false;
    throw error;
  }
}
