import { sql, type Kysely } from 'kysely';

/**
 * How many tasks each user has in each workspace and status, so that a list need not count them. Triggers keep it,
 * whoever writes: each count is right at the moment at which the change itself can be seen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A task is counted in a bucket that follows from its id, so that a user's concurrent writers seldom wait for one
  // row. Workspace '' stands for none. Half of each page stays free for the next version of its rows (HOT updates).
  await sql`
    create table task_counts (
      user_id text not null,
      workspace_id text not null,
      status text not null,
      bucket smallint not null,
      count bigint not null,
      primary key (user_id, workspace_id, status, bucket)
    ) with (fillfactor = 50)`.execute(db);

  // The triggers come first: creating them keeps writers out until the migration ends, so none is missed.
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

/** Once a statement, not once a row: thousands of rows at once would make as many versions of one counter. */
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
      ${event === 'insert' ? sql`` : sql`if found then ${forgetEmpty}; end if;`}
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ${name} after ${sql.raw(event)} on tasks ${referencing}
    for each statement execute function ${name}()`.execute(db);
}

/** Rows are locked in the order of the key, so that two statements never wait for each other. */
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

/** A counter that has come down to zero goes, or each status that a user ever had would make all counts slower. */
const forgetEmpty = sql`
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
