import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../support/postgres.ts';
import type { Chance } from './chance.ts';
import { checkLedger, type Checked } from './check-ledger.ts';
import { engines, type Engine } from './databases.ts';
import { quantile, seconds, type Finding, type Trial } from './finding.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { keepWriting } from './writers.ts';

/** Kills the server again and again while it is written to. */
export async function tryKill(trial: Trial): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const engine of engines) findings.push(await killOften(trial, engine));
  return findings;
}

async function killOften({ isShort, chance, databases, say }: Trial, engine: Engine): Promise<Finding> {
  const kills = isShort ? 3 : 20;
  const ledger = newLedger();
  const broken: string[] = [];
  const recoveries: number[] = [];
  const checks: Checked[] = [];
  let doubts = 0;
  await using database = await databases.fresh(engine);
  for (let kill = 1; kill <= kills; kill++) {
    await using server = await startServer(database.env);
    recoveries.push(server.readyMs);
    checks.push(await checkLedger(await server.as('writer'), ledger, ledger.touched));
    broken.push(...(await writeUntilKilled(server, { ledger, chance, name: `kill ${kill}` })));
    doubts += ledger.doubts.length;
    say(`${engine}: kill ${kill} of ${kills}, ${ledger.acknowledged} writes acknowledged`);
  }
  await using last = await startServer(database.env);
  recoveries.push(last.readyMs);
  checks.push(await checkAll(last, ledger));
  broken.push(...checks.flatMap((check) => check.broken), ...(await strays(engine, database.url)));
  const happened = checks.reduce((sum, check) => sum + check.happened, 0);
  return {
    ...{ promise: `SIGKILL under write load`, engine, broken, beyond: [] },
    tried: `${kills} kills, ${ledger.acknowledged} acknowledged writes, ${doubts} in doubt (${happened} had happened)`,
    lost: `${broken.length} of ${ledger.tasks.size} tasks`,
    recovery: `median ${seconds(quantile(recoveries.slice(1), 0.5))}, longest ${seconds(Math.max(...recoveries.slice(1)))}`,
    figure: 'nothing acknowledged lost, doubled or half done',
  };
}

interface Load {
  readonly ledger: Ledger;
  readonly chance: Chance;
  readonly name: string;
}

/** Kills the server at a moment that chance decides, and returns what it answered wrongly before. */
async function writeUntilKilled(server: ServerProcess, { ledger, chance, name }: Load): Promise<string[]> {
  const client = await server.as('writer');
  const broken: string[] = [];
  let isOver = false;
  const writing = keepWriting(client, {
    ...{ ledger, chance, name, writers: 8, isOver: () => isOver },
    onAttempt: (sent, { mark }) => {
      if (sent.kind === 'undocumented') broken.push(sent.reason);
      if (sent.kind === 'answered' && sent.answer.status >= 300)
        broken.push(`${mark} was answered ${sent.answer.status}`);
    },
  });
  const enough = ledger.acknowledged + chance.between(10, 100);
  while (ledger.acknowledged < enough && broken.length === 0) await sleep(1);
  await sleep(chance.between(0, 20));
  await server.stop('SIGKILL');
  isOver = true;
  await writing;
  return broken;
}

async function checkAll(server: ServerProcess, ledger: Ledger): Promise<Checked> {
  return checkLedger(await server.as('writer'), ledger, [...ledger.tasks.keys()]);
}

/** What HTTP cannot show: entries whose task never was, and tasks and comments without an entry. */
async function strays(engine: Engine, url: string): Promise<string[]> {
  if (engine !== 'Postgres') return [];
  const { rows } = await run(
    url,
    `select 'audit entry without a task' as what, task_id as id from audit_logs l
     where not exists (select 1 from tasks t where t.id = l.task_id)
       and not exists (select 1 from audit_logs d where d.task_id = l.task_id and d.action = 'delete')
     union all
     select 'task without an audit entry', id from tasks t
     where not exists (select 1 from audit_logs l where l.task_id = t.id and l.action = 'create')
     union all
     select 'comment without an audit entry', id from comments c
     where not exists (select 1 from audit_logs l where l.task_id = c.task_id and l.action = 'comment')`,
  );
  return rows.map((row: { what: string; id: string }) => `${row.what}: ${row.id}`);
}
