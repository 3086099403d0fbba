import { CompiledQuery } from 'kysely';
import type { Pipeline } from './postgres/pipeline.ts';
import type { Db } from './tables.ts';

/** Where reads run. */
export interface ReadTarget {
  readonly db: Db;
  /** Of a Postgres server; the embedded database has none. */
  readonly pipeline?: Pipeline | undefined;
}

/** Runs a query that is quick and waits for no lock: through the pipeline, except in a transaction. */
export async function readRows<Row extends object>(
  { db, pipeline }: ReadTarget,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  // A transaction sees its own changes only on its own connection.
  if (pipeline !== undefined && !db.isTransaction) return pipeline.query<Row>(text, values);
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}
