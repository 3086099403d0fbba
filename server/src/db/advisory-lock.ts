import { sql, type RawBuilder } from 'kysely';

/** The work that a lock serializes. */
type Purpose = 'idempotency key' | 'migrations' | 'runs of a caller';

/** The key of an advisory lock. It includes the purpose, so that equal names of two purposes have different keys. */
export function lockKey(purpose: Purpose, ...names: readonly string[]): RawBuilder<unknown> {
  return sql`hashtextextended(${JSON.stringify([purpose, ...names])}, 0)`;
}
