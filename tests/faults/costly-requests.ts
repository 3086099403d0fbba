import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Engine } from './databases.ts';
import { requestText } from './connection.ts';
import { memoryUsageOf, probeOptions } from './memory-usage.ts';
import { startOverload } from './overload-process.ts';
import { overBudget, quantile, type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import type { Client } from '../support/client.ts';
import { listen } from '../support/listen.ts';
import { tokenFor } from '../support/tokens.ts';

const maxRatio = 3;
const maxResidentMb = 600;
// The time of a read in an idle server is too short to be measured on a busy machine.
const shortestIdleMs = 5;

/** A request that costs the server much more than its caller. */
interface Kind {
  readonly name: string;
  readonly request: (token: string) => string;
  readonly callers: readonly string[];
  /**
   * Requests per second, beside which reads must stay quick. Without it, each connection sends its next request when the
   * previous one is answered; then the server must live, and only its memory counts.
   */
  readonly rate?: number;
  readonly connections?: number;
}

const kilobytes = (count: number, text: string): string => text.repeat((count * 1024) / text.length);

const post = (path: string, body: Buffer | string, headers?: readonly string[]) => (token: string) =>
  requestText('POST', path, token, Buffer.from(body), headers);

const packed = (path: string, json: string): Kind['request'] =>
  post(path, gzipSync(json), ['Content-Encoding: gzip']);

const kinds: readonly Kind[] = [
  {
    name: 'a gzip of a hundred texts with NUL under a key of 1,000 KiB',
    request: packed(
      '/api/tasks',
      JSON.stringify({ x: { [kilobytes(1000, 'k')]: Array.from({ length: 100 }, () => '\0') } }),
    ),
    callers: ['mallory'],
  },
  {
    name: 'a gzip of a mebibyte of empty objects',
    request: packed('/api/tasks', `{"title":"x","x":[${kilobytes(1020, '{},')}{}]}`),
    callers: ['mallory', 'trudy'],
  },
  {
    name: 'thirty gzips of half a million zeros at once',
    request: (token) =>
      packed('/api/v1/viz/render/svg', `{"x":[${kilobytes(1020, '0,')}0]}`)(token).repeat(30),
    callers: ['mallory'],
    connections: 300,
  },
  {
    name: '10,001 empty points',
    request: post('/api/v1/viz/render/svg', `{"data":[${'{},'.repeat(10_000)}{}]}`),
    callers: ['mallory'],
    rate: 100,
  },
  {
    name: '90,000 unknown fields with a key',
    request: post(
      '/api/tasks',
      `{"title":"x",${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`).join()}}`,
      ['Idempotency-Key: one'],
    ),
    callers: ['mallory'],
    rate: 20,
  },
  {
    name: 'a search for 200 equal letters in 100 tasks of 65,536',
    request: (token) => requestText('GET', `/api/tasks?q=${'a'.repeat(200)}`, token),
    callers: ['searcher'],
    rate: 2,
  },
  {
    name: 'a search among 3,000 short tasks',
    request: (token) => requestText('GET', '/api/tasks?q=zzz', token),
    callers: ['collector'],
    rate: 2,
  },
];

/** Measures another user's reads before and during each kind of costly request, and the memory of the server. */
export async function testCostlyRequests(run: ScenarioRun): Promise<Result[]> {
  return [...(await testOn('Postgres', run)), ...(await testOn('PGlite', run))];
}

async function testOn(engine: Engine, run: ScenarioRun): Promise<Result[]> {
  await using database = await run.databases.create(engine);
  const options = { nodeArgs: [...probeOptions.nodeArgs, '--max-old-space-size=192'] };
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, options);
  await createTasks(await server.clientFor('searcher'), 100, { title: 'a', description: 'a'.repeat(65_536) });
  await createTasks(await server.clientFor('collector'), 3000, { title: 'short' });
  const { body } = await (await server.clientFor('reader')).ok('createTask', { body: { title: 'Read me' } });
  const read = requestText('GET', `/api/tasks/${body.task.id}`, await tokenFor('reader'));
  const results: Result[] = [];
  for (const kind of kinds) {
    const longMs = kind.rate === undefined ? 30_000 : 15_000;
    results.push(await testKind(kind, { engine, server, read, ms: run.isShort ? 2000 : longMs }));
    run.reportProgress(`${engine}: ${kind.name}`);
  }
  return results;
}

async function createTasks(client: Client, count: number, body: object): Promise<void> {
  let created = 0;
  const create = async (): Promise<void> => {
    while (created++ < count) await client.ok('createTask', { body });
  };
  await Promise.all(Array.from({ length: 16 }, create));
}

interface KindOptions {
  readonly engine: Engine;
  readonly server: ServerProcess;
  readonly read: string;
  readonly ms: number;
}

async function testKind(
  { name, request, callers, rate, connections = 32 }: Kind,
  { engine, server, read, ms }: KindOptions,
): Promise<Result> {
  using costly = await startOverload();
  using reads = await startOverload();
  const reading = { url: server.url, requests: [read], connections: 4, rate: 50, ms };
  const shortly = { ...reading, ms: Math.min(ms, 8000) };
  const idle = (await reads.send(shortly)).responses;
  const requests = await Promise.all(callers.map(async (caller) => request(await tokenFor(caller))));
  const load = { url: server.url, requests, connections, ms, ...(rate === undefined ? {} : { rate }) };
  // Sending takes its share of the machine. The same requests to a server that discards them show how much.
  const sendElsewhere = async (): Promise<typeof idle> => {
    await using elsewhere = await startDiscarding();
    const discarded = costly.send({ ...load, url: elsewhere.url, ms: shortly.ms });
    const { responses } = await reads.send(shortly);
    await discarded;
    return responses;
  };
  const beside = rate === undefined ? [] : await sendElsewhere();
  const sending = costly.send(load);
  const { responses } = await reads.send(reading);
  const answers = (await sending).responses;
  const failed = [...idle, ...beside, ...responses].filter(({ status }) => status !== 200).length;
  const broken = answers.filter(({ status }) => status === 0 || (status >= 500 && status !== 503)).length;
  const timesOf = (list: typeof idle): number[] => list.map((response) => response.ms);
  const [before, elsewhere, during] = [idle, beside, responses].map((list) => quantile(timesOf(list), 0.99));
  const { resident } = await memoryUsageOf(server);
  const p99 = [before, ...(rate === undefined ? [] : [elsewhere]), during].map((each = 0) => each.toFixed(1));
  return {
    promise: `costly requests: ${name}`,
    engine,
    workload: `${answers.length} of ${callers.length} callers, ${rate ?? 'as many as possible'} a second; ${responses.length} reads of another user`,
    lost: `${failed} reads failed, ${broken} requests without an answer`,
    recovery: `reads p50 ${quantile(timesOf(idle), 0.5).toFixed(1)} and ${quantile(timesOf(responses), 0.5).toFixed(1)} ms before and during, p99 ${p99.join(', ')} ms before, ${rate === undefined ? '' : 'beside the same load elsewhere '}and during; resident ${resident} MB`,
    target: `${rate === undefined ? '' : `p99 at most ${maxRatio} times its value before or beside the load, or ${maxRatio * shortestIdleMs} ms; `}resident memory under ${maxResidentMb} MB`,
    // A server that has died fails the scenario where its memory is read.
    violations:
      rate === undefined || failed + broken === 0 ? [] : [`${failed} reads and ${broken} requests failed`],
    overBudget: [
      ...(rate === undefined ? [] : readsOverBudget({ before, elsewhere, during })),
      ...overBudget('the resident memory was', resident, maxResidentMb, 'MB'),
    ],
  };
}

function readsOverBudget({
  before = 0,
  elsewhere = 0,
  during = 0,
}: Record<string, number | undefined>): string[] {
  const max = maxRatio * Math.max(before, elsewhere, shortestIdleMs);
  return overBudget('p99 of the reads was', during, max, 'ms');
}

/** A server that reads what it is sent, and does nothing with it. */
async function startDiscarding(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
