import { unknownId } from '../support/requests.ts';
import { tokenFor } from '../support/tokens.ts';
import { requestText, type RawAnswer } from './connection.ts';
import { above, type Finding, type Trial } from './finding.ts';
import { closedLoop } from './load.ts';
import { memoryOf, probed, type Memory } from './memory-use.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** What may be added after warm-up, in MB; a leak of a kilobyte a request would be a hundred. */
const heapMax = 20;
const residentMax = 60;

/** Asks for much, and looks whether memory grows with it. */
export async function tryMemory(trial: Trial): Promise<Finding[]> {
  const { isShort, databases, say } = trial;
  await using database = await databases.fresh('Postgres');
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, probed);
  const token = await tokenFor('memory');
  const mix = requestsOf(token);
  const chart = chartRequest(token);
  const requests = await grow(server, (index) => mix[index % mix.length] ?? chart, isShort ? 5000 : 100_000);
  say('requests are tried');
  const renders = await grow(server, () => chart, isShort ? 300 : 10_000);
  return [finding('requests', requests), finding('PNG renders', renders)];
}

interface Growth {
  readonly count: number;
  readonly before: Memory;
  readonly after: Memory;
  readonly answers: readonly RawAnswer[];
}

/** Memory is compared before and after, once the server is warm. */
async function grow(server: ServerProcess, next: (index: number) => string, count: number): Promise<Growth> {
  const load = { url: server.url, connections: 16, next };
  await closedLoop(load, { count: warmUp(count) });
  const before = await memoryOf(server);
  const answers = await closedLoop(load, { count });
  return { count, before, after: await memoryOf(server), answers };
}

function finding(what: string, { count, before, after, answers }: Growth): Finding {
  const wrong = answers.filter(({ status }) => status === 0 || status >= 500).length;
  const grown = (key: keyof Memory): string => `${key} ${before[key]} to ${after[key]} MB`;
  return {
    promise: `memory is flat over ${what}`,
    engine: 'Postgres',
    tried: `${count} after ${warmUp(count)} to warm up`,
    lost: `${wrong} failed`,
    recovery: [grown('heap'), grown('resident'), grown('painters')].join(', '),
    figure: `no growth: less than ${heapMax} MB after collection, ${residentMax} MB resident`,
    broken: wrong === 0 ? [] : [`${wrong} requests failed`],
    beyond: [
      ...above('the heap grew by', after.heap - before.heap, heapMax, 'MB'),
      ...above('the resident memory grew by', after.resident - before.resident, residentMax, 'MB'),
      ...above('the painters grew by', after.painters - before.painters, residentMax, 'MB'),
    ],
  };
}

/** Reads and writes, most of them good; the tasks stay few, as each is created under one of a hundred keys. */
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

/** V8 lets its heap grow over the first thousands of requests, whatever they leave behind. */
function warmUp(count: number): number {
  return Math.max(count / 10, Math.min(count, 3000));
}
