import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, messagesOf, noLimits, runAgent, startRun } from '../../support/agents.ts';
import { summarizeEvents } from '../../support/events.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { createDatabase, engine, isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';
import { writingRun, writtenResponse } from '../../support/writing-model.ts';
import { run as query, runConnection } from '../../support/postgres.ts';
import { startRelay } from '../../support/relay.ts';

const fixture = await startWithModel();
const { server, alice, model, agent } = fixture;

describe('a text that the user has read', () => {
  spec('cancelRun', 200, 'stays as a partial message', async () => {
    const { run, answer, stream } = await writingRun(fixture, 'kept', 'First, ');
    await answer.write('boil');
    await stream.until(() => stream.preview().text === 'First, boil');

    const { body } = await alice.ok('cancelRun', { id: run.id });

    expect(body).toMatchObject({ status: 'cancelled', output: null });
    const [, kept, ...others] = await messagesOf(alice, 'kept');
    expect(kept).toMatchObject({ role: 'assistant', content: 'First, boil', partial: true, run_id: run.id });
    expect(others).toEqual([]);
    expect(kept?.id).toBe(stream.preview().messageId);
    expect(summarizeEvents(await stream.ended).slice(-2)).toEqual([
      'message assistant',
      'run.cancelled cancelled',
    ]);
  });

  it('is known to the model of the next run', async () => {
    const { run } = await writingRun(fixture, 'known', 'Half of');
    await alice.ok('cancelRun', { id: run.id });
    model.respondWith(textResponse('Done.'));

    await runAgent(alice, agent, 'And then?', { context: { session_id: 'known' } });

    expect(model.requests[0]?.messages.map(({ role, content }) => [role, content]).slice(1)).toEqual([
      ['user', 'Write'],
      ['assistant', 'Half of'],
      ['user', 'And then?'],
    ]);
  });

  it('stays when the connection to the model breaks', async () => {
    const again = writtenResponse();
    const { run, answer, stream } = await writingRun(fixture, 'broken', 'One thi');
    model.respondWith(again.response);
    await answer.end(false);
    await again.write('Two thi');
    await stream.until(() => stream.preview().text === 'Two thi');

    await again.end(false);

    const events = await stream.ended;
    expect(events.at(-1)).toMatchObject({ event: 'run.failed', data: { id: run.id } });
    const messages = await messagesOf(alice, 'broken');
    expect(messages.slice(1).map(({ content, partial }) => [content, partial])).toEqual([['Two thi', true]]);
  });

  it('is not kept beside the message that was stored', async () => {
    model.respondWith(toolCallResponse('create_task', { title: 'Between' }), () => undefined);
    const run = await startRun(alice, agent, 'Hi', 'between');
    await expect.poll(() => model.requests.length).toBe(2);

    await alice.ok('cancelRun', { id: run.id });

    expect((await messagesOf(alice, 'between')).filter(({ partial }) => partial)).toEqual([]);
  });
});

it.runIf(engine === 'postgres')('a text that broke off is not kept after a call instead', async () => {
  const answer = writtenResponse();
  model.respondWith(answer.response, toolCallResponse('create_task', { title: 'It' }), () => undefined);
  const run = await startRun(alice, agent, 'Write', 'instead');
  await expect.poll(() => model.requests.length).toBe(1);
  await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
    await connection.query('begin; select from runs for update');
    await answer.write('Half');
    await answer.end(false);
    // The call waits for the run, and then the text, which is stored every second.
    await connection.waitUntilSomeoneWaits(2);
    await connection.query('commit');
  });
  await expect.poll(() => model.requests.length).toBe(3);

  await alice.ok('cancelRun', { id: run.id });

  expect((await messagesOf(alice, 'instead')).filter(({ partial }) => partial)).toEqual([]);
});

