import DataLoader from 'dataloader';
import { CompiledQuery, sql } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import { isRefusal } from '../db/errors.ts';
import { insertRows } from '../db/insert.ts';
import type { Db, NewIdempotencyKey } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newETag, newId } from '../lib/ids.ts';
import type { Principal } from '../contract/operation.ts';
import { entryColumns, entryRow, insertEntry, recordedUs, type NewEntry } from './audit-entry.ts';
import { addToCounters, countRow, inLockOrder, sumCounts } from './count.ts';
import { insertTags } from './tag-index.ts';
import type { Task, TaskFields } from './columns.ts';
import { writeOf, type TaskChange } from './task-change.ts';
import { loggedValues, withComputed, writtenRow } from './task.ts';

/** A new task, as it is stored and returned. */
export function newTask(caller: Principal, fields: TaskFields): Task {
  const at = timestamp();
  const values = {
    id: newId(),
    user_id: caller.id,
    ...fields,
    created_at: at,
    updated_at: at,
    etag: newETag(),
  };
  // The reply uses these values without reading them back, because the database stores text unchanged.
  return withComputed(values, undefined, at);
}

interface Creation {
  readonly task: Task;
  readonly caller: Principal;
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

/** The write that inserts a new task as `planCreation` does. */
export type InsertTask = (creation: Creation) => Write;

interface KeyedCreation extends Creation {
  readonly key: NewIdempotencyKey | undefined;
}

/**
 * Inserts the tasks that are created in one turn of the event loop with one statement (performance.md). Not on Citus,
 * where users have their rows on different nodes.
 */
export function createTaskInserter({ db, isDistributed }: Cluster): InsertTask {
  if (isDistributed) return (creation) => writeOf(planCreation(creation));
  const loader = new DataLoader<KeyedCreation, undefined>((creations) => insertEach(db, creations), {
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
async function insertEach(db: Db, creations: readonly KeyedCreation[]): Promise<(Error | undefined)[]> {
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

async function insertTasks(db: Db, creations: readonly KeyedCreation[]): Promise<void> {
  // Sorted, so that two statements wait for each other's rows in the same order.
  const counts = inLockOrder(sumCounts(creations.map(({ task }) => countRow(task))));
  const keys = creations.flatMap(({ key }) => key ?? []);
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
