import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, finishedSession, runAgent } from '../support/agents.ts';
import { checkLedger } from './check-ledger.ts';
import { engines, type Engine } from './databases.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { overBudget, seconds, type Result, type ScenarioRun } from './scenario.ts';
import { isSuccess, sendRequest, type RequestOutcome } from './send-request.ts';
import { startServer, type Exit, type ServerProcess } from './server-process.ts';
import { startCreateTask } from './slow-body.ts';
import { startSlowModel } from './slow-model.ts';
import { runWriters } from './writers.ts';

const shutdownTimeoutMs = 10_000;

/** Sends SIGTERM to the server under load. */
export async function testSigterm(run: ScenarioRun): Promise<Result[]> {
  const results: Result[] = [];
  const tested: readonly Engine[] = run.isShort ? ['Postgres'] : engines;
  for (const engine of tested) results.push(await stopRepeatedly(run, engine));
  return results;
}

interface Stop {
  readonly exit: Exit;
  readonly outcomes: readonly RequestOutcome[];
  readonly violations: readonly string[];
  readonly runMs: number;
  /** Writes that were applied although their connection was closed without a response. */
  readonly applied: number;
}

async function stopRepeatedly(run: ScenarioRun, engine: Engine): Promise<Result> {
  const times = run.isShort ? 1 : 10;
  const stops: Stop[] = [];
  await using database = await run.databases.create(engine);
  for (let count = 1; count <= times; count++) {
    stops.push(await stopOnce(run, database.env, count));
    run.reportProgress(`${engine}: ${count} of ${times}`);
  }
  const outcomes = stops.flatMap((stop) => stop.outcomes);
  const resets = outcomes.filter(({ kind }) => kind === 'disconnected').length;
  const applied = stops.reduce((sum, stop) => sum + stop.applied, 0);
  const slowest = Math.max(...stops.map(({ exit }) => exit.ms));
  return {
    promise: 'SIGTERM under load',
    engine,
    workload: `${times} stops, ${outcomes.length} quick requests, ${times * 5} slow ones, ${times} runs in progress`,
    lost: `${applied} responses; ${resets} connections reset before the server read the request`,
    recovery: `exit after at most ${seconds(slowest)}, runs completed ${seconds(Math.max(...stops.map(({ runMs }) => runMs)))} after the next start`,
    target: 'no request in flight reset, exit 0 within the shutdown timeout, the run continues',
    violations: stops.flatMap(({ violations }) => violations),
    overBudget: [
      ...overBudget('the exit took', slowest, shutdownTimeoutMs, 'ms'),
      // A reset connection whose write was not applied lost a race in TCP: the server had not read the request.
      ...overBudget('connections reset:', resets, 0, 'in total'),
    ],
  };
}

async function stopOnce(
  run: ScenarioRun,
  env: Readonly<Record<string, string>>,
  count: number,
): Promise<Stop> {
  const ledger = newLedger();
  const user = `stopped ${count}`;
  using model = await startSlowModel();
  const settings = { ...env, ...model.env, SHUTDOWN_TIMEOUT_MS: String(shutdownTimeoutMs) };
  const busy = await stopWhileBusy(run, { settings, user, ledger, runStarted: model.requested(1) });
  model.respond();
  await using next = await startServer(settings);
  const client = await next.clientFor(user);
  const startMs = performance.now();
  // Writes in doubt that were applied: the server handled them but lost their responses.
  const { violations: ledgerViolations, applied } = await checkLedger(client, ledger, [
    ...ledger.tasks.keys(),
  ]);
  const violations = [...busy.violations, ...ledgerViolations];
  if (applied > 0) violations.push(`${applied} responses were lost`);
  const { run: agentRun } = await finishedSession(client, 'stopped');
  const runMs = performance.now() - startMs;
  if (agentRun?.status !== 'completed') violations.push(`the run in progress is ${String(agentRun?.status)}`);
  return { ...busy, violations, runMs, applied };
}

interface StopSetup {
  readonly settings: Readonly<Record<string, string>>;
  readonly user: string;
  readonly ledger: Ledger;
  /** Resolves when the model has been called, so the run is in progress. */
  readonly runStarted: Promise<void>;
}

async function stopWhileBusy(
  { random }: ScenarioRun,
  { settings, user, ledger, runStarted }: StopSetup,
): Promise<Omit<Stop, 'runMs' | 'applied'>> {
  await using server = await startServer(settings);
  const client = await server.clientFor(user);
  const outcomes: RequestOutcome[] = [];
  const load = { ledger, random, name: user, writers: 8, isDone: () => false };
  const writing = runWriters(client, { ...load, onOutcome: (outcome) => void outcomes.push(outcome) });
  const agent = await createAgent(client, { runtime: 'slow' });
  const waiting = runAgent(client, agent, 'Think', { context: { session_id: 'stopped' } });
  await runStarted;
  await sleep(random.integerBetween(0, 300));
  const slow = await sendSlowRequests(server, user);
  const exit = await server.stop('SIGTERM');
  await writing;
  const slowViolations = await Promise.all(slow);
  const { status } = await waiting;
  const violations = [
    ...slowViolations.flat(),
    ...(status === 202 ? [] : [`the client that waited for the run received ${status}`]),
    ...outcomes.filter(({ kind }) => kind !== 'disconnected').flatMap(violationsOf),
  ];
  if (exit.code !== 0) violations.push(`exit code ${String(exit.code)}`);
  return { exit, outcomes, violations };
}

/** Sends two large charts and three slow bodies, which are in flight when the signal arrives. */
async function sendSlowRequests(server: ServerProcess, user: string): Promise<Promise<string[]>[]> {
  // This is another user, because the ledger must not see these tasks.
  const other = `slow ${user}`;
  const client = await server.clientFor(other);
  const large = { data: [{ label: 'a', value: 1 }], width: 3000, height: 3000 };
  const charts = [1, 2].map(async () =>
    violationsOf(await sendRequest(client, 'renderPng', { body: large })),
  );
  const bodies = [100, 400, 1500].map(async (ms) => {
    const request = await startCreateTask(server.url, other, `slow ${ms}`);
    return sleep(ms).then(async () => {
      const response = await request.finish();
      return response.startsWith('HTTP/1.1 201')
        ? []
        : [`a body that took ${ms} ms received "${response.slice(0, 60)}"`];
    });
  });
  // The request heads must arrive before the signal.
  await sleep(50);
  return [...charts, ...bodies];
}

/** A late client cannot connect; every client that connected must get a success response. */
function violationsOf(outcome: RequestOutcome): string[] {
  if (outcome.kind === 'unreachable') return [];
  if (outcome.kind !== 'responded') return [`${outcome.kind}: ${outcome.reason}`];
  return isSuccess(outcome) ? [] : [`a request received ${outcome.response.status}`];
}
