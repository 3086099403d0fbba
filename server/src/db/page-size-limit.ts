import { sql, type RawBuilder } from 'kysely';
import type { Position } from '../cursor.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Db } from './tables.ts';

/** To bound the memory of a response, a page ends with the entry that reaches this size. */
const pageBytesMax = 8 * 2 ** 20;

/** JSON writes a control character, one byte of text, as six bytes. */
const escapedBytes = 6;

interface PageQuery {
  /** A query for the entries, with the columns of the order. */
  readonly entries: RawBuilder<unknown>;
  /** The columns of the result. The column `found`, the number of entries before the limit, is added. */
  readonly columns: readonly string[];
  /** The columns whose values can be long. */
  readonly texts: readonly string[];
  readonly order: RawBuilder<unknown>;
  /** A query for the total number of entries, which becomes the column `count`. */
  readonly total?: RawBuilder<unknown>;
  /** The limit of bytes of long text, instead of `pageBytesMax`. */
  readonly bytesMax?: number;
}

/** A query for the first entries of a page: as many as fit into its bytes, and at least one. */
export function limitPageBytes({
  entries,
  columns,
  texts,
  order,
  total,
  bytesMax = pageBytesMax,
}: PageQuery): RawBuilder<unknown> {
  // Postgres knows the length of a text without detoasting it, so entries that are left out are not read.
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
  // Without entries, the join still has one row with the count.
  return total === undefined
    ? sql`select ${selected}, found from ${page} where bytes_before < ${bytesMax} order by ${order}`
    : sql`
      select ${selected}, found, count
      from (select (${total}) as count) total left join ${page} on bytes_before < ${bytesMax}
      order by ${order}`;
}

/** A list whose order has no nullable columns. */
interface ListQuery extends Omit<PageQuery, 'order'> {
  readonly keys: readonly string[];
  readonly descending?: boolean;
}

/** A query for a page of a list. It selects one entry more than the limit, which shows that there is a next page. */
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

/** Runs a query of `limitPageBytes` that selects one entry more than the page has. */
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

/** The first rows, up to `pageBytesMax` bytes of JSON. The query has limited only the bytes of long texts. */
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
