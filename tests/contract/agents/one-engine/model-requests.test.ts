import { describe, expect } from 'vitest';
import { createAgent, endedRun, messagesOf, runAgent } from '../../../support/agents.ts';
import { decide } from '../../../support/approvals.ts';
import {
  chunksResponse,
  errorResponse,
  textResponse,
  toolCallResponse,
  toolCallsResponse,
  type ModelRequest,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

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

/** The roles in a conversation as chat templates see it: calls and their results are one turn of the assistant. */
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

spec('runAgent', 200, 'the name of an unknown tool is sent back as servers accept it', async () => {
  const call = toolCallResponse(`fly to the moon/${'n'.repeat(80)}`, {});
  const { messages } = await requestAfter('names', call, textResponse('Done.'));

  const [sent] = messages.flatMap(({ tool_calls: calls }) => calls ?? []);
  expect(sent?.function.name).toMatch(/^fly_to_the_moon_n{48}$/);
});

spec('runAgent', 200, 'thoughts and signatures of calls go back in the next step only', async () => {
  const signature = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
  const delta = { reasoning_content: 'The tasks first.' };
  const listing = toolCallResponse('list_tasks', {}, { call: signature, delta });
  model.respondWith(listing, textResponse('Done.'));

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

spec('decideToolCalls', 200, 'results have the order, names and ids of calls, rejected or not', async () => {
  const cautious = await createAgent(alice, { runtime: 'local', approvals: ['create_task'] });
  const names = ['list_tasks', 'get_task', 'create_task'];
  const calls = names.map((name) => [name, { title: 'No' }] as const);
  model.respondWith(toolCallsResponse(...calls), textResponse('Done.'));
  const { body: run } = await runAgent(alice, cautious, 'Do it');

  await decide(alice, run, { approve: false });
  await endedRun(alice, run);

  const messages = model.requests.at(-1)?.messages ?? [];
  const [step] = messages.filter(({ role }) => role === 'assistant');
  const results = messages.filter(({ role }) => role === 'tool');
  expect(step).toMatchObject({ content: '', tool_calls: names.map((name) => ({ function: { name } })) });
  expect(results).toMatchObject(names.map((name) => ({ name })));
  const ids = step?.tool_calls?.map(({ id }) => id) ?? [];
  expect(results.map(({ tool_call_id: id }) => id)).toEqual(ids);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(results.at(-1)?.content).toBe('The user rejected this call.');
});

const failures: readonly (readonly [string, ModelResponse])[] = [
  ...[400, 403, 406, 413, 422, 451, 500].map((status) => [String(status), errorResponse(status)] as const),
  // Two requests in turn, because the tokens of a minute are too few for all turns.
  ['429', errorResponse(429, { 'Retry-After': '0' })],
  ['an error in a stream', chunksResponse({ error: { message: 'The slot is full.' } })],
  ['a stream that ends too early', chunksResponse({ choices: [] })],
];

describe.each(failures)('a server that answers an earlier turn with %s', (failure, response) => {
  spec('runAgent', 200, 'gets only the last turn, and instructions that say so', async () => {
    const context = { session_id: `poisoned-${failure.replaceAll(' ', '-')}` };
    model.respondWith(textResponse('Well.'));
    for (const input of ['Poison', 'One', 'Two']) await runAgent(alice, agent, input, { context });
    model.respondWith((connection, request) => {
      const isPoisoned = request.messages.some(({ content }) => content === 'One');
      (isPoisoned ? response : textResponse('Three.'))(connection, request);
    });

    const { body } = await runAgent(alice, agent, 'Three', { context });

    const [system, ...messages] = model.requests.at(-1)?.messages ?? [];
    expect(body).toMatchObject({ status: 'completed', output: 'Three.' });
    expect(messages.at(-1)?.content).toBe('Three');
    expect(system?.content).toContain('The earlier part of this conversation is left out');
  });
});

spec('runAgent', 200, 'a conversation too long for the model is sent without its older half', async () => {
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
});

const tooLong = errorResponse(400, {}, { error: { code: 'context_length_exceeded', message: 'Too long.' } });
