import { describe, expect } from 'vitest';
import { createAgent, runAgent } from '../../../support/agents.ts';
import { noSystemRole, oneCallAtOnce, withTemplate } from '../../../support/chat-template.ts';
import { textResponse, toolCallsResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithRuntimes } from '../../../support/with-model.ts';

// A server remembers the template of a runtime, so each test has its own runtime.
const { model, alice } = await startWithRuntimes({ roles: {}, calls: {}, echo: {}, once: {} });

describe('a chat template', () => {
  spec('runAgent', 200, 'without a system role gets the instructions in the first message', async () => {
    const agent = await createAgent(alice, { runtime: 'roles', skills: [], instructions: 'Be brief.' });
    model.respondWith(withTemplate(noSystemRole, textResponse('Hi.')));
    const context = { session_id: 'gemma' };

    const outputs = [];
    for (const input of ['One', 'Two'])
      outputs.push((await runAgent(alice, agent, input, { context })).body.output);

    expect(outputs).toEqual(['Hi.', 'Hi.']);
    expect(model.requests.map(noSystemRole.isRefused)).toEqual([true, false, false]);
    expect(model.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', expect.stringMatching(/^You are an agent in Worktable.*Be brief\.\n\nOne$/s)],
      ['assistant', 'Hi.'],
      ['user', 'Two'],
    ]);
  });

  spec('runAgent', 200, 'that takes one call at once gets several calls of a step one by one', async () => {
    const agent = await createAgent(alice, { runtime: 'calls' });
    const calls = toolCallsResponse(['create_task', { title: 'One' }], ['list_tasks', { q: 'One' }]);
    model.respondWith(calls, withTemplate(oneCallAtOnce, textResponse('Done.')));

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
    expect((await alice.ok('listTasks', { query: { q: 'One' } })).body.count).toBe(1);
    const [, , ...messages] = model.requests.at(-1)?.messages ?? [];
    expect(messages).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'create_task' } }] },
      { role: 'tool', tool_call_id: messages[0]?.tool_calls?.[0]?.id },
      { role: 'assistant', tool_calls: [{ function: { name: 'list_tasks' } }] },
      { role: 'tool', tool_call_id: messages[2]?.tool_calls?.[0]?.id },
    ]);
  });

  spec('runAgent', 200, 'is not presumed from an error that only repeats the conversation', async () => {
    const agent = await createAgent(alice, { runtime: 'echo', skills: [] });
    model.respondWith((response, { messages }) => {
      response.writeHead(422, { 'Content-Type': 'application/json' });
      const detail = [{ loc: ['body', 'messages'], msg: 'Invalid', input: messages }];
      response.end(JSON.stringify({ detail }));
    });

    const { body } = await runAgent(alice, agent, noSystemRole.message);

    expect(body.status).toBe('failed');
    expect(model.requests).toHaveLength(1);
  });

  spec('runAgent', 200, 'is presumed for one step only, until the server has answered', async () => {
    const agent = await createAgent(alice, { runtime: 'once', skills: [] });
    const refuse = withTemplate({ ...noSystemRole, isRefused: () => true }, textResponse('Hi.'));
    model.respondWith(refuse, refuse, textResponse('Hi.'));

    const first = await runAgent(alice, agent, 'One');
    const second = await runAgent(alice, agent, 'Two');

    expect([first.body.status, second.body.output]).toEqual(['failed', 'Hi.']);
    expect(model.requests.map(noSystemRole.isRefused)).toEqual([true, false, true]);
  });
});
