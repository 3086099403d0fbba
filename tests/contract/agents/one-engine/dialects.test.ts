import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, runAgent } from '../../../support/agents.ts';
import { noSystemRole, oneCallAtOnce, withTemplate } from '../../../support/chat-template.ts';
import {
  errorResponse,
  textResponse,
  toolCallResponse,
  toolCallsResponse,
  type ModelRequest,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithRuntimes } from '../../../support/with-model.ts';

interface Refusing {
  readonly model_options?: Schemas['ModelOptions'];
  readonly status?: number;
  readonly body: object;
  readonly isRefused: (request: ModelRequest) => boolean;
  /** How many requests it takes to learn what the server understands. */
  readonly refusals?: number;
}

const stepsOf = ({ messages }: ModelRequest): ModelRequest['messages'] =>
  messages.filter(({ role }) => role === 'assistant');

const servers: Readonly<Record<string, Refusing>> = {
  bare: {
    body: { object: 'error', message: 'Unrecognized: stream_options' },
    isRefused: (request) => 'stream_options' in request,
  },
  renamed: {
    model_options: { max_output_tokens: 50 },
    body: { error: { message: "'max_tokens' is not supported. Use 'max_completion_tokens'." } },
    isRefused: (request) => request.max_completion_tokens !== 50,
  },
  replaying: {
    body: { error: { message: 'messages.2: the `thinking` of each step is required.' } },
    isRefused: (request) => stepsOf(request).some((step) => step.reasoning_content === undefined),
  },
  thoughtless: {
    status: 422,
    body: { object: 'error', message: { detail: [{ loc: ['body', 'reasoning_content'], msg: 'Extra' }] } },
    isRefused: (request) => stepsOf(request).some((step) => step.reasoning_content !== undefined),
    refusals: 2,
  },
};

// A server remembers what a runtime refuses, so each refusal is tested with its own runtime.
const runtimes = Object.fromEntries(Object.keys(servers).map((name) => [name, {}]));
const templates = { roles: {}, calls: {} };
const { model, alice } = await startWithRuntimes({ ...runtimes, ...templates });

const delta = { reasoning_content: 'Hm.' };
const thoughtfulCall = toolCallResponse('list_tasks', {}, { delta });

describe.each(Object.entries(servers))('what the %s server refuses', (runtime, refusing) => {
  spec('runAgent', 200, 'is not sent again, and no run fails', async () => {
    const { status = 400, body, isRefused, refusals = 1, model_options = {} } = refusing;
    const agent = await createAgent(alice, { runtime, model_options });
    const context = { session_id: runtime };
    model.respondWith((response, request) => {
      const isAsked = request.messages.at(-1)?.role === 'user';
      const answer = isAsked ? thoughtfulCall : textResponse('Done.');
      (isRefused(request) ? errorResponse(status, {}, body) : answer)(response, request);
    });

    for (const input of ['One', 'Two', 'Three'])
      expect((await runAgent(alice, agent, input, { context })).body.output).toBe('Done.');

    expect(model.requests.filter(isRefused)).toHaveLength(refusals);
    expect(model.requests).toHaveLength(6 + refusals);
  });
});

describe('a chat template', () => {
  spec('runAgent', 200, 'without a system role gets the instructions in the first message', async () => {
    const agent = await createAgent(alice, { runtime: 'roles', skills: [], instructions: 'Be brief.' });
    model.respondWith(withTemplate(noSystemRole, textResponse('Hi.')));
    const context = { session_id: 'gemma' };

    const outputs = [];
    for (const input of ['One', 'Two', 'Three'])
      outputs.push((await runAgent(alice, agent, input, { context })).body.output);

    expect(outputs).toEqual(['Hi.', 'Hi.', 'Hi.']);
    expect(model.requests.map(noSystemRole.isRefused)).toEqual([true, false, false, false]);
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
});
