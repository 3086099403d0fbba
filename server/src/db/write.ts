import { sql, type RawBuilder } from 'kysely';
import type { Db, NewIdempotencyKey } from './tables.ts';

/**
 * Writes what an operation has planned, as a whole or not at all. The same transaction stores the idempotency key and
 * the reply, if there is a key.
 */
export type Write = (db: Db, key?: NewIdempotencyKey) => Promise<void>;

/** Runs statements in the transaction `db`, or in a new one if `db` is not a transaction. */
export function inTransaction(db: Db, work: (transaction: Db) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

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

/** Inserts a key. Violates the primary key if the key is taken. */
export function insertKey({ user_id, key, request_hash, reply }: NewIdempotencyKey): RawBuilder<unknown> {
  return sql`
    insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
    values (${user_id}, ${key}, ${request_hash}, ${reply}, now())`;
}
