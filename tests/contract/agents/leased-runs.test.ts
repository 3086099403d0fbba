import { describe, expect, it } from 'vitest';
import { endedRun, finishedSession, messagesOf, startRun } from '../../support/agents.ts';
import { whileLocked } from '../../support/locks.ts';
import { textResponse } from '../../support/model-server.ts';
import { run as query } from '../../support/postgres.ts';
import { engine } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const interrupted = 'a run was interrupted and will be retried';
const oneWorker = { AGENT_CONCURRENCY: '1', LOG_LEVEL: 'warn' };

const log: string[] = [];
const single = await startWithModel(oneWorker, { skills: [] }, {}, log);
const { server, model, alice, agent } = single;
const url = server.env['DATABASE_URL'] ?? '';

describe.runIf(engine === 'postgres')('a run that cannot be leased', () => {
  it('is retried, and the log contains the cause', async () => {
    model.respondWith(textResponse('Done.'));
    await query(
      url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$;
       create trigger refuse before update on runs for each row execute function refuse()`,
    );

    const run = await startRun(alice, agent, 'Hi', 'refused');

    await expect.poll(() => log.find((line) => line.includes(interrupted))).toBeDefined();
    const line = JSON.parse(log.find((each) => each.includes(interrupted)) ?? '') as unknown;
    expect(line).toMatchObject({ level: 40, run_id: run.id, session_id: 'refused', user: 'alice' });
    expect(JSON.stringify(line)).toContain('refused by the test');
    await query(url, 'drop trigger refuse on runs');
    expect((await finishedSession(alice, 'refused')).run).toMatchObject({ id: run.id, output: 'Done.' });
  });

  spec('getRun', 200, 'because it is being finished is not started again, and the next one is', async () => {
    const { release } = await startedRun(single, 'first');
    const finished = await startRun(alice, agent, 'One', 'finished');
    const next = await startRun(alice, agent, 'Two', 'finished');

    const finish = `
      update runs set status = 'failed', error = '{"code":"timeout","message":"x"}', completed_at = now()
      where id = '${finished.id}'`;
    await whileLocked(server, finish, async (transaction) => {
      release();
      await transaction.waitUntilSomeoneWaits();
      await transaction.query('commit');
    });

    expect((await endedRun(alice, next)).status).toBe('completed');
    expect((await endedRun(alice, finished)).status).toBe('failed');
    const roles = (await messagesOf(alice, 'finished')).map(({ role }) => role);
    expect(roles).toEqual(['user', 'user', 'assistant']);
  });
});

it('a run that returns to the queue at shutdown is not logged as interrupted', async () => {
  const lines: string[] = [];
  const stopping = await startWithModel(oneWorker, { skills: [] }, {}, lines);
  await startedRun(stopping, 'waiting');

  await stopping.server.close();

  expect(lines.filter((line) => line.includes(interrupted))).toEqual([]);
});
