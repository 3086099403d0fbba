import { describe, expect, it } from 'vitest';
import { messagesOf, noLimits, runAgent, startRun } from '../../support/agents.ts';
import { summarizeEvents } from '../../support/events.ts';
import { modelEnv, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { engine, isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';
import { writingRun, writtenResponse } from '../../support/writing-model.ts';
import { runConnection } from '../../support/postgres.ts';

const fixture = await startWithModel();
const { server, alice, model, agent } = fixture;

describe('a text that the user has read', () => {
  spec('cancelRun', 200, 'stays as a partial message, which the model of the next run has', async () => {
    const { run, answer, stream } = await writingRun(fixture, 'kept', 'First, ');
    await answer.write('boil');
    await stream.until(() => stream.preview().text === 'First, boil');

    const { body } = await alice.ok('cancelRun', { id: run.id });

    expect(body).toMatchObject({ status: 'cancelled', output: null });
    const [, kept, ...others] = await messagesOf(alice, 'kept');
    expect(kept).toMatchObject({ role: 'assistant', content: 'First, boil', partial: true, run_id: run.id });
    expect(others).toEqual([]);
    expect(kept?.id).toBe(stream.preview().messageId);
    const events = summarizeEvents(await stream.ended);
    expect(events.slice(-2)).toEqual(['message assistant', 'run.cancelled cancelled']);
    model.respondWith(textResponse('Done.'));
    await runAgent(alice, agent, 'And then?', { context: { session_id: 'kept' } });
    const [, ...sent] = model.requests[0]?.messages ?? [];
    const conversation = ['user: Write', 'assistant: First, boil', 'user: And then?'];
    expect(sent.map(({ role, content }) => `${role}: ${content ?? ''}`)).toEqual(conversation);
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
});

it.runIf(engine === 'postgres')('a text that broke off is not kept if its repetition is a call', async () => {
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
