import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgent, endedRun, noLimits, startRun } from '../../support/agents.ts';
import { waitingRun } from '../../support/approvals.ts';
import { run } from '../../support/postgres.ts';
import { engine, isShareable, startTestServer, type TestServer } from '../../support/server.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

afterEach(() => {
  vi.useRealTimers();
});

function query(
  server: TestServer,
  statement: string,
): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }> {
  return run(server.env['DATABASE_URL'] ?? '', statement);
}

/** Inserts queued runs without jobs. Each creates a task with the run's id as its title. */
async function insertRuns(
  server: TestServer,
  agentId: string,
  { runs, perSession }: { readonly runs: number; readonly perSession: number },
): Promise<void> {
  const session = `'s' || number / ${perSession}`;
  await query(
    server,
    `insert into sessions (user_id, id, agent_id, message_count, created_at, updated_at)
       select distinct 'alice', ${session}, '${agentId}'::uuid, ${perSession}, now(), now()
       from generate_series(0, ${runs - 1}) number;
     with run as (
       insert into runs (id, user_id, session_id, agent_id, status, context, runtime, created_at)
       select gen_random_uuid(), 'alice', ${session}, '${agentId}', 'queued', '{}', 'builtin', now()
       from generate_series(0, ${runs - 1}) number order by number
       returning id, session_id, seq)
     insert into messages (id, user_id, session_id, seq, run_id, role, content, is_error, actor_type, actor_id, created_at)
       select gen_random_uuid(), 'alice', session_id, row_number() over (partition by session_id order by seq),
         id, 'user', 'create a task titled ' || id, false, 'human', 'alice', now()
       from run`,
  );
}

const unfinished = `select count(*)::int from runs where status in ('queued', 'running')`;

describe.runIf(isShareable)('the queue of runs', () => {
  it('restores jobs that were lost while a server was running, and no others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const started = await startWithModel({ AGENT_CONCURRENCY: '1' });
    const { release } = await startedRun(started, 'first');
    await startRun(started.alice, started.agent, 'Two');

    await query(started.server, `delete from pgboss.job where name = 'runs' and state = 'created'`);
    vi.advanceTimersByTime(60_000);

    const jobsOfRuns = `select count(*)::int from pgboss.job
      where name = 'runs' and state <= 'active' group by data->>'runId'`;
    const once = [{ count: 1 }, { count: 1 }];
    await expect.poll(async () => (await query(started.server, jobsOfRuns)).rows).toEqual(once);
    release();
    await expect.poll(async () => (await query(started.server, unfinished)).rows).toEqual([{ count: 0 }]);
  });

  it('is repaired, and other approvals expire, if those of one run cannot', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log: string[] = [];
    const server = await startTestServer({ env: { ...noLimits, AGENT_APPROVAL_TIMEOUT_MS: '1' }, log });
    const alice = await server.as('alice');
    const agent = await createAgent(alice, { approvals: ['create_task'] });
    const broken = await waitingRun(alice, agent, 'Broken');
    await query(
      server,
      `update runs set required_action = jsonb_set(required_action::jsonb, '{tool_calls}', '5')`,
    );
    const overdue = await waitingRun(alice, agent, 'Overdue');
    await insertRuns(server, (await createAgent(alice)).id, { runs: 1, perSession: 1 });

    vi.advanceTimersByTime(60_000);

    expect((await endedRun(alice, overdue)).status).toBe('completed');
    await expect.poll(async () => (await query(server, unfinished)).rows).toEqual([{ count: 0 }]);
    expect(log.find((line) => line.includes('cannot queue unfinished runs'))).toContain(broken.id);
  });
});

describe.runIf(isShareable)('a run that waits for decisions', () => {
  it('gets no job when a server starts, and neither do those behind it', async () => {
    const server = await startTestServer({ env: noLimits });
    const alice = await server.as('alice');
    const agent = await createAgent(alice, { approvals: ['create_task'] });
    const first = await waitingRun(alice, agent, 'Never');
    const second = await startRun(alice, agent, 'list my tasks', 'Never');
    const open = `select 1 from pgboss.job where name = 'runs' and state <= 'active'`;
    await expect.poll(async () => (await query(server, open)).rowCount).toBe(0);

    await startTestServer({ sharing: server, env: noLimits });

    expect((await query(server, open)).rowCount).toBe(0);
    const statuses = [first, second].map(async ({ id }) => (await alice.ok('getRun', { id })).body.status);
    expect(await Promise.all(statuses)).toEqual(['requires_action', 'queued']);
  });
});

// Not on Citus, where no statement joins users' rows with the queue.
describe.runIf(engine === 'postgres')('the queue of runs, after jobs were lost,', () => {
  it('restores each missing job once if several servers start at the same time', async () => {
    const server = await startTestServer({ env: noLimits });
    const alice = await server.as('alice');
    await insertRuns(server, (await createAgent(alice)).id, { runs: 40, perSession: 4 });

    await Promise.all([1, 2, 3].map(() => startTestServer({ sharing: server, env: noLimits })));
    await expect.poll(async () => (await query(server, unfinished)).rows).toEqual([{ count: 0 }]);

    const { rows } = await query(
      server,
      `select count(*)::int as runs, count(distinct tasks.id)::int as tasks, max(runs.attempt) as attempts,
         count(*) filter (where later.completed_at < runs.completed_at)::int as "outOfOrder"
       from runs join tasks on tasks.title = runs.id::text
         left join runs later on later.session_id = runs.session_id and later.seq = runs.seq + 1`,
    );
    expect(rows).toEqual([{ runs: 40, tasks: 40, attempts: 1, outOfOrder: 0 }]);
  });

  it('restores more than a thousand missing jobs at once', async () => {
    // The pass of the next minute would restore the rest.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const server = await startTestServer({ env: noLimits });
    const alice = await server.as('alice');
    await insertRuns(server, (await createAgent(alice)).id, { runs: 1201, perSession: 3 });

    await startTestServer({ sharing: server, env: noLimits });

    const lost = `select count(*)::int from runs where status = 'queued'
      and not exists (select from pgboss.job where name = 'runs' and data->>'runId' = runs.id::text)`;
    await expect.poll(async () => (await query(server, lost)).rows).toEqual([{ count: 0 }]);
  });
});
