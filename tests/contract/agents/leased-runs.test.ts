import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addUsage } from '../../../server/src/agents/runs/lease.ts';
import { findRun } from '../../../server/src/agents/runs/run-store.ts';
import { findSession } from '../../../server/src/agents/sessions/find-sessions.ts';
import { runConnection } from '../../support/postgres.ts';
import { engine } from '../../support/server.ts';
import { openStoredRuns, type StoredRuns } from './stored-runs.ts';

const opened: StoredRuns[] = [];
let runs: StoredRuns;

beforeEach(async () => {
  runs = await openStoredRuns();
  opened.push(runs);
});

afterAll(async () => {
  for (const each of opened) await each.close();
});

describe('leaseRun', () => {
  it.each(['25 days', '300 years', '-25 days'])(
    'leases a run that started %s ago, and never with a negative age',
    async (age) => {
      const id = await runs.add();
      await sql`update runs set status = 'running', started_at = now() - ${age}::interval`.execute(runs.db);

      const leased = await runs.lease();

      expect(leased?.id).toBe(id);
      expect((leased?.elapsedMs ?? NaN) > 0).toBe(!age.startsWith('-'));
      expect(leased?.elapsedMs).toBeGreaterThanOrEqual(0);
    },
  );
});

describe.runIf(engine === 'postgres')('leaseRun, while another worker finishes the run', () => {
  const finish = `begin; update runs set status = 'failed', error = '{}', completed_at = now() where id`;

  /** Leases a run while another transaction has finished the run and has not committed yet. */
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

  it('adds up in findSession, even beyond the largest integer', async () => {
    for (const each of [runs, runs, runs]) await each.add();
    await sql`update runs set input_tokens = 2000000000, output_tokens = 2000000000`.execute(runs.db);

    const session = await findSession(runs.db, runs.session);

    expect(session?.usage).toEqual({ input_tokens: 6_000_000_000, output_tokens: 6_000_000_000 });
  });
});
