import { sql, type Kysely } from 'kysely';

// Servers without this migration begin no such call, and one that resumes a begun call answers that its tool is missing.
export const oldest = '010-approvals';

/** Prepares tool calls whose effect is outside the database, and which must not be made twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column begun_call_id text`.execute(db);
}
