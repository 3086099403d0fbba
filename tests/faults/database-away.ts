import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../server/src/operation.ts';
import { createAgent } from '../support/agents.ts';
import type { Client, Input } from '../support/client.ts';
import { attempt, type Attempt } from './attempt.ts';
import { checkLedger } from './check-ledger.ts';
import { above, seconds, type Finding, type Trial } from './finding.ts';
import { newLedger } from './ledger.ts';
import { startOwnPostgres, type Outage, type OwnPostgres } from './own-postgres.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { keepWriting } from './writers.ts';

const answerMs = 5000;
const returnMs = 5000;

/** Takes the database away in every way there is while the server is at work, and brings it back. */
export async function tryDatabaseAway(trial: Trial): Promise<Finding[]> {
  const outages: readonly Outage[] = trial.isShort
    ? ['killed', 'frozen']
    : ['stopped', 'stopped at once', 'killed', 'frozen'];
  await using postgres = await startOwnPostgres();
  await using server = await startServer({ DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' });
  const findings: Finding[] = [];
  for (const outage of outages) {
    findings.push(await outageUnderLoad(trial, { postgres, server, outage }));
    trial.say(outage);
  }
  return findings;
}

interface Scene {
  readonly postgres: OwnPostgres;
  readonly server: ServerProcess;
  readonly outage: Outage;
}

async function outageUnderLoad(
  { chance, isShort }: Trial,
  { postgres, server, outage }: Scene,
): Promise<Finding> {
  const writer = await server.as(`writer ${outage}`);
  const agent = await createAgent(writer);
  const ledger = newLedger();
  const attempts: Attempt[] = [];
  let isOver = false;
  const load = { ledger, chance, name: outage, writers: 4, isOver: () => isOver, goesOn: true };
  const onAttempt = (sent: Attempt): void => void attempts.push(sent);
  const working = [
    keepWriting(writer, { ...load, onAttempt }),
    keepAsking(await server.as('reader'), agent.id, { isOver: () => isOver, onAttempt }),
  ];
  await sleep(chance.between(500, 1000));
  await postgres.takeAway(outage);
  // What hangs, hangs for as long as the database is away.
  await sleep(isShort ? 6500 : chance.between(7000, 12_000));
  await postgres.bringBack();
  const backMs = await untilItWorks(writer);
  const runMs = await untilARunEnds(writer, agent.id);
  isOver = true;
  await Promise.all(working);
  const checked = await checkLedger(writer, ledger, [...ledger.tasks.keys()]);
  const broken = [...complaintsAbout(attempts), ...checked.broken];
  if (server.child.exitCode !== null) broken.push('the server has ended');
  return finding({ outage, attempts, backMs, runMs, acknowledged: ledger.acknowledged, broken });
}

interface Endured {
  readonly outage: Outage;
  readonly attempts: readonly Attempt[];
  readonly acknowledged: number;
  readonly backMs: number;
  readonly runMs: number;
  readonly broken: readonly string[];
}

function finding({ outage, attempts, acknowledged, backMs, runMs, broken }: Endured): Finding {
  const slowest = Math.max(...attempts.map(({ ms }) => ms));
  const failed = attempts.filter((sent) => sent.kind === 'answered' && sent.answer.status >= 500).length;
  return {
    promise: `Postgres ${outage} and back under load`,
    engine: 'Postgres',
    tried: `${attempts.length} requests, ${failed} answered 500 or 503, ${acknowledged} acknowledged writes`,
    lost: `${broken.length}`,
    recovery: `${seconds(backMs)} to the first 201, ${seconds(runMs)} to the end of a run; slowest answer ${seconds(slowest)}`,
    figure: 'documented 500 or 503 within 5 s; back within 5 s of the database, without a restart',
    broken,
    beyond: [
      ...above('the slowest answer took', slowest, answerMs, 'ms'),
      ...above('the return took', backMs, returnMs, 'ms'),
    ],
  };
}

function complaintsAbout(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap((sent) => {
    if (sent.kind !== 'answered') return [`${sent.kind}: ${sent.reason}`];
    const { status, body } = sent.answer;
    const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
    const isDocumented = status < 500 || (status === 500 && code === 'Database error') || status === 503;
    return isDocumented ? [] : [`an answer was ${status} ${code}`];
  });
}

/** Reads, charts and agents, of which charts need no database. */
async function keepAsking(
  client: Client,
  agentId: string,
  { isOver, onAttempt }: { isOver: () => boolean; onAttempt: (sent: Attempt) => void },
): Promise<void> {
  const requests: readonly (readonly [OperationId, Input])[] = [
    ['listTasks', {}],
    ['listAgents', {}],
    ['renderPng', { body: { data: [{ label: 'a', value: 1 }] } }],
    ['runAgent', { id: agentId, body: { input: 'list my tasks' } }],
  ];
  await Promise.all(
    requests.map(async ([operation, input]) => {
      while (!isOver()) {
        onAttempt(await attempt(client, operation, input));
        await sleep(20);
      }
    }),
  );
}

async function untilItWorks(client: Client): Promise<number> {
  const startMs = performance.now();
  while (performance.now() - startMs < 60_000) {
    const sent = await attempt(client, 'createTask', { body: { title: 'back' } });
    if (sent.kind === 'answered' && sent.answer.status === 201) {
      await client.ok('deleteTask', { id: (sent.answer.body as { task: { id: string } }).task.id });
      return performance.now() - startMs;
    }
    await sleep(20);
  }
  throw new Error('The service did not come back within a minute.');
}

async function untilARunEnds(client: Client, agentId: string): Promise<number> {
  const startMs = performance.now();
  await client.ok('runAgent', { id: agentId, body: { input: 'list my tasks' } });
  return performance.now() - startMs;
}
