import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { openChangeStream } from '../support/change-stream.ts';
import type { Engine } from '../support/databases.ts';
import { onDatabase } from '../support/on-database.ts';
import { tokenFor } from '../support/tokens.ts';
import type { TestDatabase } from './databases.ts';
import { newLedger } from './ledger.ts';
import type { Random } from './random.ts';
import { type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { runWriters } from './writers.ts';

const user = 'follower';
const readerCount = 3;

/** Follows the changes of a user while servers are killed, transactions commit late and readers reconnect. */
export async function testChanges(run: ScenarioRun): Promise<Result[]> {
  const engines: Engine[] = ['pglite', 'postgres'];
  if (process.env['TEST_CITUS_URL'] !== undefined) engines.push('citus');
  const results: Result[] = [];
  for (const engine of engines) results.push(await followChanges(run, engine));
  return results;
}

/** The changes that a reader has received, in order. */
interface Reader {
  readonly received: { readonly id: string; readonly taskId: string }[];
  after: string;
}

/** The running servers. A killed server is replaced. */
type Servers = [ServerProcess, ...ServerProcess[]];

async function followChanges(run: ScenarioRun, engine: Engine): Promise<Result> {
  const { isShort, random, databases, reportProgress } = run;
  // The embedded database is slower, and its server takes longer to restart.
  const slowness = engine === 'pglite' ? 4 : 1;
  const changesMin = (isShort ? 1500 : 45_000) / slowness;
  await using database = await databases.create(engine);
  const servers: Servers = [await startServer(database.env)];
  if (engine !== 'pglite') servers.push(await startServer(database.env));
  const readers = Array.from({ length: readerCount }, (): Reader => ({ received: [], after: '0' }));
  let isDone = false;
  let isRead = false;
  const reading = readers.map((reader) => read(reader, servers, random, () => isRead));
  const writing = [
    ...Array.from({ length: 2 }, (_, n) =>
      writeUntil(() => isDone, { servers, random, name: `writer ${n}` }),
    ),
    ...(engine === 'pglite' ? [] : [commitLate(database.url, random, () => isDone)]),
  ];
  let kills = 0;
  while (readers.some(({ received }) => received.length < changesMin)) {
    await sleep(random.integerBetween(1000, 3000) * slowness);
    await replaceOne(servers, database, random);
    kills += 1;
    reportProgress(
      `${engine}: kill ${kills}, ${readers.map(({ received }) => received.length).join(', ')} changes read`,
    );
  }
  isDone = true;
  await Promise.all(writing);
  await waitUntilCaughtUp(readers);
  isRead = true;
  await Promise.all(reading);
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  const recorded = await recordedChanges(database);
  const violations = readers.flatMap((reader, n) =>
    compare(reader, recorded).map((each) => `reader ${n}: ${each}`),
  );
  return {
    promise: 'every change reaches every reader once, those of a task in order',
    engine,
    workload: `${recorded.length} changes, ${kills} kills, ${readerCount} readers that reconnect at random`,
    measured: '',
    violations,
    overBudget: [],
  };
}

/** Opens one stream after the other, each from a random server, and reads it for a random time. */
async function read(reader: Reader, servers: Servers, random: Random, isDone: () => boolean): Promise<void> {
  const token = await tokenFor(user);
  while (!isDone()) {
    try {
      const stream = await openChangeStream(random.pick(servers), token, { after: reader.after });
      await sleep(random.integerBetween(20, 1500));
      for (const { id, task_id: taskId, cursor } of stream.drain()) {
        reader.received.push({ id, taskId });
        reader.after = cursor;
      }
      stream.close();
    } catch {
      // The server was killed, so this waits a little before it tries again.
      await sleep(50);
    }
  }
}

async function writeUntil(
  isDone: () => boolean,
  { servers, random, name }: { readonly servers: Servers; readonly random: Random; readonly name: string },
): Promise<void> {
  const ledger = newLedger();
  while (!isDone()) {
    const client = await random.pick(servers).clientFor(user);
    // Returns when the server is killed.
    await runWriters(client, { ledger, random, name, writers: 4, isDone });
    await sleep(20);
  }
}

/** Records changes like a server, but in transactions that commit at random times and so in another order. */
async function commitLate(url: string, random: Random, isDone: () => boolean): Promise<void> {
  const writers = Array.from({ length: 4 }, async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'worktable' });
    await client.connect();
    while (!isDone()) {
      await client.query('begin');
      await client.query(
        `insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
         values ($1, $2, $3, 'create', 'human', $3, '{}', now())`,
        [randomUUID(), randomUUID(), user],
      );
      await sleep(random.integerBetween(0, 300));
      await client.query(random.next() < 0.9 ? 'commit' : 'rollback');
    }
    await client.end();
  });
  await Promise.all(writers);
}

async function replaceOne(servers: Servers, database: TestDatabase, random: Random): Promise<void> {
  const index = random.integerBetween(0, servers.length - 1);
  await servers[index]?.stop('SIGKILL');
  servers[index] = await startServer(database.env);
}

/** Waits until the readers receive no further changes. */
async function waitUntilCaughtUp(readers: readonly Reader[]): Promise<void> {
  const countAll = (): number => readers.reduce((sum, { received }) => sum + received.length, 0);
  // Five seconds are long enough, because each reader opens a new stream at least every two seconds.
  for (let count = -1; count !== countAll();) {
    count = countAll();
    await sleep(5000);
  }
}

interface Recorded {
  readonly id: string;
  readonly task_id: string;
}

/** The changes in the database, in order for each task. */
async function recordedChanges({ env }: TestDatabase): Promise<Recorded[]> {
  const query = sql<Recorded>`select id, task_id from audit_logs where user_id = ${user} order by seq`;
  return (await onDatabase(env, (db) => query.execute(db))).rows;
}

function compare({ received }: Reader, recorded: readonly Recorded[]): string[] {
  const ids = new Set(received.map(({ id }) => id));
  const missing = recorded.filter(({ id }) => !ids.has(id)).length;
  const unknown = ids.size + missing - recorded.length;
  const byTask = Map.groupBy(received, ({ taskId }) => taskId);
  const outOfOrder = [...Map.groupBy(recorded, ({ task_id: taskId }) => taskId)].filter(
    ([taskId, changes]) => {
      const read = (byTask.get(taskId) ?? []).map(({ id }) => id);
      return read.join() !== changes.map(({ id }) => id).join();
    },
  );
  return [
    ...(missing > 0 ? [`${missing} changes are missing`] : []),
    ...(received.length > ids.size ? [`${received.length - ids.size} changes came twice`] : []),
    ...(unknown > 0 ? [`${unknown} changes are not in the database`] : []),
    ...(outOfOrder.length > 0 ? [`the changes of ${outOfOrder.length} tasks are out of order`] : []),
  ];
}
