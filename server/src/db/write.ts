import type { Insertable } from 'kysely';
import type { Db, IdempotencyKeyRow, Tables } from './tables.ts';

/** A statement of an atomic write. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * Throws what a failed `assert` (`assert.ts`) or a violated unique key of this statement means for the caller. Called
   * after the rollback.
   */
  readonly refuse?: () => Promise<never>;
}

/** What an operation writes, as data. It takes effect as a whole or not at all. */
export interface Write {
  /** The idempotency key with the reply. It is taken first, so that a repetition does nothing else. */
  readonly key?: IdempotencyKeyRow;
  /** Run in this order, before the rows are inserted. */
  readonly statements?: readonly Statement[];
  readonly rows?: NewRows;
}

/** The tables whose rows `insertStatements` inserts. Those of other tables are written by statements. */
export type InsertedTable = 'agents' | 'tasks' | 'task_tags' | 'comments' | 'audit_logs' | 'task_counts';

/** New rows by table. The rows of one table have the same columns. */
export type NewRows = { readonly [Name in InsertedTable]?: readonly Insertable<Tables[Name]>[] };

/** The columns of a row by their names. */
export type ResultRow = Record<string, unknown>;

/**
 * Runs statements in one transaction, and resolves to the rows of each. If the rest of the transaction depends on those
 * rows, `next` returns it. A failed statement rejects as its refusal.
 */
export type Transact = <Row extends object = ResultRow>(
  statements: readonly Statement[],
  next?: (rows: Row[][]) => readonly Statement[],
) => Promise<Row[][]>;

/** Where an operation reads and writes: the database, or a transaction on it. */
export interface WriteTarget {
  readonly db: Db;
  readonly transact: Transact;
}

/** Makes a write take effect. */
export type Commit = (write: Write) => Promise<void>;
