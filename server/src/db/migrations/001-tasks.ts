import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tasks (
      id uuid primary key,
      user_id text not null,
      workspace_id text,
      title text not null,
      description text,
      status text not null,
      priority text not null,
      assignee_id text,
      assignee_type text,
      assignee_name text,
      due_date text,
      tags text,
      metadata text,
      due_at timestamptz(3),
      tag_list text[] not null,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`.execute(db);

  // Every list uses one of these indexes: all tasks of a user, or one workspace with or without a status.
  await sql`create index tasks_by_user on tasks (user_id, created_at desc, id desc)`.execute(db);
  await sql`
    create index tasks_by_workspace on tasks (user_id, workspace_id, created_at desc, id desc)
    include (status)`.execute(db);

  await sql`
    create table comments (
      id uuid not null,
      task_id uuid not null references tasks on delete cascade,
      user_id text not null,
      body text not null,
      author_id text not null,
      author_name text not null,
      created_at timestamptz(3) not null,
      primary key (task_id, created_at, id)
    )`.execute(db);

  // No foreign key to tasks, because the log of a deleted task stays.
  await sql`
    create table audit_logs (
      id uuid not null,
      task_id uuid not null,
      user_id text not null,
      seq bigint generated always as identity,
      action text not null,
      actor_type text not null,
      actor_id text not null,
      payload text not null,
      created_at timestamptz(3) not null,
      primary key (user_id, task_id, seq)
    )`.execute(db);
}
