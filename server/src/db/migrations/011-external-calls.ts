import { sql, type Kysely } from 'kysely';

// Servers without this migration never begin such a call. One that resumes it tells the model that the tool is missing.
export const oldest = '010-approvals';

/** Prepares tool calls whose effect is outside the database, and which must not be made twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column begun_call_id text`.execute(db);
}
