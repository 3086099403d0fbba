import type { Request, OperationId } from '../../server/src/contract/operation.ts';
import type { Answer, Client, Input } from './client.ts';

/** The operations whose pages have cursors. */
type ListOperation = {
  [Id in OperationId]: 'cursor' extends keyof Request<Id>['query'] ? Id : never;
}[OperationId];

/** Yields the pages of a list by following `rel="next"`, and calls `between` after each page. */
export async function allPages<Id extends ListOperation>(
  client: Client,
  operation: Id,
  input: Input,
  between: (body: Awaited<ReturnType<typeof client.ok<Id>>>['body']) => Promise<unknown> = () =>
    Promise.resolve(),
): Promise<Awaited<ReturnType<typeof client.ok<Id>>>['body'][]> {
  const pages = [];
  let query = input.query;
  while (query !== undefined) {
    const page = await client.ok(operation, { ...input, query });
    pages.push(page.body);
    await between(page.body);
    query = nextQuery(page);
  }
  return pages;
}

/** The query of the link `rel="next"`. */
export function nextQuery({ headers }: Answer<unknown>): string | undefined {
  return /<[^?>]*\?([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
}
