import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** The key of a user's row. Callers choose session ids, so an id is unique only together with its user. */
export interface RowKey {
  readonly id: string;
  readonly userId: string;
}

/** The condition for the row with a key. It includes the user, so the rows of other users are not found. */
export function isRow({ id, userId }: RowKey): RawBuilder<boolean> {
  return sql<boolean>`user_id = ${userId} and id = ${id}`;
}

/** The columns of a SELECT, as raw text. Nodes of Kysely would double the time to compile the query of a short page. */
export function columnList(names: readonly string[]): RawBuilder<unknown> {
  return sql.raw(names.map((name) => `"${name}"`).join(', '));
}

type Values<Row> = { readonly [Column in keyof Row]: Row[Column] | RawBuilder<unknown> };

/**
 * An INSERT of rows that have the same columns in the same order. Always with VALUES, even where a SELECT would be
 * shorter: Citus sends VALUES to the node of the user, but the result of a SELECT to every node.
 */
export function insertRows<Name extends keyof Tables>(
  table: Name,
  rows: readonly Values<Insertable<Tables[Name]>>[],
): RawBuilder<unknown> {
  const [first = {}] = rows;
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
  return sql`
    insert into ${sql.raw(table)} (${sql.raw(Object.keys(first).join(', '))}) overriding system value
    values ${sql.join(values)}`;
}
