import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../server/src/operation.ts';
import { childrenOf } from '../support/children.ts';
import type { Client, Input } from '../support/client.ts';
import { quantile, type Result, type ScenarioRun } from './scenario.ts';
import { isSuccess, sendRequest, type RequestOutcome } from './send-request.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const processCount = 2;
const chart = { data: [{ label: 'a', value: 1 }], width: 1200, height: 900 };

/** Kills render processes while clients request charts and tasks. */
export async function testRenderProcesses(run: ScenarioRun): Promise<Result[]> {
  const { isShort, random, databases, reportProgress } = run;
  const kills = isShort ? 5 : 50;
  await using database = await databases.create('Postgres');
  const settings = { LOG_LEVEL: 'fatal', CHART_WORKERS: String(processCount) };
  await using server = await startServer({ ...database.env, ...settings });
  const client = await server.clientFor('renderer');
  let isDone = false;
  const outcomes = { renders: [] as RequestOutcome[], others: [] as RequestOutcome[] };
  const load = (operation: OperationId, input: Input, into: RequestOutcome[]): Promise<void> =>
    sendUntilDone(client, { operation, input, into, isDone: () => isDone });
  const loads = [
    ...[1, 2, 3, 4].map(() => load('renderPng', { body: chart }, outcomes.renders)),
    load('renderPdf', { body: chart }, outcomes.renders),
    load('renderSvg', { body: chart }, outcomes.others),
    load('createTask', { body: { title: 'Meanwhile' } }, outcomes.others),
    load('listTasks', { query: { limit: 10 } }, outcomes.others),
  ];
  const replacementsMs: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await sleep(random.integerBetween(100, 500));
    replacementsMs.push(await killOne(server, random.integerBetween(0, processCount - 1)));
  }
  isDone = true;
  await Promise.all(loads);
  reportProgress(`${kills} kills`);
  return [resultOf({ ...outcomes, kills, replacementsMs, isServerAlive: server.child.exitCode === null })];
}

interface Measured {
  readonly kills: number;
  readonly renders: readonly RequestOutcome[];
  readonly others: readonly RequestOutcome[];
  readonly replacementsMs: readonly number[];
  readonly isServerAlive: boolean;
}

function resultOf({ kills, renders, others, replacementsMs, isServerAlive }: Measured): Result {
  const failed = renders.filter((outcome) => !isSuccess(outcome));
  return {
    promise: 'render processes killed under load',
    engine: 'Postgres',
    workload: `${kills} kills, ${renders.length} charts, ${others.length} other requests`,
    lost: `${failed.length} charts with RENDER_ERROR`,
    recovery: `a new process after ${quantile(replacementsMs, 0.5).toFixed(0)} ms (median)`,
    target: 'only charts in the killed processes fail, with RENDER_ERROR',
    violations: [
      ...(isServerAlive ? [] : ['the server process exited']),
      ...failed
        .filter((outcome) => !isRenderError(outcome))
        .map((outcome) => `a chart was ${describe(outcome)}`),
      ...others
        .filter((outcome) => !isSuccess(outcome))
        .map((outcome) => `another request was ${describe(outcome)}`),
      ...(failed.length > kills ? [`${failed.length} charts failed after ${kills} kills`] : []),
      ...(replacementsMs.includes(Infinity) ? ['a render process was not replaced'] : []),
    ],
    overBudget: [],
  };
}

/** Kills one render process and resolves to the milliseconds until it is replaced. */
async function killOne({ pid }: ServerProcess, index: number): Promise<number> {
  const before = await childrenOf(pid);
  const victim = before[index] ?? before[0];
  if (victim === undefined) return Infinity;
  process.kill(victim, 'SIGKILL');
  const startMs = performance.now();
  while (performance.now() - startMs < 20_000) {
    const now = await childrenOf(pid);
    if (now.length === processCount && !now.includes(victim)) return performance.now() - startMs;
    await sleep(10);
  }
  return Infinity;
}

interface RequestLoop {
  readonly operation: OperationId;
  readonly input: Input;
  readonly into: RequestOutcome[];
  readonly isDone: () => boolean;
}

async function sendUntilDone(client: Client, { operation, input, into, isDone }: RequestLoop): Promise<void> {
  while (!isDone()) {
    into.push(await sendRequest(client, operation, input));
    await sleep(5);
  }
}

function isRenderError(outcome: RequestOutcome): boolean {
  return (
    outcome.kind === 'responded' &&
    outcome.response.status === 500 &&
    describe(outcome).includes('RENDER_ERROR')
  );
}

function describe(outcome: RequestOutcome): string {
  return outcome.kind === 'responded'
    ? `${outcome.response.status} ${JSON.stringify(outcome.response.body)}`
    : `${outcome.kind} ${outcome.reason}`;
}
