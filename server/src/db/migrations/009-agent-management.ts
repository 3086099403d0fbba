import { sql, type Kysely } from 'kysely';

/** Prepares agents that are archived, sessions that are listed by activity, and sessions that are deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agents add column archived_at timestamptz(3)`.execute(db);
  await sql`create index sessions_by_activity on sessions (user_id, updated_at desc, id desc)`.execute(db);
  await deleteWithSession(db, 'runs', 'runs_user_id_session_id_fkey');
  // A message belongs to its session, whose key the key of a message begins with: no other index is needed.
  await deleteWithSession(db, 'messages', 'messages_user_id_run_id_fkey');
}

/** Replaces the reference of a table, so that its rows are deleted with their session. */
async function deleteWithSession(
  db: Kysely<unknown>,
  table: 'runs' | 'messages',
  reference: string,
): Promise<void> {
  await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(reference)}`.execute(db);
  await sql`
    alter table ${sql.ref(table)} add constraint ${sql.ref(`${table}_of_session`)}
    foreign key (user_id, session_id) references sessions on delete cascade`.execute(db);
}
