import { describe, expect } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../../../support/agents.ts';
import {
  chunksResponse,
  errorResponse,
  textResponse,
  toolCallResponse,
  type ModelRequest,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel, startWithRuntimes } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel();

/** Runs the agent twice in one session. Returns the last request to its model. */
async function requestAfter(sessionId: string, ...first: readonly ModelResponse[]): Promise<ModelRequest> {
  const context = { session_id: sessionId };
  model.respondWith(...first);
  await runAgent(alice, agent, 'One', { context });
  model.respondWith(textResponse('Two.'));
  const { body } = await runAgent(alice, agent, 'Two', { context });
  expect(body).toMatchObject({ status: 'completed', output: 'Two.' });
  const [request] = model.requests;
  if (request === undefined) throw new Error('The model server received no request.');
  return request;
}

/** The roles of a conversation as chat templates see them: calls and their results are one turn of the assistant. */
function turnsOf({ messages }: ModelRequest): string[] {
  const roles = messages.map(({ role }) => (role === 'tool' ? 'assistant' : role));
  return roles.filter((role, i) => role !== 'assistant' || roles[i - 1] !== 'assistant');
}

const endings: readonly (readonly [string, readonly ModelResponse[]])[] = [
  ['an answer', [textResponse('Hello.')]],
  ['a run that failed', [errorResponse(400)]],
  ['a run that failed after a call of a tool', [toolCallResponse('list_tasks', {}), errorResponse(400)]],
  ['an empty answer', [chunksResponse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })]],
];

describe.each(endings)('after %s, the next request to the model', (ending, responses) => {
  spec('runAgent', 200, 'has roles that alternate, and ends with the user', async () => {
    const request = await requestAfter(ending.replaceAll(' ', '-'), ...responses);

    expect(turnsOf(request)).toEqual(['system', 'user', 'assistant', 'user']);
    for (const { role, content, tool_calls: calls } of request.messages)
      expect(role === 'assistant' && calls === undefined ? content : 'text').not.toBe('');
  });
});

spec('runAgent', 200, 'ids of calls are nine letters or digits, and differ', async () => {
  const { messages } = await requestAfter(
    'ids',
    toolCallResponse('list_tasks', {}),
    toolCallResponse('list_tasks', {}),
    textResponse('Done.'),
  );

  const ids = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map(({ id }) => id);
  const results = messages.flatMap(({ tool_call_id: id }) => id ?? []);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
  expect(results).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
});

spec('runAgent', 200, 'the name of an unknown tool is sent back as servers accept it', async () => {
  const call = toolCallResponse(`fly to the moon/${'n'.repeat(80)}`, {});
  const { messages } = await requestAfter('names', call, textResponse('Done.'));

  const [sent] = messages.flatMap(({ tool_calls: calls }) => calls ?? []);
  expect(sent?.function.name).toMatch(/^fly_to_the_moon_n{48}$/);
});

spec('runAgent', 200, 'thoughts and signatures of calls go back in the next step only', async () => {
  const signature = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
  const listing = { type: 'function', function: { name: 'list_tasks', arguments: '{}' } };
  const calls = [{ index: 0, id: 'call_0', ...listing, ...signature }];
  model.respondWith(
    chunksResponse(
      { choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'The tasks ' } }] },
      { choices: [{ index: 0, delta: { reasoning_content: 'first.', tool_calls: calls } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ),
    textResponse('Done.'),
  );

  const context = { session_id: 'thoughts' };
  await runAgent(alice, agent, 'One', { context });
  const again = model.requests.at(-1)?.messages.find(({ role }) => role === 'assistant');
  model.respondWith(textResponse('Two.'));
  await runAgent(alice, agent, 'Two', { context });
  const later = model.requests.at(-1)?.messages.find(({ role }) => role === 'assistant');

  expect(again).toMatchObject({ reasoning_content: 'The tasks first.', tool_calls: [signature] });
  expect(JSON.stringify(later)).not.toMatch(/reasoning|signature/);
  expect(JSON.stringify(await messagesOf(alice, 'thoughts'))).not.toMatch(/first|c2lnbmVk/);
});

// A server remembers what a runtime refuses, so each refusal is of another runtime.
const refusals = [
  ['first', 400, { error: { message: 'Unrecognized request argument: stream_options' } }],
  ['second', 400, { object: 'error', message: 'Unrecognized request argument: stream_options' }],
  ['third', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }],
] as const;

const refusing = await startWithRuntimes({ first: {}, second: {}, third: {} });

describe.each(refusals)(
  'stream_options that the %s server refuses with %i %j',
  (runtime, status, refusal) => {
    spec('runAgent', 200, 'are left out from then on', async () => {
      const own = await createAgent(refusing.alice, { runtime });
      refusing.model.respondWith((response, request) => {
        if ('stream_options' in request) response.writeHead(status).end(JSON.stringify(refusal));
        else textResponse('Done.')(response, request);
      });

      for (const input of ['One', 'Two']) {
        const { body } = await runAgent(refusing.alice, own, input);
        expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
      }

      const sent = refusing.model.requests.map((request) => 'stream_options' in request);
      expect(sent).toEqual([true, false, false]);
    });
  },
);

spec(
  'runAgent',
  200,
  'a conversation that is too long for the model is sent without its older half',
  async () => {
    const context = { session_id: 'too-long' };
    for (const input of ['One', 'Two', 'Three', 'Four']) {
      model.respondWith(textResponse(`Answer to ${input}.`));
      await runAgent(alice, agent, input, { context });
    }
    model.respondWith((response, request) => {
      const users = request.messages.filter(({ role }) => role === 'user');
      const answer = users.length > 2 ? tooLong : textResponse('Five.');
      answer(response, request);
    });

    const { body } = await runAgent(alice, agent, 'Five', { context });

    const [system, ...messages] = model.requests.at(-1)?.messages ?? [];
    expect(body).toMatchObject({ status: 'completed', output: 'Five.' });
    expect(messages.map(({ content }) => content)).toEqual(['Four', 'Answer to Four.', 'Five']);
    expect(system?.content).toContain('The earlier part of this conversation is left out');
    expect(await messagesOf(alice, 'too-long')).toHaveLength(10);
  },
);

spec('runAgent', 200, 'a single message that is too long for the model fails the run', async () => {
  model.respondWith(tooLong);

  const { body } = await runAgent(alice, agent, 'A long text');

  expect(body.error?.code).toBe('context_length_exceeded');
  expect(model.requests).toHaveLength(1);
});

const tooLong: ModelResponse = (response) => {
  response.writeHead(400, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'context_length_exceeded', message: 'Too many tokens.' } }));
};
