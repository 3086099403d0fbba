import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { auditEntry, type AuditContext } from './audit-entry.ts';
import { lockedTask } from './update.ts';
import { taskColumns, type TaskKey } from './find-task.ts';

interface Deletion {
  /** The versions that may be deleted; undefined for any. */
  readonly versions: readonly number[] | undefined;
  readonly auditContext: AuditContext;
}

/**
 * Deletes a task with its comments and writes an audit entry with its last state. Resolves to `stale` if the task has
 * another version, and to undefined if the user has no such task.
 */
export async function removeTask(
  db: Db,
  key: TaskKey,
  { versions, auditContext }: Deletion,
): Promise<'deleted' | 'stale' | undefined> {
  const statement = sql<{ is_current: boolean }>`
    with old as materialized (${lockedTask(key, versions)}),
    removed as (
      delete from tasks using old
      where tasks.id = (old.task).id and old.is_current
      returning tasks.*
    ),
    entry as (
      ${auditEntry({ of: 'removed', action: 'delete', payload: snapshot, at: sql`clock_timestamp()`, auditContext })}
    )
    select is_current from old`;
  const { rows } = await statement.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return row.is_current ? 'deleted' : 'stale';
}

/** The task as JSON in its wire format. */
const snapshot = sql`jsonb_build_object(${sql.join(
  taskColumns.flatMap((name) => [sql.lit(name), name.endsWith('_at') ? wireTimestamp(name) : sql.ref(name)]),
)})`;

function wireTimestamp(name: string): ReturnType<typeof sql> {
  return sql`to_char(${sql.ref(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
