import { stringify } from 'node:querystring';
import { decodeCursor, encodeCursor, type CursorScope, type Position, type PositionTypes } from './cursor.ts';
import { validationError } from '../contract/problem.ts';

const pageSizeMax = 1000;
const headerLengthMax = 8000;
// The longest cursor has a title of 500 characters, each of which takes up to 6 bytes as JSON.
const cursorLengthMax = 4200;

/** The part of a list to read. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  /** The page begins with the first entry after this position. */
  readonly after?: Position | undefined;
}

/** A request for a page of a list. */
export interface ListRequest {
  readonly path: string;
  readonly userId: string;
  readonly query: { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
}

/** The page of a request: at most 1000 entries. Throws if the cursor belongs to another list. */
export function pageOf(list: ListRequest, types: PositionTypes): PageRequest {
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

/** The Link header (RFC 8288) for the next and the previous page; undefined if there is neither. */
export function pageLinks(
  list: ListRequest,
  page: PageRequest,
  next: Position | undefined,
): string | undefined {
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
  const header = links.join(', ');
  // Clients reject long headers, and can compute the next offset themselves. The length of the cursor does not count,
  // so that the link is on all pages of a list or on none.
  const isTooLong = header.length - cursor.length > headerLengthMax - cursorLengthMax;
  return header === '' || isTooLong ? undefined : header;
}

function scopeOf({ path, userId, query: { limit, offset, cursor, ...filters } }: ListRequest): CursorScope {
  return { path, userId, filters };
}
