import { beforeAll, describe, expect, it } from 'vitest';
import { lockKey } from '../../server/src/db/advisory-lock.ts';
import { noLimits } from '../support/agents.ts';
import { hasPgbouncer, pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.ts';
import { databaseName, run, runConnection } from '../support/postgres.ts';
import { journey } from '../support/journey.ts';
import { runCli, startProcess } from '../support/process.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { alterDatabase, european, type Settings } from '../support/session-settings.ts';
import { createTask } from '../support/tasks.ts';
import { secret } from '../support/tokens.ts';

if (engine === 'postgres' && !hasPgbouncer) console.warn(pgbouncerMissing);

describe.runIf(engine === 'postgres' && hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let direct: string;
  let pooler: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    direct = database.env['DATABASE_URL'] ?? '';
    const name = databaseName(direct);
    await run(direct, `alter database ${name} set statement_timeout = '2s'`);
    await run(direct, `alter database ${name} set lock_timeout = '1s'`);
    pooler = await startPgbouncer(direct);
    env = { ...noLimits, ...database.env, DATABASE_URL: pooler };
  });

  it('processes that migrate at the same time migrate once, and wait longer than a statement may take', async () => {
    await run(direct, 'drop schema public cascade; create schema public');

    const migrations = await runConnection(direct, async (connection) => {
      await connection.query(`begin; select pg_advisory_xact_lock(${lockKey('migrations')})`);
      const started = [1, 2, 3].map(() => runCli(['migrate'], env));
      await connection.waitUntilSomeoneWaits();
      await connection.query('select pg_sleep(1.5); select pg_sleep(1)');
      await connection.query('commit');
      return Promise.all(started);
    });

    const outcomes = migrations.map(
      ({ output }) => /^(?:Migrated|The database is up to date)/m.exec(output)?.[0],
    );
    expect(outcomes.sort()).toEqual(['Migrated', 'The database is up to date', 'The database is up to date']);
  });

  it('settings that would change answers stop the start until they are corrected', async () => {
    const own = await createDatabase();
    await alterDatabase(own, withoutLimits(european));
    const behind = await startPgbouncer(own.env['DATABASE_URL'] ?? '');
    const settings = { ...env, DATABASE_URL: behind, JWT_SECRET: secret };

    const { code, output } = await runCli(['serve'], settings);

    expect(code).toBe(1);
    expect(output).toContain(`DateStyle = 'SQL, DMY'`);
    for (const [, setting = '', value = ''] of output.matchAll(/(\w+) = '[^']*', not '([^']*)'/g))
      await alterDatabase(own, { [setting]: value });
    const again = await startPgbouncer(own.env['DATABASE_URL'] ?? '');
    const plain = await startTestServer({ env: noLimits });
    const server = await startProcess({ ...settings, DATABASE_URL: again });
    const alice = await server.as('alice');
    expect(await journey(alice)).toEqual(await journey(await plain.as('alice')));
  });

  it('a request is refused while PgBouncer has no connection for it', async () => {
    const server = await startProcess({ ...env, JWT_SECRET: secret, DATABASE_STATEMENT_TIMEOUT: '10s' });
    const alice = await server.as('alice');
    await alice.ok('listTasks');
    const begin = 'set lock_timeout = 0; begin; select 1';

    const hold = (others: number): Promise<unknown> =>
      others === 0
        ? alice.fails('listTasks', 503)
        : runConnection(pooler, async (connection) => {
            await connection.query(begin);
            return hold(others - 1);
          });
    await hold(5);

    await expect.poll(async () => (await alice.send('listTasks')).status).toBe(200);
  });

  it('a statement waits no longer than the database allows', async () => {
    const server = await startProcess({ ...env, JWT_SECRET: secret });
    const alice = await server.as('alice');
    const task = await createTask(alice);

    const refused = await runConnection(direct, async (connection) => {
      await connection.query('begin; lock table tasks in access exclusive mode');
      const answer = await alice.fails('getTask', 503, { id: task.id });
      await connection.query('rollback');
      return answer;
    });

    expect(refused.body.code).toBe('Overloaded');
  });
});

function withoutLimits(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('timeout')));
}
