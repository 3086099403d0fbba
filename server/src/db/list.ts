import { stringify } from 'node:querystring';
import { sql, type RawBuilder } from 'kysely';
import { validationError } from '../contract/problem.ts';
import {
  decodeCursor,
  encodeCursor,
  type CursorScope,
  type Position,
  type PositionTypes,
} from '../lib/cursor.ts';
import { pageQuery, withinJsonBytes, type PageQuery } from './page-size-limit.ts';
import type { Db } from './tables.ts';

/** The part of a list to read. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  /** The page begins with the first entry after this position. */
  readonly after?: Position | undefined;
}

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

/** A request for a page of a list. */
interface ListRequest {
  readonly path: string;
  readonly userId: string;
  readonly query: { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
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

/** Columns that a page query adds to each row: the number of entries without the limit of bytes, and the total. */
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
  // The cast is safe, because the query selects the columns of `Row`.
  const read = async (isWhole: boolean): Promise<(Row & PageColumns)[]> =>
    (await (pageQuery(query, isWhole) as RawBuilder<Row & PageColumns>).execute(db)).rows;
  const whole = await read(true);
  const rows = whole.length > 0 ? whole : await read(false);
  const found = rows[0]?.found ?? 0;
  const count = rows[0]?.count ?? 0;
  const onPage = withinJsonBytes(found === 0 ? [] : rows.slice(0, page.limit));
  const last = onPage.at(-1);
  // JSON omits undefined properties, so responses do not have the added columns.
  for (const row of onPage) row.found = row.count = undefined;
  return {
    entries: onPage,
    next: last !== undefined && found > onPage.length ? positionOf(last) : undefined,
    count,
  };
}

const pageSizeMax = 1000;
const headerLengthMax = 8000;
// The longest cursor has a title of 500 characters, each of which takes up to 6 bytes as JSON.
const cursorLengthMax = 4200;

/** The page of a request: at most 1000 entries. Throws if the cursor belongs to another list. */
function pageOf(list: ListRequest, types: PositionTypes): PageRequest {
  const { limit, offset, cursor = '' } = list.query;
  const page = { limit: Math.min(limit, pageSizeMax), offset };
  if (cursor === '') return page;
  if (offset > 0)
    throw validationError([{ pointer: '/query/offset', code: 'conflicting', detail: withCursor }]);
  const after = decodeCursor(cursor, scopeOf(list), types);
  if (after === undefined)
    throw validationError([{ pointer: '/query/cursor', code: 'malformed', detail: ofOtherList }]);
  return { ...page, after };
}

const withCursor = 'must not be given together with cursor, which already says where the page begins';
const ofOtherList =
  'must be a cursor that this list has returned, with the same filters and order; start again without cursor';

/** The Link header (RFC 8288): the next and the previous page, or only one if both are too long; undefined for neither. */
function pageLinks(list: ListRequest, page: PageRequest, next: Position | undefined): string | undefined {
  const { limit, offset } = page;
  if (limit === 0) return undefined;
  const scope = scopeOf(list);
  const link = (part: object, relation: string): string =>
    `<${list.path}?${stringify({ ...scope.filters, ...part })}>; rel="${relation}"`;
  const cursor = next === undefined ? '' : encodeCursor(next, scope);
  // Near the start of the list, the page before this one is shorter, so that pages do not overlap.
  const before = { limit: Math.min(limit, offset), offset: Math.max(0, offset - limit) };
  const links = [
    ...(cursor === '' ? [] : [link({ limit, cursor }, 'next')]),
    ...(offset > 0 ? [link(before, 'prev')] : []),
  ];
  // Clients reject long headers, and can compute offsets themselves. The length of the cursor does not count, so that
  // the link to the next page is on all pages of a list or on none.
  const lengthMax = headerLengthMax - cursorLengthMax + cursor.length;
  return [links.join(', '), ...links].find(({ length }) => length > 0 && length <= lengthMax);
}

function scopeOf({ path, userId, query: { limit, offset, cursor, ...filters } }: ListRequest): CursorScope {
  return { path, userId, filters };
}
