import { sql, type Kysely } from 'kysely';

/**
 * The number of tasks per user, workspace and status, so that a list does not count them. Triggers maintain the counts
 * in the transaction of each change, so that a snapshot sees both or neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The id of a task selects its bucket, so that a user's concurrent writers rarely wait for the same row. Workspace ''
  // stands for none. The fill factor leaves half of each page free for HOT updates.
  await sql`
    create table task_counts (
      user_id text not null,
      workspace_id text not null,
      status text not null,
      bucket smallint not null,
      count bigint not null,
      primary key (user_id, workspace_id, status, bucket)
    ) with (fillfactor = 50)`.execute(db);

  // The triggers come first: creating them locks out writers until the migration ends, so no task is missed.
  await createTrigger(db, 'insert', sql`referencing new table as added`, added);
  await createTrigger(db, 'delete', sql`referencing old table as removed`, removed);
  await createTrigger(
    db,
    'update',
    sql`referencing old table as removed new table as added`,
    sql`${added} union all ${removed}`,
  );
  await createTruncateTrigger(db);
  await countChanges(sql`select user_id, workspace_id, status, id, 1 as change from tasks`).execute(db);
}

const bucket = sql`get_byte(uuid_send(id), 13) % 4`;

type Fragment = ReturnType<typeof sql>;

const added = sql`select user_id, workspace_id, status, id, 1 as change from added`;
const removed = sql`select user_id, workspace_id, status, id, -1 as change from removed`;

/** A trigger per statement, because a trigger per row would create a version of a counter for each row. */
async function createTrigger(
  db: Kysely<unknown>,
  event: 'insert' | 'update' | 'delete',
  referencing: Fragment,
  changes: Fragment,
): Promise<void> {
  const name = sql.ref(`count_task_${event}`);
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      ${countChanges(changes)};
      ${event === 'insert' ? sql`` : sql`if found then ${deleteZeros}; end if;`}
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ${name} after ${sql.raw(event)} on tasks ${referencing}
    for each statement execute function ${name}()`.execute(db);
}

/** Rows are locked in the order of the key, so that two statements never deadlock. */
function countChanges(changes: Fragment): Fragment {
  return sql`
    insert into task_counts as counter (user_id, workspace_id, status, bucket, count)
    select user_id, coalesce(workspace_id, ''), status, ${bucket}, sum(change)
    from (${changes}) changes
    group by 1, 2, 3, 4
    having sum(change) <> 0
    order by 1, 2, 3, 4
    on conflict (user_id, workspace_id, status, bucket)
    do update set count = counter.count + excluded.count`;
}

/** Deletes counters that are zero, because each row of a user makes every count slower. */
const deleteZeros = sql`
  delete from task_counts counter using removed
  where counter.user_id = removed.user_id and counter.workspace_id = coalesce(removed.workspace_id, '')
    and counter.status = removed.status and counter.bucket = ${bucket} and counter.count = 0`;

async function createTruncateTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_task_truncate() returns trigger language plpgsql as $$
    begin
      truncate task_counts;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger count_task_truncate after truncate on tasks
    for each statement execute function count_task_truncate()`.execute(db);
}
