import { describe, expect } from 'vitest';
import { runAgent, toolResults } from '../../../support/agents.ts';
import { tasksTitled } from '../../../support/approvals.ts';
import {
  cutOffResponse,
  toolCallResponse,
  errorResponse,
  textResponse,
  chunksResponse,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel();

const task = { title: 'Quirk' };
const done = textResponse('Done.');
const creation = toolCallResponse('create_task', task);
const call = {
  id: 'x',
  type: 'function',
  function: { name: 'create_task', arguments: JSON.stringify(task) },
};

/** A call of `create_task` with other fields or another finish reason. */
function deviating(fields: object, finish: string | null = 'tool_calls'): readonly ModelResponse[] {
  return [toolCallResponse('create_task', task, { call: fields, finish }), done];
}

const singleResponse: ModelResponse = (response) => {
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  response.writeHead(200, { 'Content-Type': 'Application/JSON' });
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
};

const pings: ModelResponse = (response, request) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(': a comment\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: \n\n');
  const usage = { prompt_tokens: '10', completion_tokens: '5', total_tokens: '15' };
  const chunks = [
    { id: 1, choices: null },
    { id: 1, choices: [{ index: 0, delta: { tool_calls: [{ ...call, index: 0, id: 7 }] } }] },
    { id: 1, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { id: 1, choices: null, usage },
  ];
  // The head of the response has already been sent.
  response.writeHead = () => response;
  chunksResponse(...chunks)(response, request);
};

const brokenConnection: ModelResponse = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hal' } }] })}\n\n`);
  setImmediate(() => response.destroy());
};

const deviations: Readonly<Record<string, readonly ModelResponse[]>> = {
  'sends tool calls without an id': deviating({ id: null }),
  'sends tool calls without a type': deviating({ type: undefined }),
  'sends arguments as an object': deviating({ function: { name: 'create_task', arguments: task } }),
  'finishes a tool call with "stop"': deviating({}, 'stop'),
  'sends no finish reason': deviating({}, null),
  'sends malformed arguments': [toolCallResponse('create_task', '{"title": '), creation, done],
  'calls an unknown tool': [toolCallResponse('fly', {}), creation, done],
  'sends a single response instead of a stream': [singleResponse, done],
  'sends pings, empty lines, choices that are null, numbers as ids and counts as text': [pings, done],
  'is overloaded for a moment': [errorResponse(429, { 'Retry-After': '0' }), creation, done],
  'closes the connection in the middle of a response': [brokenConnection, creation, done],
};

describe.each(Object.entries(deviations))('a model server that %s', (_name, responses) => {
  spec('runAgent', 200, 'the run completes, and creates the task once', async () => {
    const before = (await tasksTitled(alice, 'Quirk')).length;
    model.respondWith(...responses);

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
    expect(await tasksTitled(alice, 'Quirk')).toHaveLength(before + 1);
  });
});

const thoughtful: readonly (readonly [string, readonly string[]])[] = [
  ['in one piece', ['<think>Add. <b></think>\n\nIt is 4.']],
  ['in pieces that cut the tags', ['\n<th', 'ink>', 'Add. <', 'b></thi', 'nk>', '\n\nIt is', ' 4.']],
];

describe.each(thoughtful)('thoughts at the beginning of a text, %s', (_name, pieces) => {
  spec('runAgent', 200, 'are no part of the answer', async () => {
    const content = pieces.map((text) => ({ choices: [{ index: 0, delta: { content: text } }] }));
    model.respondWith(
      chunksResponse(...content, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    );

    expect((await runAgent(alice, agent, 'Hi')).body.output).toBe('It is 4.');
  });
});

spec('runAgent', 200, 'a text may have the beginning of a tag, and later a tag', async () => {
  for (const text of ['<th', '<thing>', 'Use <think> and </think>.']) {
    model.respondWith(textResponse(text));
    expect((await runAgent(alice, agent, 'Hi')).body.output).toBe(text);
  }
});

spec('runAgent', 200, 'a response without usage completes the run without it', async () => {
  const choice = { index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' };
  model.respondWith(chunksResponse({ choices: [choice] }));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body).toMatchObject({ status: 'completed', output: 'Hi.', usage: null });
});

const foreignReasons = [
  ['max_tokens', 'max_output_tokens'],
  ['MAX_TOKENS', 'max_output_tokens'],
  ['model_length', 'max_output_tokens'],
  ['content_filter: RECITATION', 'content_filter'],
  ['SAFETY', 'content_filter'],
  ['sensitive', 'content_filter'],
] as const;

describe.each(foreignReasons)('the finish reason %s of another protocol', (finish, reason) => {
  spec('runAgent', 200, `ends the run as incomplete with ${reason}`, async () => {
    model.respondWith(cutOffResponse('Half', finish));

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'incomplete', output: 'Half', incomplete_details: { reason } });
  });
});

const mistakes: readonly (readonly [name: string, values: object, content: RegExp])[] = [
  ['create_task', { title: 5 }, /^Title must be a string\.$/],
  ['get_task', {}, /^The path parameter "id" is req/],
  ['get_task', { id: 5 }, /"id" must be a string/],
];

describe.each(mistakes)('a call of %s with the arguments %j', (name, values, content) => {
  spec('runAgent', 200, 'has an error as its result, which the model receives', async () => {
    model.respondWith(toolCallResponse(name, values), textResponse('Sorry.'));

    const { body } = await runAgent(alice, agent, 'Do it');

    const [result] = await toolResults(alice, body.session_id);
    expect(result?.is_error).toBe(true);
    expect(result?.content).toMatch(content);
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toBe(result?.content);
  });
});
