import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

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
