import { sql, type RawBuilder } from 'kysely';
import { insertKey } from './idempotency-keys.ts';
import type { Write } from './write.ts';

/** Statements by the names of their CTEs. An undefined statement is left out. */
export type NamedStatements = Readonly<Record<string, RawBuilder<unknown> | undefined>>;

export interface Statements {
  /** Locks or changes the row that the write is about, and returns it. */
  readonly first: RawBuilder<unknown>;
  /** Run after `first`. They must not depend on their order. */
  readonly others?: NamedStatements;
  /** Changes counters. It runs last, because other writers wait for the locks of counters. */
  readonly counters?: RawBuilder<unknown> | undefined;
}

/** A write that runs its statements as the CTEs of one statement. */
export function oneStatement({ first, others, counters }: Statements): Write {
  return async (db, key) => {
    // Postgres runs `first` first, because the statement selects from it, and then the others from the last to the
    // second. Therefore `counters` is the second.
    const statements = { first, counters, ...others, key: key && insertKey(key) };
    const ctes = Object.entries(statements).flatMap(([name, statement]) =>
      statement === undefined ? [] : [sql`${sql.ref(name)} as (${statement})`],
    );
    await sql`with ${sql.join(ctes)} select 1 from first`.execute(db);
  };
}
