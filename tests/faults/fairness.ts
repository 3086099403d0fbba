import { createServer } from 'node:http';
import type { Engine } from '../support/databases.ts';
import { requestText } from './connection.ts';
import { costlyRequests, type CostlyRequest } from './costly-requests.ts';
import { memoryUsageOf, probeArgs } from './memory-usage.ts';
import { startOverload } from './overload-process.ts';
import { quantileOf } from '../bench/rounds.ts';
import { overBudget, type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import type { Client } from '../support/client.ts';
import { listen } from '../support/listen.ts';
import { tokenFor } from '../support/tokens.ts';

const maxRatio = 3;
const maxResidentMb = 600;
// Shorter times count as this one, because a busy machine cannot measure them.
const shortestIdleMs = 5;

/** Measures another user's requests before and during each kind of costly request, and the memory of the server. */
export async function testFairness(run: ScenarioRun): Promise<Result[]> {
  return [...(await testOn('postgres', run)), ...(await testOn('pglite', run))];
}

async function testOn(engine: Engine, run: ScenarioRun): Promise<Result[]> {
  await using database = await run.databases.create(engine);
  const nodeArgs = [...probeArgs, '--max-old-space-size=192'];
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, ...nodeArgs);
  await createTasks(await server.clientFor('searcher'), 100, { title: 'a', description: 'a'.repeat(65_536) });
  const control = { title: 'a', description: '\u0001'.repeat(65_536) };
  await createTasks(await server.clientFor('hoarder'), 130, control);
  await createTasks(await server.clientFor('collector'), 3000, { title: 'short' });
  const { body } = await (await server.clientFor('victim')).ok('createTask', { body: { title: 'Read me' } });
  const token = await tokenFor('victim');
  const read = requestText('GET', `/api/tasks/${body.task.id}`, token);
  const others = [read, read, read, requestText('POST', '/api/tasks', token, { title: 'Mine' })];
  const results: Result[] = [];
  for (const kind of costlyRequests) {
    const longMs = kind.isAttack === true ? 30_000 : 15_000;
    results.push(await testKind(kind, { engine, server, others, ms: run.isShort ? 2000 : longMs }));
    run.reportProgress(`${engine}: ${kind.name}`);
  }
  return results;
}

async function createTasks(client: Client, count: number, body: object): Promise<void> {
  let created = 0;
  const create = async (): Promise<void> => {
    while (created++ < count) await client.ok('createTask', { body });
  };
  await Promise.all(Array.from({ length: 4 }, create));
}

interface KindOptions {
  readonly engine: Engine;
  readonly server: ServerProcess;
  readonly others: readonly string[];
  readonly ms: number;
}

async function testKind(
  { name, request, callers = ['mallory'], rate, connections = 32, p99MaxMs, isAttack = false }: CostlyRequest,
  { engine, server, others, ms }: KindOptions,
): Promise<Result> {
  using costly = await startOverload();
  using reads = await startOverload();
  const reading = { url: server.url, requests: others, connections: 4, rate: 50, ms };
  const shortly = { ...reading, ms: Math.min(ms, 8000) };
  const idle = await reads.send(shortly);
  const requests = await Promise.all(callers.map(async (caller) => request(await tokenFor(caller))));
  const load = { url: server.url, requests, connections, ms, ...(rate === undefined ? {} : { rate }) };
  // Sending requests itself slows the machine down. To measure how much, the same requests are sent to a server that
  // discards them.
  const sendElsewhere = async (): Promise<typeof idle> => {
    await using elsewhere = await startDiscarding();
    const discarded = costly.send({ ...load, url: elsewhere.url, ms: shortly.ms });
    const responses = await reads.send(shortly);
    await discarded;
    return responses;
  };
  const beside = rate === undefined ? [] : await sendElsewhere();
  const sending = costly.send(load);
  const responses = await reads.send(reading);
  const answers = await sending;
  const failed = [...idle, ...beside, ...responses].filter(
    ({ status }) => status >= 300 || status === 0,
  ).length;
  const broken = answers.filter(({ status }) => status === 0 || (status >= 500 && status !== 503)).length;
  const timesOf = (list: typeof idle): number[] => list.map((response) => response.ms);
  const [before = 0, elsewhere = 0, during = 0] = [idle, beside, responses].map((list) =>
    quantileOf(timesOf(list), 0.99),
  );
  const p99Max = p99MaxMs ?? maxRatio * Math.max(before, elsewhere, shortestIdleMs);
  const { resident } = await memoryUsageOf(server);
  const p99 = [before, ...(rate === undefined ? [] : [elsewhere]), during].map((each) => each.toFixed(1));
  return {
    promise: `fairness: ${name}`,
    engine,
    workload: `${answers.length} of ${callers.length} callers, ${rate ?? 'as many as possible'} a second; ${responses.length} of another user`,
    measured: `p50 ${quantileOf(timesOf(idle), 0.5).toFixed(1)} and ${quantileOf(timesOf(responses), 0.5).toFixed(1)} ms before and during, p99 ${p99.join(', ')} ms before, ${rate === undefined ? '' : 'beside the same load elsewhere '}and during; resident ${resident} MB`,
    // An attack may make requests fail. If it has killed the server, reading the memory above has thrown.
    violations: isAttack || failed + broken === 0 ? [] : [`${failed} and ${broken} requests failed`],
    overBudget: [
      ...(isAttack ? [] : overBudget('p99 of the other user was', during, p99Max, 'ms')),
      ...overBudget('the resident memory was', resident, maxResidentMb, 'MB'),
    ],
  };
}

/** Starts a server that reads requests and discards them. */
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
