import { describe, expect } from 'vitest';
import { createAgent, runAgent } from '../../../support/agents.ts';
import {
  textResponse,
  toolCallsResponse,
  type ModelRequest,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

/** Refuses requests as a server does whose model has a chat template that raises this error. */
function raising(message: string, isRefused: (request: ModelRequest) => boolean, other: ModelResponse) {
  return ((response, request) => {
    if (!isRefused(request)) {
      other(response, request);
      return;
    }
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: { message, type: 'BadRequestError', code: 400 } }));
  }) satisfies ModelResponse;
}

function hasSystemMessage({ messages }: ModelRequest): boolean {
  return messages.some(({ role }) => role === 'system');
}

function hasSeveralCalls({ messages }: ModelRequest): boolean {
  return messages.some(({ tool_calls: calls = [] }) => calls.length > 1);
}

describe('a chat template', () => {
  spec('runAgent', 200, 'without a system role gets the instructions in the first message', async () => {
    const { model, alice } = await startWithModel();
    const agent = await createAgent(alice, { runtime: 'local', skills: [], instructions: 'Be brief.' });
    model.respondWith(raising('System role not supported', hasSystemMessage, textResponse('Hi.')));
    const context = { session_id: 'gemma' };

    const outputs = [];
    for (const input of ['One', 'Two'])
      outputs.push((await runAgent(alice, agent, input, { context })).body.output);

    expect(outputs).toEqual(['Hi.', 'Hi.']);
    expect(model.requests.map(hasSystemMessage)).toEqual([true, false, false]);
    expect(model.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', expect.stringMatching(/^You are an agent in Worktable.*Be brief\.\n\nOne$/s)],
      ['assistant', 'Hi.'],
      ['user', 'Two'],
    ]);
  });

  spec('runAgent', 200, 'that takes one call at once gets several calls of a step one by one', async () => {
    const { model, alice, agent } = await startWithModel();
    const error = 'This model only supports single tool-calls at once!';
    const calls = toolCallsResponse(['create_task', { title: 'One' }], ['list_tasks', { q: 'One' }]);
    model.respondWith(calls, raising(error, hasSeveralCalls, textResponse('Done.')));

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
});
