import { sql, type Kysely } from 'kysely';

/** Adds the turns of sessions, and a column for the request id of each run, which the log reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column request_id text`.execute(db);
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
  await sql`
    insert into session_turns (user_id, session_id, latest_run_id)
    select distinct on (user_id, session_id) user_id, session_id, id from runs
    where status in ('queued', 'running', 'requires_action')
    order by user_id, session_id, seq desc`.execute(db);
}
