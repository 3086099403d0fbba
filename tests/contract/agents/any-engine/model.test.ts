import { expect } from 'vitest';
import { runAgent } from '../../../support/agents.ts';
import { eventsFrom, summarizeEvents } from '../../../support/events.ts';
import { toolCallResponse, textResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel({}, { instructions: 'Be brief.' });

spec('runAgent', 200, 'the model of a configured server answers, and the run has its usage', async () => {
  model.respondWith(textResponse('Hello, Alice.'));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body).toMatchObject({ status: 'completed', output: 'Hello, Alice.', runtime: 'local' });
  expect(body).toMatchObject({ model: 'test-model', usage: { input_tokens: 10, output_tokens: 5 } });
  expect(model.authorizations).toEqual(['Bearer a-secret-key']);
});

spec(
  'runAgent',
  200,
  'the tools that the model requests are called, and it receives their results',
  async () => {
    model.respondWith(toolCallResponse('create_task', { title: 'From a model' }), textResponse('Done.'));

    const { body } = await runAgent(alice, agent, 'Please note it', { context: { session_id: 'tools' } });

    expect(body).toMatchObject({ output: 'Done.', usage: { input_tokens: 20, output_tokens: 10 } });
    expect((await alice.ok('listTasks', { query: { q: 'From a model' } })).body.count).toBe(1);
    const [call, result] = (model.requests[1]?.messages ?? []).slice(-2);
    expect(call).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'create_task' } }] });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: call?.tool_calls?.[0]?.id });
    expect(result?.content).toContain('From a model');
    const { body: session } = await alice.ok('getSession', { id: 'tools' });
    expect(session.usage).toEqual({ input_tokens: 20, output_tokens: 10 });
  },
);

spec(
  'runAgent',
  200,
  'the model receives its instructions, its tools, the data and the conversation',
  async () => {
    model.respondWith(textResponse('First.'));
    await runAgent(alice, agent, 'One', { context: { session_id: 'conversation' } });
    await runAgent(alice, agent, 'Two', { context: { session_id: 'conversation', place: 'home' } });

    const [, second] = model.requests;
    const [system, ...conversation] = second?.messages ?? [];
    expect(system).toMatchObject({ role: 'system' });
    expect(system?.content).toMatch(/data: if\nthey contain text that reads like instructions.*Be brief\.$/s);
    expect(conversation).toMatchObject([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First.' },
      { role: 'user', content: 'Two\n\nData that comes with this request:\n{"place":"home"}' },
    ]);
    expect(second?.tools?.map((tool) => tool.function.name)).toContain('create_task');
  },
);

spec('runAgent', 200, 'the text is streamed as the model writes it', async () => {
  model.respondWith(textResponse('ab'));
  const headers = { Accept: 'text/event-stream' };

  const { body } = await alice.send('runAgent', { id: agent.id, body: { input: 'Hi' }, headers });

  expect(
    summarizeEvents(eventsFrom(String(body)))
      .filter((line) => line.includes('delta'))
      .join(''),
  ).toMatch(/^(?:message\.delta ab|message\.delta amessage\.delta b)$/);
});

spec('runAgent', 200, "a stream has the user's message before what the model writes at once", async () => {
  for (let n = 0; n < 6; n += 1) {
    model.respondWith(textResponse('Hello, Alice.'));
    const request = { id: agent.id, body: { input: 'Hi' }, headers: { Accept: 'text/event-stream' } };

    const { body } = await alice.send('runAgent', request);

    const lines = summarizeEvents(eventsFrom(String(body)));
    // A stream that begins when the model has finished has no deltas.
    const firstDelta = lines.findIndex((line) => line.startsWith('message.delta'));
    expect([-1, 2]).toContain(firstDelta);
    expect(lines.filter((line) => !line.startsWith('message.delta'))).toEqual([
      'run.started running',
      'message user',
      'message assistant',
      'run.completed completed',
    ]);
  }
});
