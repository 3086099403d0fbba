import { sql, type Kysely } from 'kysely';

/** As rate-limiter-flexible wants it, but unlogged: a crash may forget the last minute's counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
}
