import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addUsage } from '../../../server/src/agents/runs/lease.ts';
import { findRun } from '../../../server/src/agents/runs/run-store.ts';
import { findSession } from '../../../server/src/agents/sessions/session-store.ts';
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

describe('claimRun', () => {
  it.each(['25 days', '300 years', '-25 days'])(
    'takes up a run that began %s ago, where the time that has passed was too large a number',
    async (age) => {
      const id = await runs.add();
      await sql`update runs set status = 'running', started_at = now() - ${age}::interval`.execute(runs.db);

      const claimed = await runs.claim();

      expect([claimed?.id, claimed?.elapsedMs]).toEqual([id, age.startsWith('-') ? 0 : 2_147_483_647]);
    },
  );
});

describe.runIf(engine === 'postgres')('claimRun, while another worker finishes the run', () => {
  const finish = `begin; update runs set status = 'failed', error = '{}', completed_at = now() where id`;

  it('leaves the run finished, where it began it again', async () => {
    const id = await runs.add();

    const claimed = await runConnection(runs.url, async (connection) => {
      await connection.query(`${finish} = '${id}'`);
      const claiming = runs.claim();
      await connection.waitUntilSomeoneWaits();
      await connection.query('commit');
      return claiming;
    });

    expect(claimed).toBeUndefined();
    expect((await findRun(runs.db, { id, userId: 'alice' }))?.status).toBe('failed');
  });

  it('takes up the next run of the session', async () => {
    const id = await runs.add();
    const next = await runs.add();

    const claimed = await runConnection(runs.url, async (connection) => {
      await connection.query(`${finish} = '${id}'`);
      const claiming = runs.claim();
      await connection.waitUntilSomeoneWaits();
      await connection.query('commit');
      return claiming;
    });

    expect([claimed?.id, claimed?.attempt]).toEqual([next, 1]);
  });
});

describe('the tokens of a run', () => {
  it.each([
    ['one step', [4_000_000_000]],
    ['several steps', [2_000_000_000, 2_000_000_000]],
    ['a model server that cannot count', [10.4, 1e300, Infinity, -5]],
  ])('stop at the largest number that is kept, where %s made the run fail', async (_kind, steps) => {
    await runs.add();
    const claimed = await runs.claim();
    if (claimed === undefined) throw new Error('There is a run to be claimed.');

    for (const tokens of steps)
      await addUsage(runs.db, claimed, { input_tokens: tokens, output_tokens: tokens });

    const usage = (await findRun(runs.db, claimed))?.usage;
    expect(usage).toEqual({ input_tokens: 2_147_483_647, output_tokens: 2_147_483_647 });
  });

  it('are whole numbers and not negative, whatever the model server counts', async () => {
    await runs.add();
    const claimed = await runs.claim();
    if (claimed === undefined) throw new Error('There is a run to be claimed.');

    await addUsage(runs.db, claimed, { input_tokens: 10.4, output_tokens: -5 });

    const usage = (await findRun(runs.db, claimed))?.usage;
    expect(usage).toEqual({ input_tokens: 10, output_tokens: 0 });
  });

  it('add up in the session without a limit, where their sum made getSession fail', async () => {
    for (const each of [runs, runs, runs]) await each.add();
    await sql`update runs set input_tokens = 2000000000, output_tokens = 2000000000`.execute(runs.db);

    const session = await findSession(runs.db, runs.session);

    expect(session?.usage).toEqual({ input_tokens: 6_000_000_000, output_tokens: 6_000_000_000 });
  });
});
