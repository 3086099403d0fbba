import { describe, expect } from 'vitest';
import { runConnection } from '../../../support/postgres.ts';
import { engine } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

describe.runIf(engine === 'postgres')('a run that was started and cannot be read', () => {
  spec('runAgent', 503, 'is named by the problem, because a repetition would start another', async () => {
    const changes = { database: { lockTimeoutMs: 300 } };
    const { model, server, alice, agent } = await startWithModel({}, {}, changes);
    const { promise: isRunning, resolve } = Promise.withResolvers<undefined>();
    model.respondWith(() => {
      resolve(undefined);
    });

    const body = { input: 'One', context: { session_id: 'locked' } };
    const problem = await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      const response = alice.fails('runAgent', 503, { id: agent.id, body, headers: { Prefer: 'wait=2' } });
      await isRunning;
      await connection.query('begin; lock table runs in access exclusive mode');
      return (await response).body;
    });

    const { run } = (await alice.ok('getSession', { id: 'locked' })).body;
    expect(problem).toMatchObject({ code: 'Overloaded', run_id: run?.id, session_id: 'locked' });
  });
});
