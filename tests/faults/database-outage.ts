import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../server/src/contract/operation.ts';
import { createAgent } from '../support/agents.ts';
import type { Client, Input } from '../support/client.ts';
import { checkLedger } from './check-ledger.ts';
import {
  startDedicatedPostgres,
  type DedicatedPostgres,
  type Outage,
} from '../support/dedicated-postgres.ts';
import { newLedger, taskIn } from './ledger.ts';
import { overBudget, seconds, type Result, type ScenarioRun } from './scenario.ts';
import { sendRequest, type RequestOutcome } from './send-request.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { runWriters } from './writers.ts';

const maxResponseMs = 5000;
const maxRecoveryMs = 5000;

/** Interrupts the database in every way while the server is under load, and restores it. */
export async function testDatabaseOutage(run: ScenarioRun): Promise<Result[]> {
  const outages: readonly Outage[] = run.isShort
    ? ['killed', 'frozen']
    : ['shut down fast', 'shut down immediately', 'killed', 'frozen'];
  await using postgres = await startDedicatedPostgres();
  await using server = await startServer({ DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' });
  const results: Result[] = [];
  for (const outage of outages) {
    results.push(await runOutage(run, postgres, server, outage));
    run.reportProgress(outage);
  }
  return results;
}

async function runOutage(
  { random, isShort }: ScenarioRun,
  postgres: DedicatedPostgres,
  server: ServerProcess,
  outage: Outage,
): Promise<Result> {
  const writer = await server.clientFor(`writer ${outage}`);
  const agent = await createAgent(writer);
  const ledger = newLedger();
  const outcomes: RequestOutcome[] = [];
  let isDone = false;
  const onOutcome = (outcome: RequestOutcome): void => void outcomes.push(outcome);
  const control = { isDone: () => isDone, onOutcome };
  const load = { ledger, random, name: outage, writers: 4, continuesAfterFailure: true };
  const loads = [
    runWriters(writer, { ...load, ...control }),
    sendUntilDone(await server.clientFor('reader'), agent.id, control),
  ];
  await sleep(random.integerBetween(500, 1000));
  await postgres.interrupt(outage);
  // Long enough that a request exceeds maxResponseMs if it hangs until the database is back.
  await sleep(isShort ? 6500 : random.integerBetween(7000, 12_000));
  await postgres.restore();
  const recoveryMs = await waitForWrite(writer);
  const runMs = await waitForRun(writer, agent.id);
  isDone = true;
  await Promise.all(loads);
  const check = await checkLedger(writer, ledger, [...ledger.tasks.keys()]);
  const violations = [...violationsOf(outcomes), ...check.violations];
  if (server.child.exitCode !== null) violations.push('the server process exited');
  const slowest = Math.max(...outcomes.map(({ ms }) => ms));
  const failed = outcomes.filter(
    (outcome) => outcome.kind === 'responded' && outcome.response.status >= 500,
  ).length;
  return {
    promise: `requests are answered as documented while Postgres is ${outage}, and afterwards without a restart`,
    engine: 'postgres',
    workload: `${outcomes.length} requests, ${failed} failed with 500 or 503, ${ledger.acknowledged} acknowledged writes`,
    measured: `first 201 after ${seconds(recoveryMs)}, run completed after ${seconds(runMs)}; slowest response ${seconds(slowest)}`,
    violations,
    overBudget: [
      ...overBudget('the slowest response took', slowest, maxResponseMs, 'ms'),
      ...overBudget('recovery took', recoveryMs, maxRecoveryMs, 'ms'),
    ],
  };
}

function violationsOf(outcomes: readonly RequestOutcome[]): string[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'responded') return [`${outcome.kind}: ${outcome.reason}`];
    const { status, body } = outcome.response;
    const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
    const isDocumented = status < 500 || (status === 500 && code === 'Database error') || status === 503;
    return isDocumented ? [] : [`a response was ${status} ${code}`];
  });
}

/** Sends reads, charts (which need no database) and agent runs. */
async function sendUntilDone(
  client: Client,
  agentId: string,
  { isDone, onOutcome }: { isDone: () => boolean; onOutcome: (outcome: RequestOutcome) => void },
): Promise<void> {
  const requests: readonly (readonly [OperationId, Input])[] = [
    ['listTasks', {}],
    ['listAgents', {}],
    ['renderPng', { body: { data: [{ label: 'a', value: 1 }] } }],
    ['runAgent', { id: agentId, body: { input: 'list my tasks' } }],
  ];
  await Promise.all(
    requests.map(async ([operation, input]) => {
      while (!isDone()) {
        onOutcome(await sendRequest(client, operation, input));
        await sleep(20);
      }
    }),
  );
}

/** Creates and deletes a task as soon as the server can. Resolves to the time until this succeeded. */
async function waitForWrite(client: Client): Promise<number> {
  const startMs = performance.now();
  while (performance.now() - startMs < 60_000) {
    const outcome = await sendRequest(client, 'createTask', { body: { title: 'recovered' } });
    if (outcome.kind === 'responded' && outcome.response.status === 201) {
      await client.ok('deleteTask', { id: taskIn(outcome.response.body).id });
      return performance.now() - startMs;
    }
    await sleep(20);
  }
  throw new Error('The server did not recover within a minute.');
}

async function waitForRun(client: Client, agentId: string): Promise<number> {
  const startMs = performance.now();
  await client.ok('runAgent', { id: agentId, body: { input: 'list my tasks' } });
  return performance.now() - startMs;
}
