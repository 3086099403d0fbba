import { sql, type Kysely } from 'kysely';

// Servers without this migration do not notice the indexes.
export const oldest = '001-tables';

/**
 * An index for each order of the list of tasks except by title. The indexes include columns of filters, so that
 * Postgres finds and counts the tasks of most lists without reading other tasks. Postgres allows an entry 2,704 bytes:
 * room for two texts of 255 characters, such as the user and the workspace, and for the status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index tasks_by_creation on tasks (user_id, created_at desc, id desc)
    include (status, assignee_id, due_at, completed_at, updated_at)`.execute(db);
  await sql`
    create index tasks_by_priority on tasks (user_id, priority, created_at desc, id desc)
    include (status, due_at, completed_at)`.execute(db);
  await sql`
    create index tasks_by_update on tasks (user_id, updated_at, id) include (workspace_id, status)`.execute(
    db,
  );
  await sql`
    create index tasks_by_due_date on tasks (user_id, due_at, id) include (workspace_id, status)`.execute(db);
  await sql`
    create index tasks_by_completion on tasks (user_id, completed_at, id) include (workspace_id, status)`.execute(
    db,
  );
  await sql`
    create index tasks_by_priority_rank on tasks (user_id, priority_rank, id)
    include (workspace_id, status)`.execute(db);
}
