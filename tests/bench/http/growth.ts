import { ours } from './contenders.ts';
import { cleanUp, databaseUrl, rowsWanted, smallDatabaseUrl, smallRows } from './database.ts';
import { startLoadGenerator } from './load.ts';
import { integer, latencies, table } from './markdown.ts';
import { get, listPath, post, user, type User } from './requests.ts';
import type { RunningServer } from './servers.ts';
import { medianRound, runRounds, type RoundResult } from './rounds.ts';

/** Users of seed.sql and their numbers of tasks. */
const sizes: Readonly<Record<string, number>> = {
  'growth-100': 100,
  'growth-1000': 1000,
  'growth-10000': 10_000,
  large: 100_000,
};

type RequestOf = (user: User, size: number) => string;

const variants: Readonly<Record<string, RequestOf>> = {
  'list of 100': (user) => get(user, listPath),
  'with workspace_id': (user) => get(user, `${listPath}&workspace_id=workspace-1`),
  'with status': (user) => get(user, `${listPath}&status=todo`),
  'with workspace_id and status': (user) => get(user, `${listPath}&workspace_id=workspace-1&status=todo`),
  'with tag': (user) => get(user, `${listPath}&tag=review`),
  'last page': (user, size) => get(user, `/api/tasks?limit=100&offset=${size - 100}`),
  POST: (user) => post(user, 1),
};

const roundOptions = { rounds: 3, roundMs: 600, warmUpMs: 200, rampUpMs: 100, connections: 8 };

/** The cost of lists and writes as the tasks of one user grow, and as the table grows while the user stays the same. */
export async function measureGrowth(): Promise<string> {
  const large = await ours.start({ DATABASE_URL: databaseUrl });
  const small = await ours.start({ DATABASE_URL: smallDatabaseUrl });
  try {
    return [await growthOfUser(large), await growthOfTable(small, large)].join('\n');
  } finally {
    await large.stop();
    await small.stop();
    await cleanUp(databaseUrl);
    await cleanUp(smallDatabaseUrl);
  }
}

async function growthOfUser(server: RunningServer): Promise<string> {
  const rows = [];
  for (const [name, requestOf] of Object.entries(variants)) {
    const requests = await Promise.all(
      Object.entries(sizes).map(async ([id, size]) => requestOf(await user(id), size)),
    );
    rows.push([name, ...(await cells(requests.map((request) => ({ server, requests: [request] }))))]);
  }
  return table(
    [`${roundOptions.connections} connections, one user of`, ...Object.values(sizes).map(integer)],
    rows,
  );
}

async function growthOfTable(small: RunningServer, large: RunningServer): Promise<string> {
  const rows = [];
  for (const [name, requestOf] of Object.entries(variants)) {
    const requests = [requestOf(await user('growth-1000'), 1000)];
    rows.push([name, ...(await cells([small, large].map((server) => ({ server, requests }))))]);
  }
  return table(['one user of 1,000, in a table of', integer(smallRows), integer(rowsWanted)], rows);
}

async function cells(entries: readonly { server: RunningServer; requests: string[] }[]): Promise<string[]> {
  const generator = await startLoadGenerator();
  try {
    return (await runRounds(entries, generator, roundOptions)).map((rounds) => cell(medianRound(rounds)));
  } finally {
    generator.stop();
  }
}

export function cell(result: RoundResult): string {
  return `${integer(result.perSecond)}/s, ${latencies(result)}`;
}
