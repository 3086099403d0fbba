import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** The tables of agents, and the tables that belong to no user. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      request_id text,
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

  // Workers update these rows often. The fill factor and the lack of further indexes make the updates HOT. There are no
  // foreign keys, because a Citus cluster has this table on the coordinator.
  await sql`
    create table session_turns (
      user_id text not null,
      session_id text not null,
      latest_run_id uuid not null,
      runtime text,
      run_after timestamptz not null default now(),
      locked_until timestamptz,
      worker uuid,
      attempts integer not null default 0,
      primary key (user_id, session_id)
    ) with (fillfactor = 50)`.execute(db);

  // Runtimes that an operator has paused, so that servers begin none of their runs; `*` stands for all.
  await sql`create table paused_runtimes (runtime text primary key)`.execute(db);

  // Unlogged: a crash loses at most the counts of the current windows.
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);

  // The random key that signs the addresses of charts, the same for all servers of a database.
  await sql`create table chart_link_key (secret text not null)`.execute(db);
  await sql`insert into chart_link_key values (${randomBytes(32).toString('base64url')})`.execute(db);
}
