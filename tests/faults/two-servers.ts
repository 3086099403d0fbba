import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { createTask } from '../support/tasks.ts';
import { seconds, type Finding, type Trial } from './finding.ts';
import { startSlowModel } from './model.ts';
import { startServer } from './server-process.ts';

const figure = 'both agree';

/** Two processes on one Postgres are asked at the same time. */
export async function tryTwoServers(trial: Trial): Promise<Finding[]> {
  // It takes a while to be sure that a server is dead, so this goes on beside the others.
  const [findings, outlived] = await Promise.all([agreements(trial), takenOverRun(trial)]);
  return [...findings, outlived];
}

async function agreements(trial: Trial): Promise<Finding[]> {
  await using database = await trial.databases.fresh('Postgres');
  const limits = { RATE_LIMIT_REQUESTS_PER_CALLER: '20' };
  await using one = await startServer({ ...database.env, ...limits });
  await using other = await startServer({ ...database.env, ...limits });
  const both = async (user: string): Promise<readonly [Client, Client]> => [
    await one.as(user),
    await other.as(user),
  ];
  const times = trial.isShort ? 20 : 200;
  const findings = [
    await sameKey(await both('keys'), times),
    await sameVersion(await both('versions'), times),
    await sharedLimit(await both('limits')),
    await sharedSession(await both('sessions')),
  ];
  trial.say('keys, versions, limits and sessions are tried');
  return findings;
}

interface Tried {
  readonly promise: string;
  readonly tried: string;
  readonly recovery?: string;
}

function finding({ promise, tried, recovery = '' }: Tried, broken: readonly string[]): Finding {
  const lost = `${broken.length} disagreements`;
  return {
    promise: `two servers: ${promise}`,
    engine: 'Postgres',
    tried,
    lost,
    recovery,
    figure,
    broken,
    beyond: [],
  };
}

/** Sends one request under one key to both at once: whoever is second is told to come back, or told the same. */
async function sameKey(clients: readonly [Client, Client], times: number): Promise<Finding> {
  const broken: string[] = [];
  for (let turn = 0; turn < times; turn++) {
    const input = { body: { title: `key ${turn}` }, headers: { 'Idempotency-Key': `key ${turn}` } };
    const ids = await Promise.all(clients.map((client) => untilCreated(client, input)));
    if (new Set(ids).size !== 1) broken.push(`key ${turn} made ${ids.join(' and ')}`);
  }
  const { count } = (await clients[0].ok('listTasks')).body;
  if (count !== times) broken.push(`${times} keys made ${count} tasks`);
  return finding({ promise: 'one key at both at once makes one task', tried: `${times} keys` }, broken);
}

async function untilCreated(client: Client, input: Parameters<Client['send']>[1]): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const { status, body } = await client.send('createTask', input);
    if (status === 201) return (body as { task: { id: string } }).task.id;
    if (status !== 409) return `the answer ${status}`;
    await sleep(10);
  }
  return 'nothing';
}

/** Both change one version of a task, several times each. */
async function sameVersion(clients: readonly [Client, Client], times: number): Promise<Finding> {
  const broken: string[] = [];
  for (let turn = 0; turn < times; turn++) {
    const { id } = await createTask(clients[0]);
    const answers = await Promise.all(
      [...clients, ...clients].map((client, index) =>
        client.send('updateTask', { id, body: { title: `${index}` }, headers: { 'If-Match': '"1"' } }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200).length;
    const losers = answers.filter(({ status }) => status === 412).length;
    const { body: log } = await clients[1].ok('listAuditLogs', { id });
    if (winners !== 1 || losers !== 3 || log.length !== 2)
      broken.push(`of four changes of one version ${winners} won, and the log has ${log.length} entries`);
  }
  return finding({ promise: 'If-Match has one winner', tried: `${times} races of four` }, broken);
}

async function sharedLimit(clients: readonly [Client, Client]): Promise<Finding> {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => clients[index % 2 === 0 ? 0 : 1].send('listAgents')),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(
    ({ status, headers }) => status === 429 && headers.has('Retry-After'),
  ).length;
  const broken =
    passed === 20 && refused === 20 ? [] : [`of 40 requests ${passed} passed and ${refused} were refused`];
  return finding({ promise: 'a limit of 20 is shared', tried: '40 requests' }, broken);
}

async function sharedSession([here, there]: readonly [Client, Client]): Promise<Finding> {
  const agent = await createAgent(here);
  const context = { session_id: 'shared' };
  const broken: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const { body: run } = await runAgent(turn % 2 === 0 ? here : there, agent, 'list my tasks', { context });
    if (run.status !== 'completed') broken.push(`run ${turn} is ${run.status}`);
  }
  const [mine, theirs] = [await messagesOf(here, 'shared'), await messagesOf(there, 'shared')];
  if (JSON.stringify(mine) !== JSON.stringify(theirs)) broken.push('the two tell different messages');
  const asked = mine.filter(({ role }) => role === 'user').length;
  if (asked !== 5) broken.push(`the session has ${asked} questions, not 5`);
  return finding({ promise: 'a session is one', tried: '5 runs, by turns' }, broken);
}

/** A run begins on one server, which is killed; the other ends it. */
async function takenOverRun({ databases }: Trial): Promise<Finding> {
  // Of its own: the other two know nothing of this runtime.
  await using database = await databases.fresh('Postgres');
  using model = await startSlowModel();
  const env = { ...database.env, ...model.env };
  await using one = await startServer(env);
  const here = await one.as('runner');
  const agent = await createAgent(here, { runtime: 'slow' });
  const context = { session_id: 'taken-over' };
  await runAgent(here, agent, 'Think', { context, headers: { Prefer: 'respond-async' } });
  await model.asked(1);
  await using other = await startServer(env);
  await one.stop('SIGKILL');
  const diedMs = performance.now();
  model.wakeUp();
  const there = await other.as('runner');
  const outcome = await finished(there, 'taken-over');
  const recovery = `${seconds(performance.now() - diedMs)} after the kill`;
  const roles = (await messagesOf(there, 'taken-over')).map(({ role }) => role).join();
  const broken = [
    ...(outcome === 'completed' ? [] : [`the run is ${outcome}`]),
    ...(roles === 'user,assistant' ? [] : [`the session has ${roles}`]),
  ];
  return finding({ promise: 'a run outlives its server', tried: '1 run', recovery }, broken);
}

async function finished(client: Client, sessionId: string): Promise<string> {
  const startMs = performance.now();
  let status = 'unknown';
  while (performance.now() - startMs < 60_000) {
    const { run } = (await client.ok('getSession', { id: sessionId })).body;
    status = run?.status ?? 'unknown';
    if (['completed', 'failed'].includes(status)) return status;
    await sleep(200);
  }
  return status;
}
