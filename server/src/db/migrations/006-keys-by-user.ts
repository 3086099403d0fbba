import { sql, type Kysely } from 'kysely';

/**
 * Prepares the tables for a database that is distributed by user: every key begins with the user, and the statements
 * that change tasks count them instead of triggers, which could not use transition tables there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update', 'delete', 'truncate'])
    await sql`drop function ${sql.ref(`count_task_${event}`)}() cascade`.execute(db);

  await sql`alter table comments drop constraint comments_task_id_fkey, drop constraint comments_pkey`.execute(
    db,
  );
  await sql`alter table tasks drop constraint tasks_pkey, add primary key (user_id, id)`.execute(db);
  await sql`
    alter table comments
    add primary key (user_id, task_id, created_at, id),
    add foreign key (user_id, task_id) references tasks on delete cascade`.execute(db);
  // Finds the tasks of other users too: such a task is 403, and one that does not exist is 404.
  await sql`create index tasks_by_id on tasks (id)`.execute(db);
}
