import { sql, type RawBuilder } from 'kysely';
import type { Position } from '../cursor.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Db } from './tables.ts';

/** A page ends with the entry that fills it to this many bytes, to bound the memory of a response. */
const pageBytesMax = 8 * 2 ** 20;

/** JSON writes a control character, which is one byte of text, as six bytes. */
const escapedBytes = 6;

interface PageQuery {
  /** A query for the entries of the page, with the columns of the order. */
  readonly entries: RawBuilder<unknown>;
  /** The columns of the result, in addition to `found`: the number of entries before the limit. */
  readonly columns: readonly string[];
  /** The columns whose values can be long. */
  readonly texts: readonly string[];
  readonly order: RawBuilder<unknown>;
  /** A query for the number of all entries of the list, which becomes the column `count`. */
  readonly total?: RawBuilder<unknown>;
  /** The limit in bytes of long text, instead of `pageBytesMax`. */
  readonly bytesMax?: number;
}

/** A query for the entries of a page that fit into its bytes, and at least one. */
export function limitPageBytes({
  entries,
  columns,
  texts,
  order,
  total,
  bytesMax = pageBytesMax,
}: PageQuery): RawBuilder<unknown> {
  // Postgres knows the length of a text without detoasting it, so the entries that are left out are not read.
  const bytes = sql.join(
    texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}::text), 0)`),
    sql` + `,
  );
  const selected = sql.join(columns.map((name) => sql.ref(name)));
  const page = sql`(
    select *, (count(*) over ())::int as found,
      coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
        as bytes_before
    from (${entries}) entries
  ) page`;
  // If there are no entries, the join has one row with the count.
  return total === undefined
    ? sql`select ${selected}, found from ${page} where bytes_before < ${bytesMax} order by ${order}`
    : sql`
      select ${selected}, found, count
      from (select (${total}) as count) total left join ${page} on bytes_before < ${bytesMax}
      order by ${order}`;
}

/** A list that is ordered only by columns that are never null. */
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
  return limitPageBytes({ ...list, entries, order });
}

/** Runs a query of `limitPageBytes` that asks for one entry more than the page has. */
export async function readPage<Row extends object>(
  db: Db,
  query: RawBuilder<unknown>,
  { limit }: Pick<PageRequest, 'limit'>,
  positionOf: (row: Row) => Position,
): Promise<Page<Row> & { readonly count: number }> {
  const { rows } = await (query as RawBuilder<Row & { found: number | null; count?: number }>).execute(db);
  const count = rows[0]?.count ?? 0;
  const onPage = withinJsonBytes(rows.filter(({ found }) => found !== null).slice(0, limit));
  const last = onPage.at(-1);
  const hasNext = last !== undefined && (last.found ?? 0) > onPage.length;
  return {
    // The query selects the columns of the row.
    entries: onPage.map(({ found, count: _, ...entry }) => entry as unknown as Row),
    next: hasNext ? positionOf(last) : undefined,
    count,
  };
}

/**
 * The first rows, until they reach `pageBytesMax` bytes as JSON. The query has limited only the
 * bytes of their long texts.
 */
function withinJsonBytes<Row extends object>(rows: Row[]): Row[] {
  let textLength = 0;
  for (const row of rows)
    for (const value of Object.values(row) as unknown[])
      if (typeof value === 'string') textLength += value.length;
  if (textLength * escapedBytes < pageBytesMax) return rows;
  let bytes = 0;
  const end = rows.findIndex((row) => {
    if (bytes >= pageBytesMax) return true;
    bytes += Buffer.byteLength(JSON.stringify(row));
    return false;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
