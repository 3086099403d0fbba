import { sql, type RawBuilder } from 'kysely';

/** What processes take turns at. */
type Purpose = 'idempotency key' | 'migrations' | 'runs of a caller';

/** The key of an advisory lock. What it is for comes first, so that names of one purpose are not those of another. */
export function lockKey(purpose: Purpose, ...names: readonly string[]): RawBuilder<unknown> {
  return sql`hashtextextended(${JSON.stringify([purpose, ...names])}, 0)`;
}
