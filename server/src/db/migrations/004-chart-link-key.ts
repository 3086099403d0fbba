import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

// Older servers still work: they sign no addresses of charts.
export const oldest = '003-session-turns';

/** The random key that signs the addresses of charts, the same for all servers of a database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table chart_link_key (secret text not null)`.execute(db);
  await sql`insert into chart_link_key values (${randomBytes(32).toString('base64url')})`.execute(db);
}
