import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { decisionsAbout } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { run } from '../../support/postgres.ts';
import { engine, isShareable, startTestServer, type TestServer } from '../../support/server.ts';

const kinds = ['start', 'start', 'start', 'approve', 'reject', 'cancel', 'delete', 'crash'] as const;

interface Step {
  readonly kind: (typeof kinds)[number];
  /** A number that selects the session, the run and the server of the step. */
  readonly choice: number;
  /** True if the next step does not wait for this one. */
  readonly isConcurrent: boolean;
}

const steps = fc.array(
  fc.record<Step>({ kind: fc.constantFrom(...kinds), choice: fc.nat(11), isConcurrent: fc.boolean() }),
  { minLength: 20, maxLength: 40 },
);

const withoutTurn = `
  select id, status from runs
  where status in ('queued', 'running', 'requires_action') and not exists (
    select from session_turns where session_turns.user_id = runs.user_id and session_turns.session_id = runs.session_id
  )`;

it.runIf(isShareable)('each session with an unfinished run has a turn, and no run is run twice', async () => {
  const server = await startTestServer({ env: noLimits });
  const other = await startTestServer({ env: noLimits, sharing: server });
  const url = server.env['DATABASE_URL'] ?? '';
  const rowsOf = async (query: string): Promise<unknown> => (await run(url, query)).rows;
  const clients = [await server.as('alice'), await other.as('alice')] as const;
  const agents = [
    await createAgent(clients[0]),
    await createAgent(clients[0], { approvals: ['create_task'] }),
  ] as const;
  let started = 0;

  const take = async ({ kind, choice }: Step): Promise<void> => {
    const client = clients[choice % 2 ? 1 : 0];
    const agent = agents[choice % 3 === 0 ? 1 : 0];
    const session = `${agent.id}-${choice % 4}`;
    if (kind === 'start') {
      const input = `create a task titled Task ${(started += 1)}.`;
      const body = { input, context: { session_id: session } };
      await client.send('runAgent', { id: agent.id, body, headers: { Prefer: 'respond-async' } });
    } else if (kind === 'delete') await client.send('deleteSession', { id: session });
    // The worker goes on while another one takes its turn, as if the first worker's process had been frozen.
    else if (kind === 'crash') await run(url, 'update session_turns set locked_until = now()');
    else await takeOfRun(client, kind, choice);
  };

  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const running: Promise<void>[] = [];
      for (const step of all) {
        running.push(take(step));
        if (!step.isConcurrent) await Promise.all(running.splice(0));
        // Not on Citus, where no statement can join the runs of users with their turns.
        if (engine === 'postgres') expect(await rowsOf(withoutTurn)).toEqual([]);
      }
      await Promise.all(running);
      await expect
        .poll(
          async () => {
            await takeOfRun(clients[0], 'approve', 0);
            return rowsOf(
              `select id, status from runs where status in ('queued', 'running', 'requires_action')`,
            );
          },
          { interval: 50 },
        )
        .toEqual([]);
    }),
    { numRuns: 6, endOnFailure: true },
  );

  await expect.poll(() => rowsOf('select * from session_turns')).toEqual([]);
  expect(await rowsOf('select title from tasks group by title having count(*) > 1')).toEqual([]);
});

/** Decides about a run that waits for a decision, or cancels a run that waits or is queued. */
async function takeOfRun(
  client: Client,
  kind: 'approve' | 'reject' | 'cancel',
  choice: number,
): Promise<void> {
  const status = kind === 'cancel' && choice % 2 ? 'queued' : 'requires_action';
  const { runs } = (await client.ok('listRuns', { query: { status } })).body;
  const chosen = runs[choice % Math.max(1, runs.length)];
  if (chosen === undefined) return;
  if (kind === 'cancel') await client.send('cancelRun', { id: chosen.id });
  else await client.send('decideToolCalls', decisionsAbout(chosen, { approve: kind === 'approve' }));
}

// Not on Citus, where no statement can join the runs of all users with their turns.
describe.runIf(engine === 'postgres')('many queued runs', () => {
  it('are executed once, and in order in each session, if several servers start at the same time', async () => {
    const server = await startTestServer({ env: noLimits });
    await insertRuns(server, { runs: 40, perSession: 4 });

    await Promise.all([1, 2, 3].map(() => startTestServer({ sharing: server, env: noLimits })));

    const url = server.env['DATABASE_URL'] ?? '';
    const unfinished = `select from runs where status in ('queued', 'running')`;
    await expect.poll(async () => (await run(url, unfinished)).rowCount).toBe(0);
    const { rows } = await run(
      url,
      `select count(*)::int as runs, count(distinct tasks.id)::int as tasks, max(runs.attempt) as attempts,
         count(*) filter (where later.completed_at < runs.completed_at)::int as "outOfOrder"
       from runs join tasks on tasks.title = runs.id::text
         left join runs later on later.session_id = runs.session_id and later.seq = runs.seq + 1`,
    );
    expect(rows).toEqual([{ runs: 40, tasks: 40, attempts: 1, outOfOrder: 0 }]);
  });

  it('do not delay a run of another user', async () => {
    const server = await startTestServer({ env: noLimits });
    await insertRuns(server, { runs: 10_000, perSession: 1 });
    const bob = await server.as('bob');

    const { body } = await runAgent(bob, await createAgent(bob), 'list my tasks');

    expect(body.status).toBe('completed');
    const url = server.env['DATABASE_URL'] ?? '';
    expect((await run(url, 'select from session_turns')).rowCount).toBeGreaterThan(9000);
    await server.close();
    // The shutdown has interrupted runs, but none of them was started again.
    expect((await run(url, 'select from runs where attempt > 1')).rowCount).toBe(0);
  });
});

/** Inserts queued runs of alice in one statement. Each creates a task with the run's id as its title. */
async function insertRuns(
  server: TestServer,
  { runs, perSession }: { readonly runs: number; readonly perSession: number },
): Promise<void> {
  const { id: agentId } = await createAgent(await server.as('alice'));
  const userId = server.userId('alice');
  const numbers = `generate_series(0, ${runs - 1}) number`;
  const session = `'s' || number / ${perSession}`;
  await run(
    server.env['DATABASE_URL'] ?? '',
    `begin;
     insert into sessions (user_id, id, agent_id, message_count, created_at, updated_at)
       select distinct '${userId}', ${session}, '${agentId}'::uuid, ${perSession}, now(), now() from ${numbers};
     with run as (
       insert into runs (id, user_id, session_id, agent_id, status, context, runtime, created_at)
       select gen_random_uuid(), '${userId}', ${session}, '${agentId}', 'queued', '{}', 'builtin', now()
       from ${numbers} order by number
       returning id, session_id, seq)
     insert into messages (id, user_id, session_id, seq, run_id, role, content, is_error, actor_type, actor_id, created_at)
       select gen_random_uuid(), '${userId}', session_id, row_number() over (partition by session_id order by seq),
         id, 'user', 'create a task titled ' || id, false, 'human', '${userId}', now()
       from run;
     insert into session_turns (user_id, session_id, runtime, latest_run_id)
       select distinct on (session_id) user_id, session_id, runtime, id from runs order by session_id, seq desc;
     commit`,
  );
}
