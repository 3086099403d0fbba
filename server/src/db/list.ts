import { sql, type RawBuilder } from 'kysely';
import type { Position, PositionTypes } from '../lib/cursor.ts';
import { pageLinks, pageOf, type ListRequest, type PageRequest } from '../lib/paging.ts';
import { pageQuery, withinJsonBytes, type PageQuery } from './page-size-limit.ts';
import type { Db } from './tables.ts';

/** A list of rows in a total order, which is read in pages. */
export interface List<Row> {
  /** The types of the values in a row's position. */
  readonly types: PositionTypes;
  readonly positionOf: (row: Row) => Position;
  readonly queryOf: (page: PageRequest) => PageQuery;
}

interface KeyedQuery<Row> extends Omit<PageQuery, 'order'> {
  /** The columns that order the list, with their types. No column may be nullable. */
  readonly keys: { readonly [Name in keyof Row & string]?: PositionTypes[number] };
  readonly descending?: boolean;
}

/** A list of a query's entries, ordered by the columns in `keys`. */
export function listByKeys<Row>({ keys, descending = false, ...query }: KeyedQuery<Row>): List<Row> {
  // `Object.keys` returns strings, but the type of `keys` allows only columns of the row.
  const names = Object.keys(keys) as (keyof Row & string)[];
  const columns = names.map((name) => sql.ref(name));
  const order = sql.join(columns.map((column) => (descending ? sql`${column} desc` : column)));
  const follows = sql.raw(descending ? '<' : '>');
  return {
    types: Object.values(keys),
    positionOf: (row) => names.map((name) => String(row[name])),
    queryOf: ({ limit, offset, after }) => {
      const where =
        after === undefined ? sql`` : sql`where (${sql.join(columns)}) ${follows} (${sql.join(after)})`;
      const entries = sql`
        select * from (${query.entries}) entries ${where} order by ${order} limit ${limit} offset ${offset}`;
      return { ...query, entries, order };
    },
  };
}

interface Page<Row> {
  readonly entries: Row[];
  /** The total number of entries; 0 if the query has no `total`. */
  readonly count: number;
}

/** Reads the page that a caller has requested, with the header that links to the next and the previous page. */
export async function readList<Row extends object>(
  db: Db,
  list: List<Row>,
  request: ListRequest,
): Promise<Page<Row> & { readonly headers: { readonly Link: string | undefined } }> {
  const page = pageOf(request, list.types);
  const { next, ...entries } = await readPage(db, list, page);
  return { ...entries, headers: { Link: pageLinks(request, page, next) } };
}

/** Columns that a page query adds to each row: the number of entries before the limit of bytes, and the total. */
interface PageColumns {
  found?: number | null | undefined;
  count?: number | undefined;
}

/** Reads a page, and the position of its last entry if the list has an entry after it. */
export async function readPage<Row extends object>(
  db: Db,
  { queryOf, positionOf }: List<Row>,
  page: PageRequest,
): Promise<Page<Row> & { readonly next: Position | undefined }> {
  // One more entry than the limit shows that there is a next page.
  const query = queryOf({ ...page, limit: page.limit + 1 });
  // The result can have this type, because the query selects the columns of the row.
  const read = async (isWhole: boolean): Promise<(Row & PageColumns)[]> =>
    (await (pageQuery(query, isWhole) as RawBuilder<Row & PageColumns>).execute(db)).rows;
  const whole = await read(true);
  const rows = whole.length > 0 ? whole : await read(false);
  const found = rows[0]?.found ?? 0;
  const count = rows[0]?.count ?? 0;
  const onPage = withinJsonBytes(found === 0 ? [] : rows.slice(0, page.limit));
  const last = onPage.at(-1);
  // Removes the added columns from responses, because JSON omits undefined properties.
  for (const row of onPage) row.found = row.count = undefined;
  return {
    entries: onPage,
    next: last !== undefined && found > onPage.length ? positionOf(last) : undefined,
    count,
  };
}
