import DataLoader from 'dataloader';
import { CompiledQuery, sql } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import { isRefusal } from '../db/errors.ts';
import { insertRows } from '../db/rows.ts';
import type { Db, NewIdempotencyKey } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newETag, newId } from '../lib/ids.ts';
import type { Caller } from '../contract/operation.ts';
import { entryColumns, entryRow, insertEntry, recordedUs, type NewEntry } from './audit-log.ts';
import { addToCounters, countRow, sumCounts } from './count.ts';
import { insertTags } from './tags.ts';
import { writeOf, type TaskChange } from './task-write.ts';
import { completedAt, loggedValues, writtenRow, type Task, type TaskFields } from './task.ts';

/** A new task, as it is stored and returned. */
export function newTask(caller: Caller, fields: TaskFields): Task {
  const at = timestamp();
  // The reply uses these values without reading them back, because the database stores text unchanged.
  return {
    id: newId(),
    user_id: caller.id,
    ...fields,
    completed_at: completedAt(fields.status, undefined, at),
    created_at: at,
    updated_at: at,
    etag: newETag(),
  };
}

interface Creation {
  readonly task: Task;
  readonly caller: Caller;
  readonly key?: NewIdempotencyKey | undefined;
}

/** The change that inserts a new task with its tags, audit entry and count. */
export function planCreation(creation: Creation): TaskChange {
  const { task } = creation;
  const row = rowOf(creation);
  return {
    first: sql`${insertRows('tasks', [row])} returning id`,
    others: { tags: insertTags(task, row.tag_keys), entry: insertEntry(entryOf(creation)) },
    counts: [countRow(task)],
  };
}

function rowOf({ task }: Creation) {
  return { ...task, ...writtenRow(task) };
}

function entryOf({ task, caller }: Creation): NewEntry {
  return { task, action: 'create', payload: loggedValues(task), at: task.created_at, caller };
}

/** Returns the write of a new task. It inserts the same rows as the change that `planCreation` returns. */
export type InsertTask = (creation: Creation) => Write;

/**
 * Inserts tasks that are created in one iteration of the event loop with one statement (performance.md). On Citus, each
 * task has its own statement, because users have their rows on different nodes.
 */
export function createTaskInserter({ db, isDistributed }: Cluster): InsertTask {
  if (isDistributed) return (creation) => writeOf(planCreation(creation));
  const loader = new DataLoader<Creation, undefined>((creations) => insertEach(db, creations), {
    cache: false,
  });
  return (creation) => async (target, key) => {
    const keyed = { ...creation, key };
    await (target.isTransaction ? insertTasks(target, [keyed]) : loader.load(keyed));
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
    const alone = creations.map((creation) => insertTasks(db, [creation]));
    return (await Promise.allSettled(alone)).map((each) =>
      each.status === 'rejected' ? (each.reason as Error) : undefined,
    );
  }
}

async function insertTasks(db: Db, creations: readonly Creation[]): Promise<void> {
  const counts = sumCounts(creations.map(({ task }) => countRow(task)));
  const keys = creations.flatMap(({ key }) => key ?? []);
  // Sorted like the counters, so that two statements wait for each other's rows in the same order.
  keys.sort((one, other) => (one.user_id + one.key < other.user_id + other.key ? -1 : 1));
  const entries = creations.map((creation) => entryRow(entryOf(creation)));
  const values = [creations.map(rowOf), counts, entries, keys].map((rows) => JSON.stringify(rows));
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
