import { assertNotNegative } from './resolve-options.ts';
import type { Operation, RequestParts, ResponseBody } from './request.ts';
import type { OperationId } from './resources.ts';
import { assertArray, resultOf, type Result } from './response.ts';
import type { Transport } from './transport.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of items before this page, counted from the `offset` or `cursor` of the query. */
  readonly offset: number;
  /** Total number of items on all pages; undefined if the server does not count them. */
  readonly count: number | undefined;
  /** True if another page follows. */
  readonly hasMore: boolean;
  /** The `cursor` for the next page. Undefined on the last page, and in a list with pages by `offset`. */
  readonly nextCursor: string | undefined;
}

/**
 * A list whose pages are fetched during iteration. An item that keeps its position in the list is visited exactly once,
 * even if other items are deleted or change in the meantime. The pages do not share a snapshot: an item that is created
 * before the current position, or moves there, is not visited.
 */
export interface Paginator<Item> extends AsyncIterable<Item> {
  /** Fetches only the first page, in one request. */
  page(): Result<Page<Item>>;
  /** Iterates over the pages instead of the items. */
  pages(): AsyncIterable<Page<Item>>;
  /** Collects all items into an array, or the first `limit` items. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<Item[]>;
}

interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

interface PageBody<Item> {
  readonly items: Item[];
  readonly count?: number | undefined;
}

// The largest page of the server, and its default for lists that it does not count.
const pageSizeMax = 1000;

/** A list. The filters of the query are sent together with the page to read. */
export function paginate<Id extends OperationId, Item>(
  { send }: Transport,
  operation: Operation<Id>,
  parts: RequestParts<Id>,
  select: (body: ResponseBody<Id>) => PageBody<Item>,
): Paginator<Item> {
  // The query of every list has these parameters.
  const { limit, offset, cursor, ...filters } = (parts.query ?? {}) as PageQuery;
  const first = { limit, offset, cursor };
  const fetchPage = (page: PageQuery, firstOffset = 0): Result<Page<Item>> => {
    const sending = send(operation, { ...parts, query: { ...filters, ...page } }).withResponse();
    const sent = sending.then(({ data: body, response }) => {
      return { response, idempotencyKey: undefined, data: { body, link: response.headers.get('Link') } };
    });
    return resultOf(sent, ({ body, link }) => {
      const { items: all, count } = select(body);
      const found = { offset: firstOffset, items: assertArray(all), count };
      return { ...found, ...whatFollows(page, found, link) };
    });
  };

  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let next: PageQuery | undefined = first;
    for (let position = offset ?? 0; next !== undefined;) {
      const page: Page<Item> = await fetchPage(next, position);
      yield page;
      position += page.items.length;
      const { hasMore, nextCursor } = page;
      const following = nextCursor === undefined ? { offset: position } : { cursor: nextCursor };
      next = hasMore ? { limit, ...following } : undefined;
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    page: () => fetchPage(first, offset),
    pages,
    toArray: ({ limit: itemsMax = Infinity } = {}) => collect(items(), itemsMax),
    [Symbol.asyncIterator]: items,
  };
}

interface FetchedPage extends PageBody<unknown> {
  readonly offset: number;
}

/** Returns true if the list continues after the page, with the cursor of the next page if the server sent one. */
function whatFollows(
  query: PageQuery,
  page: FetchedPage,
  link: string | null,
): Pick<Page<unknown>, 'hasMore' | 'nextCursor'> {
  const [, target = ''] = /<([^<>]*)>\s*;\s*rel="?next\b/.exec(link ?? '') ?? [];
  const cursor = new URLSearchParams(target.replace(/^[^?]*/, '')).get('cursor') ?? undefined;
  if (page.items.length === 0) return { hasMore: false, nextCursor: undefined };
  if (cursor !== undefined) return { hasMore: true, nextCursor: cursor };
  // The server leaves out Link headers that would be too long, on all pages of a list or on none.
  const isEnd = query.cursor !== undefined || isLast(page, { limit: query.limit, hasNext: target !== '' });
  return { hasMore: !isEnd, nextCursor: undefined };
}

/**
 * A page may have fewer items than `limit` and still not be the last one: the server returns fewer if they are large.
 */
function isLast(
  { items, offset, count }: FetchedPage,
  { limit = pageSizeMax, hasNext }: { limit: number | undefined; hasNext: boolean },
): boolean {
  if (count !== undefined) return offset + items.length >= count;
  return items.length < Math.min(limit, pageSizeMax) && !hasNext;
}

async function collect<Item>(items: AsyncIterable<Item>, itemsMax: number): Promise<Item[]> {
  assertNotNegative({ limit: itemsMax });
  const collected: Item[] = [];
  if (itemsMax === 0) return collected;
  for await (const item of items) {
    if (collected.push(item) >= itemsMax) break;
  }
  return collected;
}
