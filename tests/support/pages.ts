import type { Answer, Client, Input } from './client.ts';

type ListOperation =
  'listTasks' | 'listComments' | 'listAuditLogs' | 'listAgents' | 'listSessions' | 'listMessages';

/** The pages of a list, from following `rel="next"`. `between` is called after each page. */
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

/** The query of `rel="next"`. */
export function nextQuery({ headers }: Answer<unknown>): string | undefined {
  return /<[^?>]*\?([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
}
