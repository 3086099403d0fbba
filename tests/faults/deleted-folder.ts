import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { newLedger } from './ledger.ts';
import { overBudget, seconds, type Result, type ScenarioRun } from './scenario.ts';
import { startServer } from './server-process.ts';
import { runWriters } from './writers.ts';

const maxEndMs = 5000;
const giveUpMs = 60_000;

/** Deletes the data folder of an embedded database under the load of four writers. */
export async function testDeletedFolder(run: ScenarioRun): Promise<Result[]> {
  const deletions = run.isShort ? 3 : 20;
  const violations: string[] = [];
  let acknowledged = 0;
  let longestMs = 0;
  for (let n = 1; n <= deletions; n++) {
    const deletion = await deleteFolder(run, `deletion ${n}`);
    acknowledged += deletion.acknowledged;
    longestMs = Math.max(longestMs, deletion.endMs);
    violations.push(...deletion.violations);
    run.reportProgress(`deletion ${n} of ${deletions}, ${acknowledged} writes acknowledged before`);
  }
  return [
    {
      promise: 'the data folder deleted under four writers',
      engine: 'PGlite',
      workload: `${deletions} deletions, ${acknowledged} acknowledged writes before them`,
      lost: `${violations.length}`,
      recovery: `the server ended after ${seconds(longestMs)} at most`,
      target: 'exit code 1 and one sentence, no write acknowledged after the deletion',
      violations,
      overBudget: overBudget('the server ended after', longestMs, maxEndMs, 'ms'),
    },
  ];
}

async function deleteFolder(
  { random, databases }: ScenarioRun,
  name: string,
): Promise<{ acknowledged: number; endMs: number; violations: string[] }> {
  await using database = await databases.create('PGlite');
  await using server = await startServer(database.env);
  const client = await server.clientFor('writer');
  const load = { random, name, writers: 4 };
  const before = newLedger();
  const after = newLedger();
  let isDeleted = false;
  const writing = runWriters(client, { ...load, ledger: before, isDone: () => isDeleted });
  const enough = random.integerBetween(10, 100);
  while (before.acknowledged < enough) await sleep(1);

  await rm(database.env['DATA_DIR'] ?? '', { recursive: true, maxRetries: 10 });
  isDeleted = true;

  const deletedMs = performance.now();
  await runWriters(client, { ...load, ledger: after, isDone: () => after.acknowledged > 0 });
  const code = await Promise.race([server.exited, sleep(giveUpMs, 'none', { ref: false })]);
  const endMs = performance.now() - deletedMs;
  if (code === 'none') await server.stop('SIGKILL');
  await writing;
  const sentences = server.output().match(/^This process has ended, because /gm)?.length ?? 0;
  return {
    acknowledged: before.acknowledged,
    endMs,
    violations: [
      ...(after.acknowledged === 0 ? [] : ['a write was acknowledged after the deletion']),
      ...(code === 1 ? [] : [`the exit code is ${String(code)}`]),
      ...(sentences === 1 ? [] : [`the server printed ${sentences} sentences`]),
    ],
  };
}
