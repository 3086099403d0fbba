import { assertNotNegative } from './resolve-options.ts';
import type { Operation, RequestParts, ResponseBody } from './request.ts';
import type { OperationId } from './resources.ts';
import type { Result } from './response.ts';
import type { Transport } from './transport.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of items before this page, counted from the start of the list or from the `cursor` of the query. */
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

// The server's maximum page size, which is also its default for lists without a `count`.
const pageSizeMax = 1000;

/** Makes the paginator of a list. Each request sends the query's filters and the page to read. */
export function paginate<Id extends OperationId, Item>(
  send: Transport['send'],
  operation: Operation<Id>,
  parts: RequestParts<Id>,
  select: (body: ResponseBody<Id>) => Item[],
): Paginator<Item> {
  // The cast holds because the query of every list has these parameters.
  const { limit, offset, cursor, ...filters } = (parts.query ?? {}) as PageQuery;
  const first = { limit, offset, cursor };
  const fetchPage = (page: PageQuery, firstOffset = 0): Result<Page<Item>> =>
    send(operation, { ...parts, query: { ...filters, ...page } }, (body, headers) => {
      const items = select(body);
      const { count } = body as { readonly count?: number };
      if (!Array.isArray(items)) return undefined;
      const [, target = ''] = /<([^<>]*)>\s*;\s*rel="?next\b/.exec(headers.get('Link') ?? '') ?? [];
      const nextCursor = new URLSearchParams(target.replace(/^[^?]*/, '')).get('cursor') ?? undefined;
      // A page with fewer items than `limit` need not be the last one: the server returns fewer if they are large.
      const isFull = target !== '' || items.length >= Math.min(page.limit ?? pageSizeMax, pageSizeMax);
      const isPartial = count === undefined ? isFull : firstOffset + items.length < count;
      // A page by cursor without a Link is the last one: the server omits overlong Links on all pages or on none.
      const follows = nextCursor !== undefined || (page.cursor === undefined && isPartial);
      const hasMore = items.length > 0 && follows;
      return { offset: firstOffset, items, count, hasMore, nextCursor: hasMore ? nextCursor : undefined };
    });

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
    async toArray({ limit: itemsMax = Infinity } = {}) {
      assertNotNegative({ limit: itemsMax });
      const collected: Item[] = [];
      if (itemsMax === 0) return collected;
      for await (const item of items()) if (collected.push(item) >= itemsMax) break;
      return collected;
    },
    [Symbol.asyncIterator]: items,
  };
}
