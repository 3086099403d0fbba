import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agents (
      id uuid not null,
      user_id text not null,
      name text not null,
      runtime text not null,
      skills text[] not null,
      instructions text,
      created_at timestamptz(3) not null,
      primary key (user_id, id)
    )`.execute(db);
  await sql`create index agents_by_user on agents (user_id, created_at desc, id desc)`.execute(db);
  await createSessions(db);
  await createRuns(db);
  await createMessages(db);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  // Callers choose the id, so it is unique only per caller.
  await sql`
    create table sessions (
      id text not null,
      user_id text not null,
      agent_id uuid not null,
      message_count integer not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (user_id, id),
      foreign key (user_id, agent_id) references agents
    )`.execute(db);
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs (
      id uuid not null,
      user_id text not null,
      session_id text not null,
      agent_id uuid not null,
      seq bigint generated always as identity,
      status text not null,
      context json not null,
      runtime text not null,
      model text,
      output text,
      error json,
      input_tokens integer,
      output_tokens integer,
      attempt integer not null default 0,
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      completed_at timestamptz(3),
      primary key (user_id, id),
      foreign key (user_id, session_id) references sessions
    )`.execute(db);
  await sql`create index runs_by_session on runs (user_id, session_id, seq)`.execute(db);
  await sql`create index runs_unfinished on runs (user_id) where status in ('queued', 'running')`.execute(db);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table messages (
      id uuid not null,
      user_id text not null,
      session_id text not null,
      seq integer not null,
      run_id uuid not null,
      role text not null,
      content text not null,
      tool_calls json,
      tool_call_id text,
      is_error boolean not null,
      attachments json,
      actor_type text not null,
      actor_id text not null,
      created_at timestamptz(3) not null,
      primary key (user_id, session_id, seq),
      foreign key (user_id, run_id) references runs
    )`.execute(db);
  // The result of a tool call is written in the transaction of its effect, so a call cannot take effect twice.
  await sql`
    create unique index messages_answer_once on messages (user_id, session_id, tool_call_id)
    where tool_call_id is not null`.execute(db);
}
