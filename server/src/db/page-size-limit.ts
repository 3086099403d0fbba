import { sql, type RawBuilder } from 'kysely';
import type { Position } from '../cursor.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Db } from './tables.ts';

/** A page ends with the entry that fills it to this many bytes of long text, to bound the memory of a response. */
export const pageBytesMax = 8 * 2 ** 20;

interface PageQuery {
  /** A query for the entries of the page, with the columns of the order. */
  readonly entries: RawBuilder<unknown>;
  /** The columns of the result. `found` is the number of entries before the limit. */
  readonly columns: readonly string[];
  /** The columns whose values can be long. */
  readonly texts: readonly string[];
  readonly order: RawBuilder<unknown>;
  /** The limit in bytes of long text, instead of `pageBytesMax`. */
  readonly bytesMax?: number;
}

/** A query for the entries of a page that fit into its bytes, and at least one. */
export function limitPageBytes({
  entries,
  columns,
  texts,
  order,
  bytesMax = pageBytesMax,
}: PageQuery): RawBuilder<unknown> {
  // Postgres knows the length of a text without detoasting it, so the entries that are left out are not read.
  const bytes = sql.join(
    texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}::text), 0)`),
    sql` + `,
  );
  return sql`
    select ${sql.join(columns.map((name) => sql.ref(name)))}
    from (
      select *, (count(*) over ())::int as found,
        coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
          as bytes_before
      from (${entries}) entries
    ) page
    where bytes_before < ${bytesMax}
    order by ${order}`;
}

/** A list whose order is that of columns that are never null. */
interface ListQuery extends Omit<PageQuery, 'order'> {
  readonly keys: readonly string[];
  readonly descending?: boolean;
}

/** A page of a list: one entry more than the limit shows whether a next page exists. */
export function listPage(list: ListQuery, { limit, offset, after }: PageRequest): RawBuilder<unknown> {
  const { keys, descending = false } = list;
  const names = keys.map((name) => sql.ref(name));
  const order = sql.join(names.map((name) => (descending ? sql`${name} desc` : name)));
  const follows = sql.raw(descending ? '<' : '>');
  const where = after === undefined ? sql`` : sql`where (${sql.join(names)}) ${follows} (${sql.join(after)})`;
  const entries = sql`
    select * from (${list.entries}) entries ${where} order by ${order} limit ${limit + 1} offset ${offset}`;
  return limitPageBytes({ ...list, entries, order, columns: [...list.columns, 'found'] });
}

/** Runs the query of a `listPage`. */
export async function readPage<Row extends { readonly found: number }>(
  db: Db,
  query: RawBuilder<Row>,
  { limit }: PageRequest,
  positionOf: (row: Row) => Position,
): Promise<Page<Omit<Row, 'found'>>> {
  const { rows } = await query.execute(db);
  const onPage = rows.slice(0, limit);
  const last = onPage.at(-1);
  const hasNext = last !== undefined && last.found > onPage.length;
  return {
    entries: onPage.map(({ found, ...entry }) => entry),
    next: hasNext ? positionOf(last) : undefined,
  };
}
