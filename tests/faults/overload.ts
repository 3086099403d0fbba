import { tokenFor } from '../support/tokens.ts';
import { requestText, type RawResponse } from './connection.ts';
import { quantileOf } from '../bench/rounds.ts';
import { overBudget, type Result, type ScenarioRun } from './scenario.ts';
import { chartRequest } from './memory.ts';
import { startOverload, type OverloadProcess } from './overload-process.ts';
import { memoryUsageOf, probeArgs } from './memory-usage.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** More connections would test the operating system's sockets instead of the server. */
const connections = 1000;
const maxResponseMs = 1000;
const maxResidentGrowthMb = 200;

/** Measures the rate that the server sustains, and then offers ten times that rate. */
export async function testOverload(run: ScenarioRun): Promise<Result[]> {
  await using database = await run.databases.create('postgres');
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, ...probeArgs);
  const token = await tokenFor('overload');
  const list = requestText('GET', '/api/tasks?limit=10', token);
  const create = requestText('POST', '/api/tasks', token, { title: 'Overload' });
  const chart = chartRequest(token);
  using load = await startOverload();
  return [
    await offerOverload(run, server, load, 'GET and POST tasks', [create, list, list, list]),
    await offerOverload(run, server, load, 'PNG charts', [chart]),
  ];
}

async function offerOverload(
  { isShort, reportProgress }: ScenarioRun,
  server: ServerProcess,
  load: OverloadProcess,
  name: string,
  requests: readonly string[],
): Promise<Result> {
  const { url } = server;
  await load.send({ url, requests, connections: 16, ms: 1000 });
  const sustainedMs = isShort ? 1500 : 5000;
  const closed = await load.send({ url, requests, connections: 16, ms: sustainedMs });
  const sustained = closed.length / (sustainedMs / 1000);
  const before = await memoryUsageOf(server);
  const ms = isShort ? 3000 : 15_000;
  const responses = await load.send({ url, requests, connections, rate: sustained * 10, ms });
  const after = await memoryUsageOf(server);
  const [last] = await load.send({ url, requests, connections: 1 });
  reportProgress(name);
  const isAccepted = ({ status }: RawResponse): boolean => status >= 200 && status < 300;
  const accepted = responses.filter(isAccepted).map(({ ms }) => ms);
  const rejected = responses.filter(({ status }) => status === 503);
  const rejectedMs = rejected.map(({ ms }) => ms);
  const others = responses.filter((response) => response.status !== 503 && !isAccepted(response));
  const statuses = [...new Set(others.map(({ status }) => status))].join(', ');
  const withoutRetryAfter = rejected.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const percentiles = (list: readonly number[]): string =>
    `p50 ${quantileOf(list, 0.5).toFixed(0)} ms, p99 ${quantileOf(list, 0.99).toFixed(0)} ms`;
  const violations: readonly (readonly [isBroken: boolean, violation: string])[] = [
    [accepted.length === 0, 'nothing was accepted'],
    [others.length > 0, `${others.length} requests were neither accepted nor rejected (${statuses})`],
    [withoutRetryAfter > 0, `${withoutRetryAfter} rejections had no Retry-After`],
    [last === undefined || !isAccepted(last), `a request afterwards got the status ${String(last?.status)}`],
  ];
  const [acceptedMs = 0, refusedMs = 0] = [accepted, rejectedMs].map((list) => quantileOf(list, 0.99) || 0);
  const growthMb = after.resident - before.resident;
  return {
    promise: `under overload, what is not accepted gets 503 with Retry-After: ${name}`,
    engine: 'postgres',
    workload: `sustained ${sustained.toFixed(0)}/s; offered ten times as much on ${connections} connections; ${responses.length} sent in ${ms / 1000} s`,
    measured: `${accepted.length} accepted (${percentiles(accepted)}), ${rejected.length} rejected (${percentiles(rejectedMs)}); resident ${before.resident} to ${after.resident} MB`,
    violations: violations.filter(([isBroken]) => isBroken).map(([, violation]) => violation),
    overBudget: [
      ...overBudget('p99 of the accepted requests was', acceptedMs, maxResponseMs, 'ms'),
      ...overBudget('p99 of the rejected requests was', refusedMs, maxResponseMs, 'ms'),
      ...overBudget('the resident memory grew by', growthMb, maxResidentGrowthMb, 'MB'),
    ],
  };
}
