import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAgent, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { killedAt, noticeDeadWorkers } from '../support/killed-servers.ts';
import { modelEnv, startModelServer, textResponse } from '../support/model-server.ts';
import { startProcess } from '../support/process.ts';
import { createDatabase, startTestServer } from '../support/server.ts';
import { secret, tokenFor } from '../support/tokens.ts';
import { writtenResponse } from '../support/writing-model.ts';

it('a text that was written before its process was killed stays when its run is cancelled', async () => {
  const database = await createDatabase();
  const model = await startModelServer();
  const answer = writtenResponse();
  // The model is asked again by the next process, and does not answer.
  model.respondWith(answer.response, () => undefined);
  const env = { ...database.env, ...noLimits, ...modelEnv(model), JWT_SECRET: secret, LOG_LEVEL: 'error' };
  // A preview is stored each second while it grows, so the first one is stored when the second one is about to be.
  const first = await startProcess({ ...env, ...killedAt('before 2', 'preview_id is distinct from') });
  const alice = new Client(first, await tokenFor('alice'));
  const agent = await createAgent(alice, { runtime: 'local' });
  const context = { session_id: 'killed' };
  const { body: run } = await runAgent(alice, agent, 'Write', {
    context,
    headers: { Prefer: 'respond-async' },
  });
  let written = '';
  const exited = first.exited.then(() => 'exited');
  do {
    written += 'word ';
    await answer.write('word ');
  } while ((await Promise.race([exited, pause(10)])) !== 'exited');
  await noticeDeadWorkers(env);
  const next = await startTestServer({ sharing: { env } });
  const again = await next.as('alice');

  const { body } = await again.ok('cancelRun', { id: run.id });

  const [, kept, ...others] = await messagesOf(again, 'killed');
  expect(body.status).toBe('cancelled');
  expect(kept).toMatchObject({ role: 'assistant', partial: true, run_id: run.id });
  expect(written).toContain(kept?.content.trim());
  expect(kept?.content).toMatch(/^word /);
  expect(others).toEqual([]);
  model.respondWith(textResponse('Next.'));
  expect((await runAgent(again, agent, 'Again', { context })).body.output).toBe('Next.');
});
