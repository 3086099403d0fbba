import { sql, type RawBuilder } from 'kysely';
import { insertKey } from './idempotency-keys.ts';
import type { Write } from './write.ts';

/** Statements by the names of their CTEs. An undefined statement is left out. */
export type Parts = Readonly<Record<string, RawBuilder<unknown> | undefined>>;

/**
 * A write that runs its parts as the CTEs of one statement. The first part must lock or change the row that the write
 * is about, and return it.
 *
 * Postgres runs the first part first, because the statement selects from it, and then the others from the last to the
 * second: first, b, c, key run as first, key, c, b. Counters belong in second place, so that they are locked last:
 * other writers wait for their locks.
 */
export function oneStatement(parts: Parts): Write {
  return async (db, key) => {
    const named = Object.entries(key === undefined ? parts : { ...parts, key: insertKey(key) });
    const ctes = named.flatMap(([name, part]) =>
      part === undefined ? [] : [sql`${sql.ref(name)} as (${part})`],
    );
    await sql`with ${sql.join(ctes)} select 1 from ${sql.ref(named[0]?.[0] ?? '')}`.execute(db);
  };
}
