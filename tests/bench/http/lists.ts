import { Client } from '../../support/client.ts';
import { nextQuery } from '../../support/pages.ts';
import { integer, table } from '../markdown.ts';
import { databaseUrl } from './database.ts';
import { loadRounds, medianRound } from './load-rounds.ts';
import { get, user, type User } from './requests.ts';
import { startOurs, type RunningServer } from './servers.ts';

/** Users of seed.sql and their numbers of tasks. */
const sizes = {
  'growth-100': 100,
  'growth-1000': 1000,
  'growth-10000': 10_000,
  large: 100_000,
} as const;

const queries: Readonly<Record<string, (size: number) => string>> = {
  'newest first': () => 'offset=0',
  'with `workspace_id` and `status`': () => 'workspace_id=workspace-1&status=todo',
  'with `tag`': () => 'tag=review',
  'with `priority`': () => 'priority=1',
  'with `due_before`': () => `due_before=${new Date().toISOString()}`,
  'last page by offset': (size) => `offset=${size - 100}`,
};

const nobody: User = { id: '', token: '' };
const sorts = ['-created_at', '-updated_at', '-due_date', 'priority', '-title'];
const deepPage = 1000;
const roundOptions = { rounds: 3, roundMs: 600, warmUpRequests: 200, connections: 8 };

/**
 * Measures lists of 100 tasks as one user's number of tasks grows, and pages of a user with 100,000 tasks in each
 * order.
 */
export async function measureLists(): Promise<string> {
  await using server = await startOurs({ DATABASE_URL: databaseUrl });
  const users = await Promise.all(Object.keys(sizes).map(user));
  const growth = [];
  for (const [name, queryOf] of Object.entries(queries)) {
    const requests = Object.values(sizes).map((size, i) => get(users[i] ?? nobody, pathOf(queryOf(size))));
    growth.push([name, ...(await rates(server, requests))]);
  }
  const reader = users.at(-1) ?? nobody;
  const pages = [];
  for (const sort of sorts) {
    const offset = (deepPage - 1) * 100;
    const next = await nextPage(server, reader, `limit=100&sort=${sort}&offset=${offset - 100}`);
    const paths = [pathOf(`sort=${sort}`), next, pathOf(`sort=${sort}&offset=${offset}`)];
    const cells = await rates(
      server,
      paths.map((path) => get(reader, path)),
    );
    pages.push([`\`${sort}\``, ...cells]);
  }
  const deep = `page ${integer(deepPage)}`;
  return [
    table(
      [`tasks of the user, ${roundOptions.connections} connections`, ...Object.values(sizes).map(integer)],
      growth,
    ),
    table(['100,000 tasks, `sort`', 'page 1', `${deep} by cursor`, `${deep} by offset`], pages),
  ].join('\n');
}

async function rates(server: RunningServer, requests: readonly string[]): Promise<string[]> {
  const entries = requests.map((request) => ({ server, requests: [request] }));
  const results = await loadRounds(entries, roundOptions);
  return results.map((rounds) => {
    const { perSecond, errors } = medianRound(rounds);
    return errors === 0 ? `${integer(perSecond)}/s` : `${errors} ERRORS`;
  });
}

function pathOf(query: string): string {
  return `/api/tasks?limit=100&${query}`;
}

/** The path of the page after this one. */
async function nextPage({ port }: RunningServer, { token }: User, query: string): Promise<string> {
  const client = new Client({ url: `http://127.0.0.1:${port}` }, token);
  const next = nextQuery(await client.ok('listTasks', { query }));
  if (next === undefined) throw new Error(`${query} has no next page.`);
  return `/api/tasks?${next}`;
}
