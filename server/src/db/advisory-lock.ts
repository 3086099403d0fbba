import { createHash } from 'node:crypto';

/** The work that a lock serializes. */
type Purpose = 'idempotency key' | 'migrations' | 'quota' | 'recount' | 'runs of a caller';

/**
 * The key of an advisory lock, a bigint: the first 64 bits of the SHA-256 of its name, which includes the purpose.
 * Postgres' own `hashtextextended` would not do: callers choose some of the names, and can compute two names with one
 * hash.
 */
export function lockKey(purpose: Purpose, ...names: readonly string[]): string {
  const name = JSON.stringify([purpose, ...names]);
  return String(createHash('sha256').update(name).digest().readBigInt64BE());
}
