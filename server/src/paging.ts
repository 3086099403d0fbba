const pageSizeMax = 1000;
const headerLengthMax = 8000;

interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** What is really read of a page that was asked for: never more than 1000 entries. */
export function pageOf({ limit, offset }: Paging): Paging {
  return { limit: Math.min(limit, pageSizeMax), offset };
}

interface Links extends Paging {
  readonly path: string;
  /** The query of the request, repeated in the links. */
  readonly query: object;
  /** How many entries are on this page. */
  readonly length: number;
  /** Whether there is an entry after this page. */
  readonly hasNext: boolean;
}

/** The Link header (RFC 8288) to the next and the previous page; undefined where there is neither. */
export function pageLinks({ path, query, limit, offset, length, hasNext }: Links): string | undefined {
  if (limit === 0) return undefined;
  const link = (page: Paging, relation: string): string =>
    `<${path}?${search({ ...query, ...page })}>; rel="${relation}"`;
  const links = [
    ...(hasNext ? [link({ limit, offset: offset + length }, 'next')] : []),
    ...(offset > 0 ? [link(before({ limit, offset }), 'prev')] : []),
  ];
  const header = links.join(', ');
  // Clients refuse headers that are too long; the next page is then for them to count.
  return header === '' || header.length > headerLengthMax ? undefined : header;
}

/** The page before this one; near the beginning a shorter one, so that the two do not overlap. */
function before({ limit, offset }: Paging): Paging {
  return offset < limit ? { limit: offset, offset: 0 } : { limit, offset: offset - limit };
}

function search(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}
