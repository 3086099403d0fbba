import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { auditEntry, type AuditContext } from './audit-entry.ts';
import { storedTask, taskColumns, type StoredTask, type TaskKey } from './find-task.ts';
import { fieldNames, writtenColumns, type DerivedFields, type TaskFields } from './task.ts';

interface Change {
  readonly action: 'update' | 'assign';
  readonly fields: Partial<TaskFields & DerivedFields>;
  /** The versions that may be changed; undefined for any. */
  readonly versions: readonly number[] | undefined;
  readonly auditContext: AuditContext;
}

type ChangedRow = Schemas['Task'] & { version: number; is_current: boolean };

/**
 * Merges fields into a task and writes an audit entry with the old and new values. The row is locked before it is read,
 * so concurrent updates of a task do not lose changes. An update that changes no value writes nothing.
 *
 * Resolves to the updated task, to `stale` if the task has another version, and to undefined if the user has no such
 * task.
 */
export async function changeTask(
  db: Db,
  key: TaskKey,
  change: Change,
): Promise<StoredTask | 'stale' | undefined> {
  const payload = sql`select jsonb_build_object('changes', changes) from difference`;
  const { action, auditContext } = change;
  const statement = sql<ChangedRow>`
    with old as materialized (${lockedTask(key, change.versions)}),
    next as materialized (
      select next.* from old, jsonb_populate_record(old.task, ${JSON.stringify(change.fields)}::jsonb) next
      where old.is_current
    ),
    difference as materialized (${difference}),
    changed as (${update}),
    entry as (${auditEntry({ of: 'changed', action, payload, at: sql`updated_at`, auditContext })})
    select ${sql.join(returned)}, version, true as is_current from changed
    union all
    select ${sql.join(returned.map((column) => sql`(old.task).${column}`))}, (old.task).version, old.is_current
    from old
    where not exists (select from changed)`;
  const { rows } = await statement.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { is_current: isCurrent, ...columns } = row;
  return isCurrent ? storedTask(columns) : 'stale';
}

/** The CTE that locks the user's task and checks its version. */
export function lockedTask(
  { id, userId }: TaskKey,
  versions: readonly number[] | undefined,
): RawBuilder<unknown> {
  return sql`
    select task, ${versions ?? null}::int[] is null or task.version = any(${versions ?? null}::int[]) as is_current
    from tasks task
    where task.id = ${id} and task.user_id = ${userId}
    for update`;
}

const written = writtenColumns.map((name) => sql.ref(name));
const returned = taskColumns.map((name) => sql.ref(name));

const difference = sql`
  select jsonb_object_agg(name, jsonb_build_object('from', was.value, 'to', becomes.value)) as changes
  from old, next, jsonb_each(to_jsonb(old.task)) was(name, value)
  join jsonb_each(to_jsonb(next)) becomes(name, value) using (name)
  where name = any(${[...fieldNames]}::text[]) and was.value is distinct from becomes.value`;

const update = sql`
  update tasks task
  set (${sql.join(written)}, version, updated_at) = (
    ${sql.join(written.map((column) => sql`next.${column}`))},
    task.version + 1,
    greatest(task.updated_at, clock_timestamp())
  )
  from next, difference
  where task.id = next.id and difference.changes is not null
  returning task.*`;
