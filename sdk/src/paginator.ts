import { assertNotNegative } from './resolve-options.ts';
import { assertArray, resultOf, type ResponseWithKey, type Result } from './result.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of items before this page. */
  readonly offset: number;
  /** Total number of items on all pages; undefined if the server does not count the items of this list. */
  readonly count: number | undefined;
}

/**
 * A list whose pages are fetched during iteration. The pages do not share a snapshot: items that are created or deleted
 * in the meantime shift the items of later pages.
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
  readonly limit?: number;
  readonly offset?: number;
}

interface PageBody<Item> {
  readonly items: Item[];
  readonly count?: number;
}

// The largest page of the server, and its default for lists whose items it does not count.
const pageSizeMax = 1000;

export function paginate<Body, Item>(
  { limit, offset: firstOffset = 0 }: PageQuery,
  sendQuery: (query: PageQuery) => Promise<ResponseWithKey<Body>>,
  select: (body: Body) => PageBody<Item>,
): Paginator<Item> {
  const fetchPage = (offset: number): Result<Page<Item>> =>
    resultOf(sendQuery({ ...(limit === undefined ? {} : { limit }), offset }), (body) => ({
      offset,
      ...pageFrom(select(body)),
    }));

  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let offset = firstOffset; ;) {
      const { data: page, response } = await fetchPage(offset).withResponse();
      yield page;
      offset += page.items.length;
      if (isLast(page, { limit, link: response.headers.get('Link') })) return;
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    page: () => fetchPage(firstOffset),
    pages,
    toArray: ({ limit: itemsMax = Infinity } = {}) => collect(items(), itemsMax),
    [Symbol.asyncIterator]: items,
  };
}

function pageFrom<Item>({ items, count }: PageBody<Item>): Omit<Page<Item>, 'offset'> {
  return { items: assertArray(items), count };
}

/** A page shorter than `limit` is not always the last one: the server returns fewer items if they are large. */
function isLast(
  { items, offset, count }: Page<unknown>,
  { limit = pageSizeMax, link }: { limit: number | undefined; link: string | null },
): boolean {
  if (items.length === 0) return true;
  if (count !== undefined) return offset + items.length >= count;
  return items.length < Math.min(limit, pageSizeMax) && !/;\s*rel="?next\b/.test(link ?? '');
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
