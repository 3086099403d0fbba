import { listIn, resultOf, type KeyedAnswer, type Result } from './result.ts';
import { checkNumbers } from './settings.ts';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many entries come before this page. */
  readonly offset: number;
  /** All entries, whatever the page; undefined for lists that do not tell. */
  readonly count: number | undefined;
}

/**
 * A list that is read page by page while it is iterated. It is no snapshot: entries that are created or deleted in
 * the meantime move those that are still to come.
 */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** The first page alone, by one request. */
  page(): Result<Page<Item>>;
  /** The same entries, page by page. */
  pages(): AsyncIterable<Page<Item>>;
  /** The entries in an array, at most `limit` of them. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<Item[]>;
}

export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/** What the body of a page says. */
interface PageBody<Item> {
  readonly items: Item[];
  readonly count?: number;
}

// What a page holds at most, and by default where the list does not count its entries.
const pageSizeMax = 1000;

export function listing<Body, Item>(
  { limit, offset = 0 }: PageQuery,
  fetchPage: (page: PageQuery) => Promise<KeyedAnswer<Body>>,
  read: (body: Body) => PageBody<Item>,
): Listing<Item> {
  const pageAt = (at: number): Result<Page<Item>> =>
    resultOf(fetchPage({ ...(limit === undefined ? {} : { limit }), offset: at }), (body) => ({
      offset: at,
      ...pageFrom(read(body)),
    }));

  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let at = offset; ;) {
      const { data: page, response } = await pageAt(at).withResponse();
      yield page;
      at += page.items.length;
      if (isLast(page, { limit, link: response.headers.get('Link') })) return;
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    page: () => pageAt(offset),
    pages,
    toArray: ({ limit: itemsMax = Infinity } = {}) => take(items(), itemsMax),
    [Symbol.asyncIterator]: items,
  };
}

function pageFrom<Item>({ items, count }: PageBody<Item>): Omit<Page<Item>, 'offset'> {
  return { items: listIn(items), count };
}

/** A page that is not full can still have a next one: the server ends it early where its entries are large. */
function isLast(
  { items, offset, count }: Page<unknown>,
  { limit = pageSizeMax, link }: { limit: number | undefined; link: string | null },
): boolean {
  if (items.length === 0) return true;
  if (count !== undefined) return offset + items.length >= count;
  return items.length < Math.min(limit, pageSizeMax) && !/;\s*rel="?next\b/.test(link ?? '');
}

async function take<Item>(items: AsyncIterable<Item>, itemsMax: number): Promise<Item[]> {
  checkNumbers({ limit: itemsMax });
  const taken: Item[] = [];
  if (itemsMax === 0) return taken;
  for await (const item of items) {
    if (taken.push(item) >= itemsMax) break;
  }
  return taken;
}
