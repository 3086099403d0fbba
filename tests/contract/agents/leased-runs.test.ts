import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { newAgent } from '../../../server/src/agents/agent.ts';
import { insertAgent } from '../../../server/src/agents/agent-store.ts';
import { openSession } from '../../../server/src/agents/sessions/session-store.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import { timestamp } from '../../../server/src/db/timestamps.ts';
import { newId } from '../../../server/src/lib/ids.ts';
import { addUsage, leaseRun } from '../../../server/src/agents/runs/lease.ts';
import { findRun, insertRun, newRun } from '../../../server/src/agents/runs/run-store.ts';
import { requireSession } from '../../../server/src/agents/sessions/find-sessions.ts';
import { cleanUpAfter } from '../../support/cleanup.ts';
import { testConfig } from '../../support/config.ts';
import { run as runStatement, runConnection } from '../../support/postgres.ts';
import { createDatabase, engine, isShareable, type TestServer } from '../../support/server.ts';
import { finishedSession, startRun } from '../../support/agents.ts';
import { textResponse } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

let runs: Awaited<ReturnType<typeof openStoredRuns>>;

beforeEach(async () => {
  runs = await openStoredRuns();
});

describe('leaseRun', () => {
  it.each(['25 days', '300 years', '-25 days'])(
    'leases a run that started %s ago, and never with a negative age',
    async (age) => {
      const id = await runs.add();
      await sql`update runs set status = 'running', started_at = now() - ${age}::interval`.execute(runs.db);

      const leased = await runs.lease();

      expect(leased?.id).toBe(id);
      expect((leased?.executionMs ?? NaN) > 0).toBe(!age.startsWith('-'));
      expect(leased?.executionMs).toBeGreaterThanOrEqual(0);
    },
  );
});

describe.runIf(engine === 'postgres')('leaseRun, while another worker finishes the run', () => {
  const finish = `begin; update runs set status = 'failed', error = '{}', completed_at = now() where id`;

  /** Leases a run while another transaction, which has finished the run, is not committed. */
  function leaseWhileFinishing(id: string): ReturnType<typeof runs.lease> {
    return runConnection(runs.url, async (connection) => {
      await connection.query(`${finish} = '${id}'`);
      const leasing = runs.lease();
      await connection.waitUntilSomeoneWaits();
      await connection.query('commit');
      return leasing;
    });
  }

  it('does not start a finished run again', async () => {
    const id = await runs.add();

    const leased = await leaseWhileFinishing(id);

    expect(leased).toBeUndefined();
    expect((await findRun(runs.db, { id, userId: 'alice' }))?.status).toBe('failed');
  });

  it('leases the next run of the session', async () => {
    const id = await runs.add();
    const next = await runs.add();

    const leased = await leaseWhileFinishing(id);

    expect([leased?.id, leased?.attempt]).toEqual([next, 1]);
  });
});

describe('the usage of a run', () => {
  it.each([
    ['one step', [4_000_000_000]],
    ['several steps', [2_000_000_000, 2_000_000_000]],
  ])('is capped at the largest integer for %s', async (_kind, steps) => {
    await runs.add();
    const leased = await runs.lease();
    if (leased === undefined) throw new Error('The run was not leased.');

    for (const tokens of steps)
      await addUsage(runs.db, leased, { input_tokens: tokens, output_tokens: tokens });

    const usage = (await findRun(runs.db, leased))?.usage;
    expect(usage).toEqual({ input_tokens: 2_147_483_647, output_tokens: 2_147_483_647 });
  });

  it('adds up in requireSession, even beyond the largest integer', async () => {
    for (const each of [runs, runs, runs]) await each.add();
    await sql`update runs set input_tokens = 2000000000, output_tokens = 2000000000`.execute(runs.db);

    const session = await requireSession(runs.db, runs.session);

    expect(session.usage).toEqual({ input_tokens: 6_000_000_000, output_tokens: 6_000_000_000 });
  });
});

/** Opens a database with a session. No server executes its runs. */
async function openStoredRuns() {
  const created = await createDatabase();
  const config = testConfig({ dataDir: created.env['DATA_DIR'] ?? '', env: created.env });
  const database = await openDatabase(config);
  // Cleanups run in reverse order, so this one runs before the database is dropped.
  cleanUpAfter(() => database.close());
  const { db } = database;
  const session = { id: 'stored', userId: 'alice' };
  const agent = {
    ...newAgent({ name: 'Planner', skills: [], approvals: [] }, 'builtin'),
    id: newId(),
    created_at: timestamp(),
  };
  await insertAgent({ ...agent, user_id: session.userId })(db);
  await openSession(db, session, agent.id);
  return {
    db,
    // Empty for PGlite.
    url: created.env['DATABASE_URL'] ?? '',
    session,
    /** Adds a queued run to the session. Resolves to its id. */
    add: async () => {
      const run = newRun(session, agent, null);
      await insertRun(db, run, session.userId, {});
      return run.id;
    },
    lease: () => leaseRun(db, session),
  };
}

const interrupted = 'a run was interrupted and will be retried';

async function startServer() {
  const log: string[] = [];
  const env = { AGENT_CONCURRENCY: '1', LOG_LEVEL: 'warn' };
  return { log, ...(await startWithModel(env, { skills: [] }, {}, log)) };
}

function query({ env }: TestServer, statement: string): Promise<unknown> {
  return runStatement(env['DATABASE_URL'] ?? '', statement);
}

describe.runIf(engine === 'postgres')('a run that cannot be leased', () => {
  it('is retried, and the log contains the cause', async () => {
    const { server, log, model, alice, agent } = await startServer();
    model.respondWith(textResponse('Done.'));
    await query(
      server,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$;
       create trigger refuse before update on runs for each row execute function refuse()`,
    );

    const run = await startRun(alice, agent, 'Hi', 'refused');

    await expect.poll(() => log.find((line) => line.includes(interrupted))).toBeDefined();
    const line = JSON.parse(log.find((each) => each.includes(interrupted)) ?? '') as unknown;
    expect(line).toMatchObject({ level: 40, run_id: run.id, session_id: 'refused', user: 'alice' });
    expect(JSON.stringify(line)).toContain('refused by the test');
    await query(server, 'drop trigger refuse on runs');
    expect((await finishedSession(alice, 'refused')).run).toMatchObject({ id: run.id, output: 'Done.' });
  });
});

it('a run that returns to the queue at shutdown is not logged as interrupted', async () => {
  const started = await startServer();
  await startedRun(started, 'waiting');

  await started.server.close();

  expect(started.log.filter((line) => line.includes(interrupted))).toEqual([]);
});

describe.runIf(isShareable)('a run that started 25 days ago', () => {
  spec('getSession', 200, 'ends with a timeout, although its age does not fit into an integer', async () => {
    const started = await startServer();
    const { server, alice, agent } = started;
    const { release } = await startedRun(started, 'first');
    await startRun(alice, agent, 'Hi', 'old');
    await query(server, `update runs set started_at = now() - interval '25 days' where session_id = 'old'`);
    release();

    await expect
      .poll(async () => (await alice.ok('getSession', { id: 'old' })).body.run)
      .toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  });
});
