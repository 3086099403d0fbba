import { describe, expect, it } from 'vitest';
import { endedRun, finishedSession, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { whileLocked } from '../../support/locks.ts';
import { chunksResponse, textResponse, type ModelResponse } from '../../support/model-server.ts';
import { run as query } from '../../support/postgres.ts';
import { engine, isShareable } from '../../support/server.ts';
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

describe.runIf(isShareable)('a run that started', () => {
  spec('getRun', 200, 'centuries ago ends with a timeout, and one of the future is executed', async () => {
    const { release } = await startedRun(single, 'before');
    const [old, young] = [
      await startRun(alice, agent, 'Hi', 'old'),
      await startRun(alice, agent, 'Hi', 'young'),
    ];
    for (const [id, sign] of [['old', '-'] as const, ['young', '+'] as const])
      await query(
        url,
        `update runs set started_at = now() ${sign} interval '300 years' where session_id = '${id}'`,
      );
    release();

    expect(await endedRun(alice, old)).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect((await endedRun(alice, young)).status).toBe('completed');
  });
});

spec('runAgent', 200, 'tokens count up to the largest integer in a run, not in a session', async () => {
  /** Streams a message that took two billion tokens. */
  const expensive = (delta: object): ModelResponse => {
    const usage = { prompt_tokens: 2e9, completion_tokens: 2e9 };
    return chunksResponse({ choices: [{ index: 0, delta }] }, { choices: [], usage });
  };
  const call = { index: 0, id: 'x', type: 'function', function: { name: 'list_tasks', arguments: '{}' } };
  for (const input of ['One', 'Two']) {
    model.respondWith(expensive({ tool_calls: [call] }), expensive({ content: 'Done.' }));
    const { body } = await runAgent(alice, agent, input, { context: { session_id: 'expensive' } });
    expect(body.usage).toEqual({ input_tokens: 2_147_483_647, output_tokens: 2_147_483_647 });
  }

  const { body } = await alice.ok('getSession', { id: 'expensive' });
  expect(body.usage).toEqual({ input_tokens: 4_294_967_294, output_tokens: 4_294_967_294 });
});
