import { setTimeout as sleep } from 'node:timers/promises';
import { citusNodes } from '../support/citus.ts';
import { databaseUrl, run as query } from '../support/postgres.ts';
import { checkLedger } from './check-ledger.ts';
import { openCitusWorker, type CitusWorker } from './citus-process.ts';
import { newLedger } from './ledger.ts';
import { waitForWrite, waitForWrites } from './recovery.ts';
import { overBudget, seconds, type Result, type ScenarioRun } from './scenario.ts';
import type { RequestOutcome } from './send-request.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { runWriters } from './writers.ts';

const maxResponseMs = 5000;

/** Kills a worker of a Citus cluster under load, and starts it again. */
export async function testCitusWorker(run: ScenarioRun): Promise<Result[]> {
  const cluster = process.env['TEST_CITUS_URL'];
  if (cluster === undefined) {
    run.reportProgress('skipped, because TEST_CITUS_URL is not set');
    return [];
  }
  const [, node = ''] = await citusNodes(cluster);
  await using database = await run.databases.create('citus');
  await using worker = await openCitusWorker(databaseUrl(node, new URL(database.url).pathname.slice(1)));
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'fatal' });
  return [await killWorker(run, database.url, server, worker)];
}

async function killWorker(
  { random, isShort }: ScenarioRun,
  url: string,
  server: ServerProcess,
  worker: CitusWorker,
): Promise<Result> {
  const affected = await subjectOn(server, url, worker.port);
  const unaffected = await subjectOn(server, url, (port) => port !== worker.port);
  let isDone = false;
  const loads = [affected, unaffected].map(({ client, ledger, outcomes }, n) =>
    runWriters(client, {
      ledger,
      random,
      name: `subject ${n}`,
      writers: 2,
      isDone: () => isDone,
      continuesAfterFailure: true,
      onOutcome: (outcome) => void outcomes.push(outcome),
    }),
  );
  await sleep(random.integerBetween(500, 1000));
  await worker.kill();
  await sleep(isShort ? 3000 : 10_000);
  const failed = affected.outcomes.filter(isFailure).length;
  await worker.start();
  const recoveryMs = await waitForWrite(affected.client);
  isDone = true;
  await Promise.all(loads);
  // A worker that has replayed a long log is slow at first, so single statements may still exceed their time limit.
  await waitForWrites(affected.client, 20);
  const checks = [];
  for (const { client, ledger } of [affected, unaffected])
    checks.push(await checkLedger(client, ledger, [...ledger.tasks.keys()]));
  const outcomes = [...affected.outcomes, ...unaffected.outcomes];
  const slowest = Math.max(...outcomes.map(({ ms }) => ms));
  const violations = [
    ...checks.flatMap((check) => check.violations),
    ...(failed === 0 ? ['the killed worker made no request fail'] : []),
    ...affected.outcomes.flatMap(undocumented),
    ...unaffected.outcomes.filter(isFailure).map((outcome) => `another user's request: ${describe(outcome)}`),
  ];
  return {
    promise: 'only users on a killed worker of a Citus cluster see failures, and nothing is lost',
    engine: 'citus',
    workload: `${outcomes.length} writes of two users, ${failed} failed with 500 or 503, all of the user on that worker`,
    measured: `first 201 after ${seconds(recoveryMs)}; slowest response ${seconds(slowest)}`,
    violations,
    overBudget: overBudget('the slowest response took', slowest, maxResponseMs, 'ms'),
  };
}

/** A user whose rows are on the node with this port. */
async function subjectOn(server: ServerProcess, url: string, port: number | ((port: number) => boolean)) {
  const matches = typeof port === 'number' ? (other: number): boolean => other === port : port;
  for (let n = 0; n < 100; n++) {
    const user = `user-${n}`;
    const { rows } = await query(
      url,
      `select nodeport as port from citus_shards
       where table_name = 'tasks'::regclass and shardid = get_shard_id_for_distribution_column('tasks', '${user}')`,
    );
    const [{ port: found } = { port: 0 }] = rows as { port: number }[];
    if (matches(found))
      return { client: await server.clientFor(user), ledger: newLedger(), outcomes: [] as RequestOutcome[] };
  }
  throw new Error('The hash of no user leads to the node.');
}

function isFailure(outcome: RequestOutcome): boolean {
  return outcome.kind !== 'responded' || outcome.response.status >= 500;
}

function undocumented(outcome: RequestOutcome): string[] {
  const isDocumented =
    outcome.kind === 'responded' && (outcome.response.status <= 500 || outcome.response.status === 503);
  return isDocumented ? [] : [describe(outcome)];
}

function describe(outcome: RequestOutcome): string {
  return outcome.kind === 'responded'
    ? String(outcome.response.status)
    : `${outcome.kind}: ${outcome.reason}`;
}
