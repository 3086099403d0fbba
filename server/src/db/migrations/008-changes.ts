import { sql, type Kysely } from 'kysely';

/**
 * Gives audit entries what the list of changes needs: their workspaces, and an order that the clock of the database makes,
 * because servers have clocks of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_logs
    add column workspace_id text,
    add column left_workspace_id text,
    add column recorded_us bigint`.execute(db);
  await sql`
    update audit_logs entry set workspace_id = task.workspace_id
    from tasks task where task.user_id = entry.user_id and task.id = entry.task_id`.execute(db);
  // The entry of a deletion has the last state of its task.
  await sql`
    update audit_logs entry set workspace_id = deletion.payload::json ->> 'workspace_id'
    from audit_logs deletion
    where deletion.user_id = entry.user_id and deletion.task_id = entry.task_id and deletion.action = 'delete'`.execute(
    db,
  );
  await sql`
    update audit_logs
    set recorded_us = (extract(epoch from created_at at time zone 'UTC') * 1000000)::bigint`.execute(db);
  await sql`
    alter table audit_logs
    alter column recorded_us set default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    alter column recorded_us set not null`.execute(db);
  await sql`create index audit_logs_by_time on audit_logs (user_id, recorded_us, seq)`.execute(db);
}
