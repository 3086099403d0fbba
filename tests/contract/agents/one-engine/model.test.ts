import { expect } from 'vitest';
import { runAgent, streamRun } from '../../../support/agents.ts';
import { summarizeEvents } from '../../../support/events.ts';
import { textResponse } from '../../../support/model-server.ts';
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

spec('runAgent', 200, 'the model has instructions, tools, data and the conversation', async () => {
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
});

spec('runAgent', 200, "a stream has the user's message, and then what the model writes at once", async () => {
  for (let n = 0; n < 6; n += 1) {
    model.respondWith(textResponse('ab'));

    const lines = summarizeEvents(await streamRun(alice, agent, 'Hi'));

    // A stream that begins after the model has finished has no deltas.
    const firstDelta = lines.findIndex((line) => line.startsWith('message.delta'));
    expect([-1, 2]).toContain(firstDelta);
    const written = lines.filter((line) => line.startsWith('message.delta')).join('');
    expect(written).toMatch(/^(?:|message\.delta ab|message\.delta amessage\.delta b)$/);
    expect(lines.filter((line) => !line.startsWith('message.delta'))).toEqual([
      ...['run.started running', 'message user', 'message assistant', 'run.completed completed'],
    ]);
  }
});
