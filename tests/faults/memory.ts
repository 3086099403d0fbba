import { unknownId } from '../support/requests.ts';
import { tokenFor } from '../support/tokens.ts';
import { requestText } from './connection.ts';
import { overBudget, type Result, type ScenarioRun } from './scenario.ts';
import { closedLoop } from './load.ts';
import { memoryUsageOf, probeArgs, type MemoryUsage } from './memory-usage.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** Allowed growth after the warm-up. A leak of 1 kB per request would grow to 100 MB. */
const maxHeapGrowthMb = 20;
const maxResidentGrowthMb = 60;

/** Sends many requests, and measures the growth of memory. */
export async function testMemory(run: ScenarioRun): Promise<Result[]> {
  const { isShort, databases, reportProgress } = run;
  await using database = await databases.create('postgres');
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, ...probeArgs);
  const token = await tokenFor('memory');
  const mix = requestsOf(token);
  const chart = chartRequest(token);
  const requests = await measureGrowth(
    server,
    (index) => mix[index % mix.length] ?? chart,
    isShort ? 5000 : 100_000,
  );
  reportProgress('requests sent');
  const renders = await measureGrowth(server, () => chart, isShort ? 300 : 10_000);
  return [resultOf('requests', requests), resultOf('PNG renders', renders)];
}

async function measureGrowth(server: ServerProcess, next: (index: number) => string, count: number) {
  const load = { url: server.url, connections: 16, next };
  await closedLoop(load, { count: warmUpCount(count) });
  const before = await memoryUsageOf(server);
  const responses = await closedLoop(load, { count });
  return { count, before, after: await memoryUsageOf(server), responses };
}

function resultOf(
  load: string,
  { count, before, after, responses }: Awaited<ReturnType<typeof measureGrowth>>,
): Result {
  const failed = responses.filter(({ status }) => status === 0 || status >= 500).length;
  const growth = (key: keyof MemoryUsage): number => after[key] - before[key];
  const grown = (key: keyof MemoryUsage): string => `${key} ${before[key]} to ${after[key]} MB`;
  return {
    promise: `memory is flat over ${load}`,
    engine: 'postgres',
    workload: `${count} after a warm-up of ${warmUpCount(count)}`,
    measured: [grown('heap'), grown('resident'), grown('renderProcesses')].join(', '),
    violations: failed === 0 ? [] : [`${failed} requests failed`],
    overBudget: [
      ...overBudget('the heap grew by', growth('heap'), maxHeapGrowthMb, 'MB'),
      ...overBudget('the resident memory grew by', growth('resident'), maxResidentGrowthMb, 'MB'),
      ...overBudget('the render processes grew by', growth('renderProcesses'), maxResidentGrowthMb, 'MB'),
    ],
  };
}

/** Reads and writes, most of them valid. They create at most 100 tasks, because there are 100 idempotency keys. */
function requestsOf(token: string): string[] {
  const keyed = (index: number): string =>
    requestText('POST', '/api/tasks', token, { title: `Task ${index}`, tags: 'a,b' }).replace(
      '\r\n\r\n',
      `\r\nIdempotency-Key: ${index}\r\n\r\n`,
    );
  return Array.from({ length: 100 }, (_, index) => [
    requestText('GET', '/api/tasks?limit=10', token),
    keyed(index),
    requestText('GET', `/api/tasks/${unknownId}`, token),
    requestText('POST', '/api/tasks', token, { title: 7 }),
    requestText('GET', '/v1/agents', token),
    requestText('GET', '/nowhere', 'no token'),
  ]).flat();
}

export function chartRequest(token: string): string {
  const data = Array.from({ length: 12 }, (_, index) => ({ label: `Month ${index}`, value: index * 7 }));
  return requestText('POST', '/api/v1/viz/render/png', token, { chart_type: 'bar', title: 'Months', data });
}

/** A long warm-up, because V8's heap grows over the first thousands of requests even without a leak. */
function warmUpCount(count: number): number {
  return Math.max(count / 10, Math.min(count, 3000));
}