it.runIf(isShareable)('a run of another server shows its text, and ends if it is cancelled', async () => {
  const other = await startTestServer({ env: { ...noLimits, ...modelEnv(model) }, sharing: server });
  const there = await other.as('alice');
  const { run, answer } = await writingRun(fixture, 'far', 'Written ');
  const stream = await openRunStream(other, run.id);
  await stream.until(() => stream.preview().text === 'Written ');
  await answer.write('elsewhere');
  await stream.until(() => stream.preview().text === 'Written elsewhere');

  await there.ok('cancelRun', { id: run.id });

  const [, message] = await messagesOf(there, 'far');
  expect(message).toMatchObject({ content: 'Written elsewhere', partial: true });
  expect(message?.id).toBe(stream.preview().messageId);
  // The next run begins once the server that executed this one has stopped.
  model.respondWith(textResponse('Here.'));
  const next = await runAgent(alice, agent, 'Next', { context: { session_id: 'far' } });
  expect(next.body.output).toBe('Here.');
});

/** Calls a function once, before a statement with this text is sent. */
function beforeStatement(part: string, act: () => void): void {
  const onStatement = (message: unknown): void => {
    if (!JSON.stringify(message).includes(part)) return;
    unsubscribe('worktable.statement', onStatement);
    act();
  };
  subscribe('worktable.statement', onStatement);
}

describe.runIf(engine === 'postgres')('delayed reads of another server', () => {
  /** Starts a server that executes runs, and another one whose connections to the database can be delayed. */
  async function startDelayed() {
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
    /** Delays the statement with this text, and all that follow it. Resolves when the statement is sent. */
    const delay = (part: string): Promise<undefined> => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      beforeStatement(part, () => {
        relay.silence();
        resolve(undefined);
      });
      return promise;
    };
    const resume = async (): Promise<void> => {
      await relay.restore();
      relay.resume();
    };
    return { url, model, there, alice, agent, delay, resume };
  }

  const messagesIn = (events: readonly Schemas['RunEvent'][]): string[] =>
    events
      .map(({ event, data }) => ('role' in data ? `${event} ${data.role}` : event))
      .filter((event) => event.startsWith('message'));

  it('send no text before the messages it follows', async () => {
    const { url, model, there, alice, agent, delay, resume } = await startDelayed();
    const { promise: mayCall, resolve: allowCall } = Promise.withResolvers<undefined>();
    const answer = writtenResponse();
    model.respondWith((response, request) => {
      void mayCall.then(() => {
        toolCallResponse('create_task', { title: 'Delayed' })(response, request);
      });
    }, answer.response);
    const { body: run } = await runAgent(alice, agent, 'Write', { headers: { Prefer: 'respond-async' } });
    const delayed = delay('\\"waited_after_attempt\\" from \\"runs\\"');

    const stream = await openRunStream(there, run.id);
    await delayed;
    allowCall(undefined);
    await answer.write('Done');
    await expect
      .poll(async () => (await query(url, 'select preview from runs')).rows as unknown)
      .toEqual([{ preview: 'Done' }]);
    await resume();
    await stream.until(() => stream.preview().text === 'Done');
    await answer.end();

    expect(messagesIn(await stream.ended)).toEqual([
      ...['message user', 'message assistant', 'message tool'],
      ...['message.delta', 'message assistant'],
    ]);
  });

  it('send no text again after its message', async () => {
    const { model, there, alice, agent, delay, resume } = await startDelayed();
    const answer = writtenResponse();
    model.respondWith(answer.response, textResponse('Done.'));
    const { body: run } = await runAgent(alice, agent, 'Write', { headers: { Prefer: 'respond-async' } });
    const stream = await openRunStream(there, run.id);
    await answer.write('First, ');
    await stream.until(() => stream.preview().text === 'First, ');
    const delayed = delay('case when tool_calls is not null');

    await answer.write('a task.');
    await delayed;
    const called = { name: 'create_task', arguments: '{"title":"Later"}' };
    await answer.write('', [{ index: 0, id: 'x', function: called }]);
    await answer.end();
    expect(await endedRun(alice, run)).toMatchObject({ status: 'completed', output: 'Done.' });
    await resume();

    expect(messagesIn(await stream.ended)).toEqual([
      ...['message user', 'message.delta', 'message.delta'],
      ...['message assistant', 'message tool', 'message assistant'],
    ]);
  });
});
