import { sql, type RawBuilder } from 'kysely';

/** The work that a lock serializes. */
type Purpose = 'idempotency key' | 'migrations' | 'runs of a caller';

/** The name of an advisory lock. It includes the purpose, so that equal names of two purposes are different locks. */
export function lockName(purpose: Purpose, ...names: readonly string[]): string {
  return JSON.stringify([purpose, ...names]);
}

/** The key of an advisory lock: the hash of its name. */
export function lockKey(purpose: Purpose, ...names: readonly string[]): RawBuilder<unknown> {
  return sql`hashtextextended(${lockName(purpose, ...names)}, 0)`;
}
