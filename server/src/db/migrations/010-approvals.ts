import { sql, type Kysely } from 'kysely';

/** Prepares runs that wait for the user to approve tool calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agents add column approvals text[] not null default '{}'`.execute(db);
  await sql`
    alter table runs
    add column required_action json,
    add column decisions json,
    add column elapsed_ms integer not null default 0,
    add column paused_attempt integer not null default 0`.execute(db);
  await sql`drop index runs_unfinished`.execute(db);
  await sql`
    create index runs_unfinished on runs (user_id)
    where status in ('queued', 'running', 'requires_action')`.execute(db);
}
