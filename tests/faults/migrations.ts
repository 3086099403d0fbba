import { run } from '../support/postgres.ts';
import { seconds, type Finding, type Trial } from './finding.ts';
import { runCommand, startServer } from './server-process.ts';

/** Starts many processes at once on a database without tables. */
export async function tryMigrations(trial: Trial): Promise<Finding[]> {
  const findings = [await atOnce(trial), await embeddedAtOnce(trial), await newerSchema(trial)];
  return findings;
}

async function atOnce({ isShort, databases }: Trial): Promise<Finding> {
  await using database = await databases.fresh('Postgres', { isBare: true });
  const count = isShort ? 2 : 4;
  const startMs = performance.now();
  const starting = Array.from({ length: count }, () => startServer(database.env));
  const migrating = Array.from({ length: count }, () => runCommand(['migrate'], database.env));
  const commands = await Promise.all(migrating);
  const servers = await Promise.allSettled(starting);
  const tookMs = performance.now() - startMs;
  const broken = commands.filter(({ code }) => code !== 0).map(({ output }) => `a command failed: ${output}`);
  for (const server of servers) {
    if (server.status === 'rejected') broken.push(String(server.reason));
    else await server.value.stop('SIGTERM');
  }
  const { rows } = await run(database.url, 'select name, count(*)::int from kysely_migration group by name');
  if (rows.some(({ count: times }: { count: number }) => times !== 1))
    broken.push('a migration is noted twice');
  const told = commands.filter(({ output }) => output.startsWith('Migrated')).length;
  if (told > 1) broken.push(`${told} commands say that they migrated`);
  return {
    promise: 'migrations started at once run once',
    engine: 'Postgres',
    tried: `${count} servers and ${count} commands at once`,
    lost: `${broken.length}`,
    recovery: `all were ready after ${seconds(tookMs)}`,
    figure: 'each migration once, all end well',
    broken,
    beyond: [],
  };
}

/** The embedded database belongs to one process; the others are told so. */
async function embeddedAtOnce({ databases }: Trial): Promise<Finding> {
  await using database = await databases.fresh('PGlite', { isBare: true });
  const commands = await Promise.all([1, 2, 3].map(() => runCommand(['migrate'], database.env)));
  const done = commands.filter(({ code }) => code === 0);
  const refused = commands.filter(
    ({ code, output }) => code === 1 && /^Another process uses the data folder/.test(output),
  );
  const isRight = done.length >= 1 && done.length + refused.length === commands.length;
  const again = await runCommand(['migrate'], database.env);
  const broken = isRight ? [] : commands.map(({ code, output }) => `exit code ${String(code)}: ${output}`);
  if (again.output !== 'The database is up to date.\n') broken.push(`afterwards: ${again.output}`);
  return {
    promise: 'migrations started at once run once',
    engine: 'PGlite',
    tried: '3 commands at once',
    lost: `${broken.length}`,
    recovery: `${done.length} migrated, ${refused.length} refused with a sentence`,
    figure: 'one process at a time',
    broken,
    beyond: [],
  };
}

async function newerSchema({ databases }: Trial): Promise<Finding> {
  await using database = await databases.fresh('Postgres');
  await run(
    database.url,
    `insert into kysely_migration (name, timestamp) values ('999-later', '2999-01-01')`,
  );
  const commands = [await runCommand(['serve'], database.env), await runCommand(['migrate'], database.env)];
  const sentence =
    /^The database was migrated by a newer version of this server \(999-later\)\. Start that version\.\n$/;
  const broken = commands
    .filter(({ code, output }) => code !== 1 || !sentence.test(output))
    .map(({ code, output }) => `exit code ${String(code)}: ${output}`);
  return {
    promise: 'a newer schema is refused',
    engine: 'Postgres',
    tried: 'serve and migrate',
    lost: `${broken.length}`,
    recovery: '',
    figure: 'a sentence and exit code 1',
    broken,
    beyond: [],
  };
}
