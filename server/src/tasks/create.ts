import DataLoader from 'dataloader';
import { CompiledQuery } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import { isRefusal } from '../db/errors.ts';
import type { Db, NewIdempotencyKey } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newETag, newId } from '../lib/ids.ts';
import type { Caller } from '../contract/operation.ts';
import { entryColumns, entryRow, recordedUs } from './audit-log.ts';
import { writeOf, type TaskChange } from './change-task.ts';
import { addToCounters, countRow, sumCounts } from './count.ts';
import { completedAt, loggedValues, taskRow, type TaskFields } from './task.ts';

/** Plans a new task, as it is stored and returned. */
export function planCreation(caller: Caller, fields: TaskFields): TaskChange {
  const at = timestamp();
  // The reply uses these values without reading them back, because the database stores text unchanged.
  const task = {
    id: newId(),
    user_id: caller.id,
    ...fields,
    completed_at: completedAt(fields.status, undefined, at),
    created_at: at,
    updated_at: at,
    etag: newETag(),
  };
  return { task, action: 'create', payload: loggedValues(task), at, caller };
}

interface Creation {
  readonly change: TaskChange;
  readonly key: NewIdempotencyKey | undefined;
}

/** Returns the write of a new task, which inserts the same rows as `writeOf`. */
export type InsertTask = (change: TaskChange) => Write;

/**
 * Uses one statement to insert all tasks that are created in one iteration of the event loop (performance.md). On Citus,
 * each task has its own statement, because users have their rows on different nodes.
 */
export function createTaskInserter({ db, isDistributed }: Cluster): InsertTask {
  if (isDistributed) return writeOf;
  const loader = new DataLoader<Creation, undefined>((creations) => insertEach(db, creations), {
    cache: false,
  });
  return (change) => async (target, key) => {
    const creation = { change, key };
    await (target.isTransaction ? insertTasks(target, [creation]) : loader.load(creation));
  };
}

/**
 * Resolves to the error of each creation that failed. If the database refuses the statement, for example because of a
 * repeated key, each task is inserted alone. Any other failure concerns all, and its outcome may be unknown.
 */
async function insertEach(db: Db, creations: readonly Creation[]): Promise<(Error | undefined)[]> {
  try {
    await insertTasks(db, creations);
    return creations.map(() => undefined);
  } catch (error) {
    if (creations.length === 1 || !isRefusal(error)) throw error;
    const alone = await Promise.allSettled(creations.map((creation) => insertTasks(db, [creation])));
    return alone.map((each) => (each.status === 'rejected' ? (each.reason as Error) : undefined));
  }
}

async function insertTasks(db: Db, creations: readonly Creation[]): Promise<void> {
  const changes = creations.map(({ change }) => change);
  const tasks = changes.map(({ task }) => taskRow(task));
  const counts = sumCounts(changes.map(({ task }) => countRow(task)));
  const keys = creations.flatMap(({ key }) => key ?? []);
  // Sorted like the counters, so that two statements wait for each other's rows in the same order.
  keys.sort((one, other) => (`${one.user_id}\0${one.key}` < `${other.user_id}\0${other.key}` ? -1 : 1));
  const values = [tasks, counts, changes.map(entryRow), keys].map((rows) => JSON.stringify(rows));
  await db.executeQuery(CompiledQuery.raw(statement, values));
}

/**
 * One text for any number of tasks, which is prepared once. Postgres runs its parts in the order of `oneStatement`:
 * `first`, then the others, and `counters` last.
 */
const statement = `
  with first as (
    insert into tasks select * from json_populate_recordset(null::tasks, $1::json)
    returning user_id, id, created_at, tag_keys
  ), counters as (
    insert into task_counts select * from json_populate_recordset(null::task_counts, $2::json)
    ${addToCounters}
  ), tags as (
    insert into task_tags (user_id, tag_key, created_at, task_id)
    select user_id, unnest(tag_keys), created_at, id from first
  ), entries as (
    insert into audit_logs (${entryColumns.join(', ')}, recorded_us)
    select ${entryColumns.join(', ')}, ${recordedUs} from json_populate_recordset(null::audit_logs, $3::json)
  ), keys as (
    insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
    select user_id, key, request_hash, reply, now() from json_populate_recordset(null::idempotency_keys, $4::json)
  )
  select from first`;
