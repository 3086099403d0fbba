import { describe, expect, it } from 'vitest';
import { finishedSession, startRun } from '../../support/agents.ts';
import { textResponse } from '../../support/model-server.ts';
import { run as runStatement } from '../../support/postgres.ts';
import { engine, isShareable, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

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

describe('a run that returns to the queue at shutdown', () => {
  it('is not logged as interrupted', async () => {
    const started = await startServer();
    await startedRun(started, 'waiting');

    await started.server.close();

    expect(started.log.filter((line) => line.includes(interrupted))).toEqual([]);
  });
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
