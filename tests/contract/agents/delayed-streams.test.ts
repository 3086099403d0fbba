import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { modelEnv, startModelServer, toolCallResponse } from '../../support/model-server.ts';
import { run as query } from '../../support/postgres.ts';
import { startRelay } from '../../support/relay.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { createDatabase, engine, startTestServer } from '../../support/server.ts';
import { writtenResponse } from '../../support/writing-model.ts';

/** Calls a function once, before a statement with this text is sent. */
function beforeStatement(part: string, act: () => void): void {
  const onStatement = (message: unknown): void => {
    if (!JSON.stringify(message).includes(part)) return;
    unsubscribe('worktable.statement', onStatement);
    act();
  };
  subscribe('worktable.statement', onStatement);
}

describe.runIf(engine === 'postgres')('a stream of a run whose reads of the database are delayed', () => {
  it('sends the text of an answer after the messages that the answer follows', async () => {
    const database = await createDatabase();
    const url = database.env['DATABASE_URL'] ?? '';
    const relay = await startRelay(url);
    const model = await startModelServer();
    const env = { ...noLimits, ...modelEnv(model) };
    const here = await startTestServer({ env, sharing: database });
    const there = await startTestServer({
      env,
      sharing: { env: { ...database.env, DATABASE_URL: relay.url } },
    });
    const alice = await here.as('alice');
    const agent = await createAgent(alice, { runtime: 'local' });
    const { promise: mayCall, resolve: allowCall } = Promise.withResolvers<undefined>();
    const answer = writtenResponse();
    model.respondWith((response, request) => {
      void mayCall.then(() => {
        toolCallResponse('create_task', { title: 'Delayed' })(response, request);
      });
    }, answer.response);
    const { body: run } = await runAgent(alice, agent, 'Write', { headers: { Prefer: 'respond-async' } });
    const { promise: silenced, resolve: onSilenced } = Promise.withResolvers<undefined>();
    beforeStatement('\\"waited_after_attempt\\" from \\"runs\\"', () => {
      relay.silence();
      onSilenced(undefined);
    });

    const stream = await openRunStream(there, run.id);
    await silenced;
    allowCall(undefined);
    await answer.write('Done');
    await expect
      .poll(async () => (await query(url, 'select preview from runs')).rows as unknown)
      .toEqual([{ preview: 'Done' }]);
    await relay.restore();
    relay.resume();
    await stream.until(() => stream.preview().text === 'Done');
    await answer.end();

    const events = (await stream.ended).map(({ event, data }) =>
      'role' in data ? `${event} ${data.role}` : event,
    );
    expect(events.filter((event) => event.startsWith('message'))).toEqual([
      ...['message user', 'message assistant', 'message tool'],
      ...['message.delta', 'message assistant'],
    ]);
  });
});
