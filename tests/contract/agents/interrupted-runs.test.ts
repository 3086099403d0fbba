import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, finishedSession, noLimits, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { modelEnv, textResponse, startModelServer, type ModelServer } from '../../support/model-server.ts';
import { run } from '../../support/postgres.ts';
import { engine, isShareable, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const async = { Prefer: 'respond-async' };
const interrupted = 'a run was interrupted and will be retried';

interface Started {
  readonly server: TestServer;
  readonly log: string[];
  readonly model: ModelServer;
  readonly alice: Client;
  readonly agent: Schemas['Agent'];
}

async function startServer(): Promise<Started> {
  const log: string[] = [];
  const model = await startModelServer();
  const env = { ...noLimits, ...modelEnv(model), AGENT_CONCURRENCY: '1', LOG_LEVEL: 'warn' };
  const server = await startTestServer({ env, log });
  const alice = await server.as('alice');
  return { server, log, model, alice, agent: await createAgent(alice, { runtime: 'local', skills: [] }) };
}

function query({ env }: TestServer, statement: string): Promise<unknown> {
  return run(env['DATABASE_URL'] ?? '', statement);
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

    const { body } = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'refused' },
      headers: async,
    });

    await expect.poll(() => log.find((line) => line.includes(interrupted))).toBeDefined();
    const line = JSON.parse(log.find((each) => each.includes(interrupted)) ?? '') as unknown;
    expect(line).toMatchObject({ level: 40, run_id: body.id, session_id: 'refused', user: 'alice' });
    expect(JSON.stringify(line)).toContain('refused by the test');
    await query(server, 'drop trigger refuse on runs');
    expect((await finishedSession(alice, 'refused')).run).toMatchObject({ id: body.id, output: 'Done.' });
  });
});

describe('a run that returns to the queue at shutdown', () => {
  it('is not logged as interrupted', async () => {
    const { server, log, model, alice, agent } = await startServer();
    const { promise: requestReceived, resolve: onRequest } = Promise.withResolvers<undefined>();
    model.respondWith(() => {
      onRequest(undefined);
    });
    await runAgent(alice, agent, 'Wait', { headers: async });
    await requestReceived;

    await server.close();

    expect(log.filter((line) => line.includes(interrupted))).toEqual([]);
  });
});

describe.runIf(isShareable)('a run that started 25 days ago', () => {
  spec('getSession', 200, 'a run whose age does not fit into an integer ends with a timeout', async () => {
    const { server, model, alice, agent } = await startServer();
    const { promise: requestReceived, resolve: onRequest } = Promise.withResolvers<undefined>();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    model.respondWith((response, request) => {
      onRequest(undefined);
      void released.then(() => {
        textResponse('Done.')(response, request);
      });
    });
    await runAgent(alice, agent, 'First', { headers: async });
    await requestReceived;
    await runAgent(alice, agent, 'Hi', { context: { session_id: 'old' }, headers: async });
    await query(server, `update runs set started_at = now() - interval '25 days' where session_id = 'old'`);
    release(undefined);

    await expect
      .poll(async () => (await alice.ok('getSession', { id: 'old' })).body.run)
      .toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  });
});

describe('a model server that reports more tokens than fit into an integer', () => {
  spec('runAgent', 200, 'the usage of the run is capped', async () => {
    const { model, alice, agent } = await startServer();
    const usage = { prompt_tokens: 3e9, completion_tokens: 3e9, total_tokens: 6e9 };
    model.respondWith((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const delta = { role: 'assistant', content: 'Done.' };
      const choices = [{ index: 0, delta, finish_reason: 'stop' }];
      response.end(`data: ${JSON.stringify({ id: 'x', choices, usage })}\n\ndata: [DONE]\n\n`);
    });
    const context = { session_id: 'many' };

    for (const input of ['One', 'Two']) {
      const { body } = await runAgent(alice, agent, input, { context });
      expect(body.usage).toEqual({ input_tokens: 2_147_483_647, output_tokens: 2_147_483_647 });
    }

    const { body } = await alice.ok('getSession', { id: 'many' });
    expect(body.usage).toEqual({ input_tokens: 4_294_967_294, output_tokens: 4_294_967_294 });
  });
});
