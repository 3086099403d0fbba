import { setTimeout as sleep } from 'node:timers/promises';
import { run as query } from '../support/postgres.ts';
import { checkLedger } from './check-ledger.ts';
import type { Engine } from '../support/databases.ts';
import { newLedger, type Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { quantileOf } from '../bench/rounds.ts';
import { seconds, type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { runWriters } from './writers.ts';

type StopSignal = 'SIGKILL' | 'SIGTERM';

/** Stops the server repeatedly under write load, by SIGKILL and by SIGTERM. */
export async function testKill(run: ScenarioRun): Promise<Result[]> {
  const results: Result[] = [];
  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    for (const engine of ['pglite', 'postgres'] as const)
      results.push(await stopRepeatedly(run, engine, signal));
  return results;
}

async function stopRepeatedly(
  { isShort, random, databases, reportProgress }: ScenarioRun,
  engine: Engine,
  signal: StopSignal,
): Promise<Result> {
  const stops = isShort ? 3 : 20;
  const ledger = newLedger();
  const violations: string[] = [];
  const recoveries: number[] = [];
  const checks: Awaited<ReturnType<typeof checkLedger>>[] = [];
  let inDoubt = 0;
  await using database = await databases.create(engine);
  for (let stop = 1; stop <= stops; stop++) {
    await using server = await startServer(database.env);
    recoveries.push(server.readyMs);
    checks.push(await checkLedger(await server.clientFor('writer'), ledger, ledger.touched));
    violations.push(...(await writeUntilStopped(server, signal, ledger, random, `stop ${stop}`)));
    inDoubt += ledger.inDoubt.length;
    reportProgress(`${engine}: ${signal} ${stop} of ${stops}, ${ledger.acknowledged} writes acknowledged`);
  }
  await using last = await startServer(database.env);
  recoveries.push(last.readyMs);
  checks.push(await checkLedger(await last.clientFor('writer'), ledger, [...ledger.tasks.keys()]));
  const applied = checks.reduce((sum, check) => sum + check.applied, 0);
  violations.push(
    ...checks.flatMap((check) => check.violations),
    ...(await findOrphans(engine, database.url)),
    // After SIGTERM, a connection may be reset only if the server has not read its request, and so not applied it.
    ...(signal === 'SIGTERM' && applied > 0 ? [`${applied} responses were lost`] : []),
  );
  return {
    promise: `no write is lost or applied twice by ${signal} under load`,
    engine,
    workload: `${stops} stops, ${ledger.acknowledged} acknowledged writes, ${inDoubt} in doubt (${applied} were applied)`,
    measured: `median ${seconds(quantileOf(recoveries.slice(1), 0.5))}, longest ${seconds(Math.max(...recoveries.slice(1)))}`,
    violations,
    overBudget: [],
  };
}

/** Stops the server at a random moment while writers send requests. Returns the violations that were seen. */
async function writeUntilStopped(
  server: ServerProcess,
  signal: StopSignal,
  ledger: Ledger,
  random: Random,
  name: string,
): Promise<string[]> {
  const client = await server.clientFor('writer');
  const violations: string[] = [];
  let isDone = false;
  const writing = runWriters(client, {
    ...{ ledger, random, name, writers: 8, isDone: () => isDone },
    onOutcome: (outcome, { marker }) => {
      if (outcome.kind === 'undocumented') violations.push(outcome.reason);
      if (outcome.kind === 'responded' && outcome.response.status >= 300)
        violations.push(`${marker} returned ${outcome.response.status}`);
    },
  });
  const enough = ledger.acknowledged + random.integerBetween(10, 100);
  while (ledger.acknowledged < enough && violations.length === 0) await sleep(1);
  await sleep(random.integerBetween(0, 20));
  const code = await server.stop(signal);
  if (signal === 'SIGTERM' && code !== 0) violations.push(`the exit code is ${String(code)}`);
  isDone = true;
  await writing;
  return violations;
}

/** Finds audit entries without a task, which no list of tasks shows. */
async function findOrphans(engine: Engine, url: string): Promise<string[]> {
  if (engine !== 'postgres') return [];
  const { rows } = await query(
    url,
    `select task_id as id from audit_logs l
     where not exists (select 1 from tasks t where t.id = l.task_id)
       and not exists (select 1 from audit_logs d where d.task_id = l.task_id and d.action = 'delete')`,
  );
  return rows.map(({ id }: { id: string }) => `the task ${id} has an audit entry and does not exist`);
}
