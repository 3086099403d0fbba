import { assertNotNegative } from './resolve-options.ts';
import { assertArray, resultOf, type ResponseWithKey, type Result } from './result.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of items before this page, counted from the `offset` or `cursor` of the query. */
  readonly offset: number;
  /** Total number of items on all pages; undefined if the server does not count the items of this list. */
  readonly count: number | undefined;
}

/**
 * A list whose pages are fetched during iteration. An item that stays in the list at its place is visited exactly once,
 * even if other items are deleted, change or leave the list in the meantime. The pages do not share a snapshot: an item
 * that is created at, or moves to, a place before the current one is not visited.
 */
export interface Paginator<Item> extends AsyncIterable<Item> {
  /** Fetches only the first page, with one request. */
  page(): Result<Page<Item>>;
  /** Iterates over the pages instead of the items. */
  pages(): AsyncIterable<Page<Item>>;
  /** Collects all items into an array, or the first `limit` items. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<Item[]>;
}

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

interface SentQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly cursor?: string;
}

interface PageBody<Item> {
  readonly items: Item[];
  readonly count?: number;
}

// The largest page of the server, and its default for lists whose items it does not count.
const pageSizeMax = 1000;

export function paginate<Body, Item>(
  query: PageQuery,
  sendQuery: (page: SentQuery) => Promise<ResponseWithKey<Body>>,
  select: (body: Body) => PageBody<Item>,
): Paginator<Item> {
  const { offset: firstOffset = 0 } = query;
  const first = pageQuery(query);
  const fetchPage = (page: SentQuery, offset: number): Result<Page<Item>> =>
    resultOf(sendQuery(page), (body) => ({ offset, ...pageFrom(select(body)) }));

  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let next: SentQuery | undefined = first;
    for (let offset = firstOffset; next !== undefined;) {
      const current: SentQuery = next;
      const { data: page, response } = await fetchPage(current, offset).withResponse();
      yield page;
      offset += page.items.length;
      next = nextPage(current, page, response.headers.get('Link'));
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    page: () => fetchPage(first, firstOffset),
    pages,
    toArray: ({ limit: itemsMax = Infinity } = {}) => collect(items(), itemsMax),
    [Symbol.asyncIterator]: items,
  };
}

function pageFrom<Item>({ items, count }: PageBody<Item>): Omit<Page<Item>, 'offset'> {
  return { items: assertArray(items), count };
}

/** The query without what is undefined. */
function pageQuery({ limit, offset, cursor }: PageQuery): SentQuery {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The query of the page after this one; undefined after the last page. */
function nextPage(query: SentQuery, page: Page<unknown>, link: string | null): SentQuery | undefined {
  const { limit } = query;
  const [, target = ''] = /<([^>]*)>\s*;\s*rel="?next\b/.exec(link ?? '') ?? [];
  if (page.items.length === 0) return undefined;
  const cursor = new URLSearchParams(target.replace(/^[^?]*/, '')).get('cursor');
  if (cursor !== null) return pageQuery({ limit, cursor });
  // The server omits a Link header that would be too long, but then on all pages of the list.
  if (query.cursor !== undefined || isLast(page, { limit, hasNext: target !== '' })) return undefined;
  return pageQuery({ limit, offset: page.offset + page.items.length });
}

/** A page shorter than `limit` is not always the last one: the server returns fewer items if they are large. */
function isLast(
  { items, offset, count }: Page<unknown>,
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
