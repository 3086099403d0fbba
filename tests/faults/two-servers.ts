import type { Client } from '../support/client.ts';
import { run as query } from '../support/postgres.ts';
import { endOf, spawnCli } from '../support/server-process.ts';
import { createTask } from '../support/tasks.ts';
import type { Result, ScenarioRun } from './scenario.ts';
import { startServer } from './server-process.ts';

/** Starts servers and commands at the same time on an empty Postgres, and sends concurrent requests to two servers. */
export async function testTwoServers(run: ScenarioRun): Promise<Result[]> {
  await using database = await run.databases.create('postgres');
  await query(database.url, 'drop schema public cascade; create schema public');
  const starting = [startServer(database.env), startServer(database.env)] as const;
  const migrating = [1, 2].map(() => endOf(spawnCli(['migrate'], database.env)));
  const [one, other] = await Promise.all(starting);
  await using first = one;
  await using second = other;
  const commands = await Promise.all(migrating);
  const both = async (user: string): Promise<readonly [Client, Client]> => [
    await first.clientFor(user),
    await second.clientFor(user),
  ];
  const times = run.isShort ? 20 : 200;
  return [
    resultOf(
      { promise: 'concurrent migrations run once', workload: '2 servers and 2 commands' },
      await migrationViolations(database.url, commands),
    ),
    await raceOnKey(await both('keys'), times),
    await raceOnVersion(await both('versions'), times),
  ];
}

async function migrationViolations(
  url: string,
  commands: readonly { readonly code: number | null; readonly output: string }[],
): Promise<string[]> {
  const { rows } = await query(url, 'select name from kysely_migration group by name having count(*) > 1');
  const migrated = commands.filter(({ output }) => output.startsWith('Migrated')).length;
  return [
    ...commands.filter(({ code }) => code !== 0).map(({ output }) => `a command failed: ${output}`),
    ...rows.map(({ name }: { name: string }) => `the migration ${name} is recorded more than once`),
    ...(migrated > 1 ? [`${migrated} commands reported that they migrated`] : []),
  ];
}

interface Check {
  readonly promise: string;
  readonly workload: string;
}

function resultOf({ promise, workload }: Check, violations: readonly string[]): Result {
  const lost = `${violations.length} disagreements`;
  return {
    promise: `two servers: ${promise}`,
    engine: 'postgres',
    workload,
    lost,
    recovery: '',
    target: 'both agree',
    violations,
    overBudget: [],
  };
}

/** Sends a request with the same key to both servers. One response must be a replay of the other. */
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

/** Sends two updates of the same version of a task to each server. */
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
