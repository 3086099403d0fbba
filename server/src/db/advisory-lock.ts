import { createHash } from 'node:crypto';

/** What a lock serializes. */
type Purpose = 'idempotency key' | 'migrations' | 'quota' | 'recount' | 'runs of a caller';

/**
 * The key of an advisory lock, a bigint: the first 64 bits of the SHA-256 of its purpose and names. Postgres' own
 * `hashtextextended` is not safe here: callers choose some of the names, and could find two names with the same hash.
 */
export function lockKey(purpose: Purpose, ...names: readonly string[]): string {
  const name = JSON.stringify([purpose, ...names]);
  return String(createHash('sha256').update(name).digest().readBigInt64BE());
}
