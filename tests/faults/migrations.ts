import { run as query } from '../support/postgres.ts';
import { seconds, type Result, type ScenarioRun } from './scenario.ts';
import { runCommand, startServer } from './server-process.ts';

/** Starts several processes concurrently on a database without tables. */
export async function testMigrations(run: ScenarioRun): Promise<Result[]> {
  return [
    await migrateConcurrently(run),
    await migrateEmbeddedConcurrently(run),
    await startOnNewerSchema(run),
  ];
}

async function migrateConcurrently({ isShort, databases }: ScenarioRun): Promise<Result> {
  await using database = await databases.create('Postgres', { isEmpty: true });
  const count = isShort ? 2 : 4;
  const startMs = performance.now();
  const starting = Array.from({ length: count }, () => startServer(database.env));
  const migrating = Array.from({ length: count }, () => runCommand(['migrate'], database.env));
  const commands = await Promise.all(migrating);
  const servers = await Promise.allSettled(starting);
  const tookMs = performance.now() - startMs;
  const violations = commands
    .filter(({ code }) => code !== 0)
    .map(({ output }) => `a command failed: ${output}`);
  for (const server of servers) {
    if (server.status === 'rejected') violations.push(String(server.reason));
    else await server.value.stop('SIGTERM');
  }
  const { rows } = await query(
    database.url,
    'select name, count(*)::int from kysely_migration group by name',
  );
  if (rows.some(({ count: times }: { count: number }) => times !== 1))
    violations.push('a migration is recorded more than once');
  const migrated = commands.filter(({ output }) => output.startsWith('Migrated')).length;
  if (migrated > 1) violations.push(`${migrated} commands reported that they migrated`);
  return {
    promise: 'concurrent migrations run once',
    engine: 'Postgres',
    workload: `${count} servers and ${count} commands, concurrently`,
    lost: `${violations.length}`,
    recovery: `all ready after ${seconds(tookMs)}`,
    target: 'each migration applied once, every process succeeds',
    violations,
    overBudget: [],
  };
}

/** Only one process can open the embedded database; the others exit with a message. */
async function migrateEmbeddedConcurrently({ databases }: ScenarioRun): Promise<Result> {
  await using database = await databases.create('PGlite', { isEmpty: true });
  const commands = await Promise.all([1, 2, 3].map(() => runCommand(['migrate'], database.env)));
  const succeeded = commands.filter(({ code }) => code === 0);
  const refused = commands.filter(
    ({ code, output }) => code === 1 && /^Another process uses the data folder/.test(output),
  );
  const isCorrect = succeeded.length >= 1 && succeeded.length + refused.length === commands.length;
  const again = await runCommand(['migrate'], database.env);
  const violations = isCorrect
    ? []
    : commands.map(({ code, output }) => `exit code ${String(code)}: ${output}`);
  if (again.output !== 'The database is up to date.\n') violations.push(`afterwards: ${again.output}`);
  return {
    promise: 'concurrent migrations run once',
    engine: 'PGlite',
    workload: '3 concurrent commands',
    lost: `${violations.length}`,
    recovery: `${succeeded.length} migrated, ${refused.length} refused with a message`,
    target: 'one process at a time',
    violations,
    overBudget: [],
  };
}

async function startOnNewerSchema({ databases }: ScenarioRun): Promise<Result> {
  await using database = await databases.create('Postgres');
  await query(
    database.url,
    `insert into kysely_migration (name, timestamp) values ('999-later', '2999-01-01')`,
  );
  const commands = [await runCommand(['serve'], database.env), await runCommand(['migrate'], database.env)];
  const message =
    /^A newer version of this server has changed the database \(999-later\) so that this version cannot use it\. Start the newer version\.\n$/;
  const violations = commands
    .filter(({ code, output }) => code !== 1 || !message.test(output))
    .map(({ code, output }) => `exit code ${String(code)}: ${output}`);
  return {
    promise: 'a newer schema prevents the start',
    engine: 'Postgres',
    workload: 'serve and migrate',
    lost: `${violations.length}`,
    recovery: '',
    target: 'a message and exit code 1',
    violations,
    overBudget: [],
  };
}
