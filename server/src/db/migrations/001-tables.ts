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

  // The tags of tasks in the order of lists. A list by tag reads only its page, and counts without reading tasks. A tag
  // may be longer than an index entry, so the key is the first 64 bits of its SHA-256.
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

  await sql`
    create table agents (
      user_id text not null,
      id uuid not null,
      name text not null,
      runtime text not null,
      skills text[] not null,
      approvals text[] not null default '{}',
      instructions text,
      model_options json not null default '{}',
      created_at timestamptz(3) not null,
      archived_at timestamptz(3),
      primary key (user_id, id)
    )`.execute(db);
  await sql`create index agents_by_user on agents (user_id, created_at desc, id desc)`.execute(db);

  // Callers choose session ids, so an id is unique only per caller.
  await sql`
    create table sessions (
      user_id text not null,
      id text not null,
      agent_id uuid not null,
      title text,
      metadata text,
      approved_tools jsonb not null default '{}',
      message_count integer not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (user_id, id),
      foreign key (user_id, agent_id) references agents
    )`.execute(db);
  await sql`create index sessions_by_activity on sessions (user_id, updated_at desc, id desc)`.execute(db);

  await sql`
    create table runs (
      user_id text not null,
      id uuid not null,
      session_id text not null,
      agent_id uuid not null,
      seq bigint generated always as identity,
      status text not null,
      context json not null,
      runtime text not null,
      model text,
      output text,
      error json,
      incomplete_details json,
      required_action json,
      asked_tools json,
      decisions json,
      begun_call_id text,
      preview_id uuid,
      preview text,
      waiting json,
      input_tokens integer,
      output_tokens integer,
      attempt integer not null default 0,
      waited_after_attempt integer not null default 0,
      elapsed_ms integer not null default 0,
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      completed_at timestamptz(3),
      primary key (user_id, id),
      constraint runs_of_session foreign key (user_id, session_id) references sessions on delete cascade
    )`.execute(db);
  await sql`create index runs_by_session on runs (user_id, session_id, seq)`.execute(db);
  await sql`
    create index runs_unfinished on runs (user_id)
    where status in ('queued', 'running', 'requires_action')`.execute(db);

  // The key of a message begins with its session, so that deleting the session finds its messages. There is no
  // reference to the run, because it would need another index.
  await sql`
    create table messages (
      user_id text not null,
      session_id text not null,
      seq integer not null,
      id uuid not null,
      run_id uuid not null,
      role text not null,
      content text not null,
      partial boolean not null default false,
      tool_calls json,
      tool_call_id text,
      is_error boolean not null,
      attachments json,
      provider_data json,
      incomplete_reason text,
      actor_type text not null,
      actor_id text not null,
      created_at timestamptz(3) not null,
      primary key (user_id, session_id, seq),
      constraint messages_of_session foreign key (user_id, session_id) references sessions on delete cascade
    )`.execute(db);
  // The result of a tool call is written in the transaction of its effect, so this index prevents a second effect.
  await sql`
    create unique index messages_answer_once on messages (user_id, session_id, tool_call_id)
    where tool_call_id is not null`.execute(db);

  // Runtimes that an operator has paused, so that servers begin none of their runs; `*` stands for all.
  await sql`create table paused_runtimes (runtime text primary key)`.execute(db);

  // Unlogged: a crash loses at most the counts of the current windows.
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
}
