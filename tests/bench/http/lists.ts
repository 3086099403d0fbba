import { integer, table } from '../markdown.ts';
import { ours } from './contenders.ts';
import { databaseUrl } from './database.ts';
import { loadRounds, medianRound } from './load-rounds.ts';
import { get, user, type User } from './requests.ts';
import type { RunningServer } from './servers.ts';

/** Users of seed.sql and their numbers of tasks. */
const sizes = { 'growth-100': 100, 'growth-1000': 1000, 'growth-10000': 10_000, large: 100_000 } as const;

const queries: Readonly<Record<string, (size: number) => string>> = {
  'newest first': () => 'offset=0',
  'with `workspace_id` and `status`': () => 'workspace_id=workspace-1&status=todo',
  'with `tag`': () => 'tag=review',
  'last page by offset': (size) => `offset=${size - 100}`,
};

const sorts = ['-created_at', '-updated_at', '-due_date', '-title'];
const deepPage = 1000;
const roundOptions = { rounds: 3, roundMs: 600, warmUpMs: 200, connections: 8 };

/** Lists of 100 tasks as the tasks of one user grow, and pages of a user with 100,000 tasks in each order. */
export async function measureLists(): Promise<string> {
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  try {
    const users = await Promise.all(Object.keys(sizes).map(user));
    const growth = [];
    for (const [name, queryOf] of Object.entries(queries)) {
      const requests = Object.values(sizes).map((size, i) => getPage(users[i], queryOf(size)));
      growth.push([name, ...(await rates(server, requests))]);
    }
    const reader = users.at(-1);
    const pages = [];
    for (const sort of sorts) {
      const offset = (deepPage - 1) * 100;
      const next = await nextQuery(server, reader, `sort=${sort}&offset=${offset - 100}`);
      const requests = [`sort=${sort}`, next, `sort=${sort}&offset=${offset}`];
      const cells = await rates(
        server,
        requests.map((query) => getPage(reader, query)),
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
  } finally {
    await server.stop();
  }
}

async function rates(server: RunningServer, requests: readonly string[]): Promise<string[]> {
  const entries = requests.map((request) => ({ server, requests: [request] }));
  const results = await loadRounds(entries, roundOptions);
  return results.map((rounds) => {
    const { perSecond, errors } = medianRound(rounds);
    return errors === 0 ? `${integer(perSecond)}/s` : `${errors} ERRORS`;
  });
}

function getPage(reader: User | undefined, query: string): string {
  return get(reader ?? { id: '', token: '' }, `/api/tasks?limit=100&${query}`);
}

/** The query of `rel="next"`. */
async function nextQuery({ port }: RunningServer, reader: User | undefined, query: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/tasks?limit=100&${query}`, {
    headers: { Authorization: `Bearer ${reader?.token ?? ''}` },
  });
  const [, next] = /<[^>?]+\?([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  if (next === undefined) throw new Error(`${query} has no next page.`);
  return next;
}
