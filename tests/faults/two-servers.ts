import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { createTask } from '../support/tasks.ts';
import { seconds, type Result, type ScenarioRun } from './scenario.ts';
import { startSlowModel } from './slow-model.ts';
import { startServer } from './server-process.ts';

const target = 'both agree';

/** Sends concurrent requests to two servers on one Postgres. */
export async function testTwoServers(run: ScenarioRun): Promise<Result[]> {
  // A takeover waits for a lease to expire, so it runs concurrently with the other checks.
  const [results, takeover] = await Promise.all([testAgreement(run), testRunTakeover(run)]);
  return [...results, takeover];
}

async function testAgreement(run: ScenarioRun): Promise<Result[]> {
  await using database = await run.databases.create('Postgres');
  const limits = { AGENT_REQUESTS_PER_MINUTE: String(requestsMax) };
  await using one = await startServer({ ...database.env, ...limits });
  await using other = await startServer({ ...database.env, ...limits });
  const both = async (user: string): Promise<readonly [Client, Client]> => [
    await one.clientFor(user),
    await other.clientFor(user),
  ];
  const times = run.isShort ? 20 : 200;
  const results = [
    await raceOnKey(await both('keys'), times),
    await raceOnVersion(await both('versions'), times),
    await shareLimit(await both('limits')),
    await shareSession(await both('sessions')),
  ];
  run.reportProgress('keys, versions, limits and sessions tested');
  return results;
}

interface Check {
  readonly promise: string;
  readonly workload: string;
  readonly recovery?: string;
}

function resultOf({ promise, workload, recovery = '' }: Check, violations: readonly string[]): Result {
  const lost = `${violations.length} disagreements`;
  return {
    promise: `two servers: ${promise}`,
    engine: 'Postgres',
    workload,
    lost,
    recovery,
    target,
    violations,
    overBudget: [],
  };
}

/** Sends one request with one key to both servers: the second gets a replay of the first response. */
async function raceOnKey(clients: readonly [Client, Client], times: number): Promise<Result> {
  const violations: string[] = [];
  for (let round = 0; round < times; round++) {
    const input = { body: { title: `key ${round}` }, headers: { 'Idempotency-Key': `key ${round}` } };
    const ids = await Promise.all(clients.map((client) => createdId(client, input)));
    if (new Set(ids).size !== 1) violations.push(`key ${round} created ${ids.join(' and ')}`);
  }
  const { count } = (await clients[0].ok('listTasks')).body;
  if (count !== times) violations.push(`${times} keys created ${count} tasks`);
  return resultOf({ promise: 'a key sent to both creates one task', workload: `${times} keys` }, violations);
}

async function createdId(client: Client, input: Parameters<Client['send']>[1]): Promise<string> {
  const { status, body } = await client.send('createTask', input);
  return status === 201 ? (body as { task: { id: string } }).task.id : `the response ${status}`;
}

/** Both servers update one version of a task, twice each. */
async function raceOnVersion(clients: readonly [Client, Client], times: number): Promise<Result> {
  const violations: string[] = [];
  for (let round = 0; round < times; round++) {
    const { id, etag } = await createTask(clients[0]);
    const responses = await Promise.all(
      [...clients, ...clients].map((client, index) =>
        client.send('updateTask', { id, body: { title: `${index}` }, headers: { 'If-Match': etag } }),
      ),
    );
    const winners = responses.filter(({ status }) => status === 200).length;
    const losers = responses.filter(({ status }) => status === 412).length;
    const { body: log } = await clients[1].ok('listAuditLogs', { id });
    if (winners !== 1 || losers !== 3 || log.length !== 2)
      violations.push(
        `of four updates of one version ${winners} succeeded, and the audit log has ${log.length} entries`,
      );
  }
  return resultOf(
    { promise: 'If-Match lets one update succeed', workload: `${times} races of four` },
    violations,
  );
}

// The limit of the runs of one agent is a twentieth of this number, and `shareSession` uses it up.
const requestsMax = 100;

async function shareLimit(clients: readonly [Client, Client]): Promise<Result> {
  const responses = await Promise.all(
    Array.from({ length: 2 * requestsMax }, (_, index) =>
      clients[index % 2 === 0 ? 0 : 1].send('listAgents'),
    ),
  );
  const passed = responses.filter(({ status }) => status === 200).length;
  const rejected = responses.filter(
    ({ status, headers }) => status === 429 && headers.has('Retry-After'),
  ).length;
  const violations =
    passed === requestsMax && rejected === requestsMax
      ? []
      : [`of ${2 * requestsMax} requests ${passed} passed and ${rejected} were rejected`];
  return resultOf(
    { promise: `a limit of ${requestsMax} is shared`, workload: `${2 * requestsMax} requests` },
    violations,
  );
}

async function shareSession([here, there]: readonly [Client, Client]): Promise<Result> {
  const agent = await createAgent(here);
  const context = { session_id: 'shared' };
  const violations: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { body: run } = await runAgent(round % 2 === 0 ? here : there, agent, 'list my tasks', { context });
    if (run.status !== 'completed') violations.push(`run ${round} is ${run.status}`);
  }
  const [mine, theirs] = [await messagesOf(here, 'shared'), await messagesOf(there, 'shared')];
  if (JSON.stringify(mine) !== JSON.stringify(theirs))
    violations.push('the two servers return different messages');
  const questions = mine.filter(({ role }) => role === 'user').length;
  if (questions !== 5) violations.push(`the session has ${questions} questions, not 5`);
  return resultOf({ promise: 'a session is shared', workload: '5 runs, alternating' }, violations);
}

/** A run starts on one server, which is killed; the other completes it. */
async function testRunTakeover({ databases }: ScenarioRun): Promise<Result> {
  // A separate database: the servers of the other checks do not have this runtime.
  await using database = await databases.create('Postgres');
  using model = await startSlowModel();
  const env = { ...database.env, ...model.env };
  await using one = await startServer(env);
  const here = await one.clientFor('runner');
  const agent = await createAgent(here, { runtime: 'slow' });
  const context = { session_id: 'taken-over' };
  await runAgent(here, agent, 'Think', { context, headers: { Prefer: 'respond-async' } });
  await model.requested(1);
  await using other = await startServer(env);
  await one.stop('SIGKILL');
  const killedMs = performance.now();
  model.respond();
  const there = await other.clientFor('runner');
  const status = await waitForRunEnd(there, 'taken-over');
  const recovery = `${seconds(performance.now() - killedMs)} after the kill`;
  const roles = (await messagesOf(there, 'taken-over')).map(({ role }) => role).join();
  const violations = [
    ...(status === 'completed' ? [] : [`the run is ${status}`]),
    ...(roles === 'user,assistant' ? [] : [`the session has ${roles}`]),
  ];
  return resultOf({ promise: 'a run survives its server', workload: '1 run', recovery }, violations);
}

async function waitForRunEnd(client: Client, sessionId: string): Promise<string> {
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
