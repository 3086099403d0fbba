import { sql, type Kysely } from 'kysely';

/** Every key and reference begins with the user, because Citus distributes the tables by user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tasks (
      user_id text not null,
      id uuid not null,
      workspace_id text,
      title text not null,
      description text,
      status text not null,
      priority text not null,
      priority_rank integer not null default 4,
      assignee_id text,
      assignee_type text,
      assignee_name text,
      due_date text,
      due_at timestamptz(3),
      tags text,
      tag_keys bigint[] not null default '{}',
      metadata text,
      completed_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      etag text not null,
      primary key (user_id, id)
    )`.execute(db);
  // Serves lists of a workspace, with or without a status.
  await sql`
    create index tasks_by_workspace on tasks (user_id, workspace_id, created_at desc, id desc)
    include (status)`.execute(db);
  // An unknown id is 404, but a task of another user is 403, so this index finds tasks of all users.
  await sql`create index tasks_by_id on tasks (id)`.execute(db);
  // An index for each order of the list of tasks except the order by title. The indexes include columns of filters, so
  // that Postgres finds and counts the tasks of most lists without reading other tasks. An index entry can have 2,704
  // bytes: room for two texts of 255 characters, such as the user and the workspace, and for the status.
  await sql`
    create index tasks_by_creation on tasks (user_id, created_at desc, id desc)
    include (status, assignee_id, due_at, completed_at, updated_at)`.execute(db);
  await sql`
    create index tasks_by_priority on tasks (user_id, priority, created_at desc, id desc)
    include (status, due_at, completed_at)`.execute(db);
  for (const column of ['updated_at', 'due_at', 'completed_at', 'priority_rank'])
    await sql`
      create index ${sql.raw(`tasks_by_${column}`)} on tasks (user_id, ${sql.raw(column)}, id)
      include (workspace_id, status)`.execute(db);

  // Counts tasks by user, workspace and status, so that lists need not count them. A bucket, chosen by the task's id,
  // makes it rare that concurrent writers of a user wait for the same row. Workspace '' stands for none. The fill
  // factor leaves half of each page free for HOT updates.
  await sql`
    create table task_counts (
      user_id text not null,
      workspace_id text not null,
      status text not null,
      bucket smallint not null,
      count bigint not null,
      primary key (user_id, workspace_id, status, bucket)
    ) with (fillfactor = 50)`.execute(db);

  // The tags of tasks, in the order of a list by tag. The list reads only its page, and is counted without reading tasks.
  // A tag may be longer than an index entry, so `tag_key` is the first 64 bits of its SHA-256.
  await sql`
    create table task_tags (
      user_id text not null,
      tag_key bigint not null,
      created_at timestamptz(3) not null,
      task_id uuid not null,
      primary key (user_id, tag_key, created_at, task_id)
    )`.execute(db);

  await sql`
    create table comments (
      user_id text not null,
      task_id uuid not null,
      id uuid not null,
      body text not null,
      author_id text not null,
      author_name text not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3),
      primary key (user_id, task_id, created_at, id),
      foreign key (user_id, task_id) references tasks on delete cascade
    )`.execute(db);

  // No foreign key to tasks, because the log of a deleted task stays. `recorded_us` orders the entries of all tasks. It
  // comes from the database's clock, because each server has its own clock.
  await sql`
    create table audit_logs (
      user_id text not null,
      task_id uuid not null,
      seq bigint generated always as identity,
      id uuid not null,
      action text not null,
      actor_type text not null,
      actor_id text not null,
      payload text not null,
      workspace_id text,
      left_workspace_id text,
      etag text,
      created_at timestamptz(3) not null,
      recorded_us bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      primary key (user_id, task_id, seq)
    )`.execute(db);
  await sql`create index audit_logs_by_time on audit_logs (user_id, recorded_us, seq)`.execute(db);
  // Finds deleted tasks whose logs have expired.
  await sql`
    create index audit_logs_of_deletions on audit_logs (user_id, recorded_us)
    where action = 'delete' and payload <> '{}'`.execute(db);

  await sql`
    create table idempotency_keys (
      user_id text not null,
      key text not null,
      request_hash text not null,
      reply text not null,
      created_at timestamptz(3) not null,
      primary key (user_id, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db);
}
