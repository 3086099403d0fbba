import { ours } from './contenders.ts';
import { databaseUrl } from './database.ts';
import { cell } from './growth.ts';
import { startLoadGenerator } from './load.ts';
import { integer, table } from './markdown.ts';
import { get, user, type User } from './requests.ts';
import { medianRound, runRounds } from './rounds.ts';
import type { RunningServer } from './servers.ts';

const sorts = ['-created_at', '-updated_at', '-due_date', '-title'];
const pageSize = 100;
const deepPage = 1000;
const roundOptions = { rounds: 3, roundMs: 600, warmUpMs: 200, rampUpMs: 100, connections: 8 };

/** The first page and a deep one of a user with 100,000 tasks, for each order: by cursor and by offset. */
export async function measurePages(): Promise<string> {
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  const generator = await startLoadGenerator();
  const reader = await user('large');
  try {
    const rows = [];
    for (const sort of sorts) {
      const path = `/api/tasks?sort=${sort}&limit=${pageSize}`;
      const offset = (deepPage - 1) * pageSize;
      const before = `${path}&offset=${offset - pageSize}`;
      const paths = [path, await nextPage(server, reader, before), `${path}&offset=${offset}`];
      const entries = paths.map((each) => ({ server, requests: [get(reader, each)] }));
      const rounds = await runRounds(entries, generator, roundOptions);
      rows.push([sort, ...rounds.map((each) => cell(medianRound(each)))]);
    }
    const deep = `page ${integer(deepPage)}`;
    return table(
      [`${roundOptions.connections} connections, sort`, 'page 1', `${deep} by cursor`, `${deep} by offset`],
      rows,
    );
  } finally {
    generator.stop();
    await server.stop();
  }
}

/** The path of `rel="next"`. */
async function nextPage({ port }: RunningServer, { token }: User, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  if (next === undefined) throw new Error(`${path} has no next page.`);
  return next;
}
