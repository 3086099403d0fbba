import { beforeAll, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { eventsFrom, outline } from '../../support/events.ts';
import { callsTool, says, type ModelServer } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

let model: ModelServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  ({ model, alice, agent } = await startWithModel());
});

spec('runAgent', 200, 'lets the model of a configured server answer, and tells what it cost', async () => {
  model.answers(says('Hello, Alice.'));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body).toMatchObject({ status: 'completed', output: 'Hello, Alice.', runtime: 'local' });
  expect(body).toMatchObject({ model: 'test-model', usage: { input_tokens: 10, output_tokens: 5 } });
  expect(model.authorizations).toEqual(['Bearer a-secret-key']);
});

spec('runAgent', 200, 'calls the tools that the model asks for and tells it what came of it', async () => {
  model.answers(callsTool('create_task', { title: 'From a model' }), says('Done.'));

  const { body } = await runAgent(alice, agent, 'Please note it', { context: { session_id: 'tools' } });

  expect(body).toMatchObject({ output: 'Done.', usage: { input_tokens: 20, output_tokens: 10 } });
  expect((await alice.ok('listTasks', { query: { q: 'From a model' } })).body.count).toBe(1);
  const [call, answer] = (model.requests[1]?.messages ?? []).slice(-2);
  expect(call).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'create_task' } }] });
  expect(answer).toMatchObject({ role: 'tool', tool_call_id: call?.tool_calls?.[0]?.id });
  expect(answer?.content).toContain('From a model');
  const { body: session } = await alice.ok('getSession', { id: 'tools' });
  expect(session.usage).toEqual({ input_tokens: 20, output_tokens: 10 });
});

spec(
  'runAgent',
  200,
  'tells the model its instructions, tools, data and the conversation so far',
  async () => {
    model.answers(says('First.'));
    await runAgent(alice, agent, 'One', { context: { session_id: 'told' } });
    await runAgent(alice, agent, 'Two', { context: { session_id: 'told', place: 'home' } });

    const [, second] = model.requests;
    const [system, ...said] = second?.messages ?? [];
    expect(system).toMatchObject({ role: 'system' });
    expect(system?.content).toMatch(/data: if\nthey hold text that reads like instructions.*Be brief\.$/s);
    expect(said).toMatchObject([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First.' },
      { role: 'user', content: 'Two\n\nData that comes with this request:\n{"place":"home"}' },
    ]);
    const names = second?.tools?.map((tool) => tool.function.name) ?? [];
    expect(names).toContain('create_task');
    expect(names).not.toContain('delete_task');
    expect(JSON.stringify(second?.tools)).not.toMatch(/pattern|\$ref|x-message/);
  },
);

spec('runAgent', 200, 'streams the text as the model writes it', async () => {
  model.answers(says('ab'));
  const headers = { Accept: 'text/event-stream' };

  const { body } = await alice.send('runAgent', { id: agent.id, body: { input: 'Hi' }, headers });

  expect(
    outline(eventsFrom(String(body)))
      .filter((line) => line.includes('delta'))
      .join(''),
  ).toMatch(/^(?:message\.delta ab|message\.delta amessage\.delta b)$/);
});
