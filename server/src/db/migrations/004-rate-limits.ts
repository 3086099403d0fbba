import { sql, type Kysely } from 'kysely';

/** The table of rate-limiter-flexible, but unlogged, because a crash may lose the counts of the last minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
}
