const pageSizeMax = 1000;
const headerLengthMax = 8000;

/** The part of a list that a client asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list that is not counted. */
export interface Page<Entry> {
  readonly entries: Entry[];
  /** Whether the list has an entry after this page. */
  readonly hasNext: boolean;
}

/** The page that is read for a request: at most 1000 entries. */
export function pageOf({ limit, offset }: PageRequest): PageRequest {
  return { limit: Math.min(limit, pageSizeMax), offset };
}

interface Links extends PageRequest {
  readonly path: string;
  /** The query of the request, repeated in the links. */
  readonly query: object;
  /** The number of entries on this page. */
  readonly length: number;
  /** Whether the list has an entry after this page. */
  readonly hasNext: boolean;
}

/** The Link header (RFC 8288) to the next and the previous page; undefined if neither exists. */
export function pageLinks({ path, query, limit, offset, length, hasNext }: Links): string | undefined {
  if (limit === 0) return undefined;
  const link = (page: PageRequest, relation: string): string =>
    `<${path}?${search({ ...query, ...page })}>; rel="${relation}"`;
  const links = [
    ...(hasNext ? [link({ limit, offset: offset + length }, 'next')] : []),
    ...(offset > 0 ? [link(pageBefore({ limit, offset }), 'prev')] : []),
  ];
  const header = links.join(', ');
  // Clients reject headers that are too long; without the header they compute the offset of the next page.
  return header === '' || header.length > headerLengthMax ? undefined : header;
}

/** The page before this one, which is shorter near the start of the list so that the pages do not overlap. */
function pageBefore({ limit, offset }: PageRequest): PageRequest {
  return offset < limit ? { limit: offset, offset: 0 } : { limit, offset: offset - limit };
}

function search(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}
