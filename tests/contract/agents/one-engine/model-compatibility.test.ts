import { describe, expect } from 'vitest';
import { runAgent } from '../../../support/agents.ts';
import { tasksTitled } from '../../../support/approvals.ts';
import {
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

const repeated = { tool_calls: [0, 1].map((index) => ({ ...call, index })) };

const singleResponse = errorResponse(
  200,
  { 'Content-Type': 'Application/JSON' },
  { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] },
);

function sending(text: string, type = 'text/event-stream'): ModelResponse {
  return (response) => response.writeHead(200, { 'Content-Type': type }).end(text);
}

const chunks = [
  { id: 1, choices: null, error: { code: 0, message: '' } },
  { id: 1, choices: [{ index: 0, delta: { tool_calls: [{ ...call, index: 0, id: 7 }] } }] },
  { id: 1, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], error: '' },
  { id: 1, choices: null, usage: { prompt_tokens: '10', completion_tokens: '5' } },
];
const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const pings = sending(`: a comment\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: \n\n${lines}`);

const chunk = { choices: [{ delta: { tool_calls: [{ ...call, index: 0 }] }, finish_reason: 'stop' }] };
const indented = JSON.stringify(chunk, null, 1);

const brokenConnection: ModelResponse = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hal' } }] })}\n\n`);
  setImmediate(() => response.destroy());
};

const endings = ['Do', 'ne', '.'].map((content) => ({
  choices: [{ delta: { content }, finish_reason: 'stop' }],
}));

/** Streams a call without a finish reason, and then lines that may be an error. */
function endingWith(lines: string): ModelResponse {
  const chunk = JSON.stringify({ choices: [{ delta: { tool_calls: [{ ...call, index: 0 }] } }] });
  return sending(`data: ${chunk}\n\n${lines}\n\ndata: [DONE]\n\n`);
}

const errors = [
  'error: {"code":500,"message":"context shift is disabled","type":"server_error"}',
  'event: error\ndata: "Failed."',
  'data: {"code":500,"message":"Failed.","type":"server_error"}',
  'data: {"detail":"Internal Server Error"}',
  'data: [{"error":{"message":"Failed."}}]',
  'Internal Server Error',
];

const deviations: Readonly<Record<string, readonly ModelResponse[]>> = {
  'sends tool calls without an id': deviating({ id: null }),
  'sends arguments as an object': deviating({ function: { name: 'create_task', arguments: task } }),
  'repeats a call under another index': [toolCallResponse('create_task', task, { delta: repeated }), done],
  'finishes a tool call with "STOP"': deviating({}, 'STOP'),
  'sends no finish reason': deviating({}, null),
  'sends an empty finish reason': deviating({}, ''),
  'sends malformed arguments': [toolCallResponse('create_task', '{"title": '), creation, done],
  'is interrupted after a call': [...deviating({}, 'network_error').slice(0, 1), creation, done],
  'calls an unknown tool': [toolCallResponse('fly', {}), creation, done],
  'sends a single response instead of a stream': [singleResponse, done],
  'sends JSON of several lines without its type': [sending(indented, 'text/plain'), done],
  'sends events of several lines': [sending(`data: ${indented.replaceAll('\n', '\ndata: ')}\n\n`), done],
  'sends events as JSON': [sending(lines, 'application/json'), done],
  'sends pings, empty lines and errors, choices that are null, numbers as ids and counts as text': [
    pings,
    done,
  ],
  'sends a finish reason with each chunk': [creation, chunksResponse(...endings)],
  ...Object.fromEntries(errors.map((line) => [`sends ${line}`, [endingWith(line), creation, done]])),
  'is overloaded for a moment': [errorResponse(429, { 'Retry-After': '0' }), creation, done],
  'refuses what its model has written': [creation, errorResponse(400), done],
  'closes the connection in the middle of a response': [brokenConnection, creation, done],
};

describe.each(Object.entries(deviations))('a model server that %s', (_name, responses) => {
  spec('runAgent', 200, 'lets the run complete, and create the task once', async () => {
    const before = (await tasksTitled(alice, 'Quirk')).length;
    model.respondWith(...responses);

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
    expect(await tasksTitled(alice, 'Quirk')).toHaveLength(before + 1);
  });
});

const thoughtful: Readonly<Record<string, readonly unknown[]>> = {
  'in one piece': ['<think>Add. <b></think>\n\nIt is 4.'],
  'without the opening tag': ['Add. <b>', '</think>\n\nIt is 4.'],
  'in pieces that cut the tags': ['\n<th', 'ink>', 'Add. <', 'b></thi', 'nk>', '\n\nIt is', ' 4.'],
  'in parts of the type reasoning': [[{ type: 'reasoning', text: 'Add.' }], 'It is', ' 4.'],
  'in parts of the type thinking': [
    [{ type: 'thinking', thinking: [{ type: 'text', text: 'Add.' }] }],
    ...[[{ type: 'text', text: 'It is' }], { type: 'text', text: ' 4.' }],
  ],
};

describe.each(Object.entries(thoughtful))('thoughts before a text, %s', (_name, pieces) => {
  spec('runAgent', 200, 'are not part of the answer', async () => {
    const content = pieces.map((text) => ({ choices: [{ index: 0, delta: { content: text } }] }));
    model.respondWith(chunksResponse(...content, { choices: [{ delta: {}, finish_reason: 'stop' }] }));

    expect((await runAgent(alice, agent, 'Hi')).body).toMatchObject({ output: 'It is 4.', usage: null });
  });
});

spec('runAgent', 200, 'the words with which a model refuses are its answer', async () => {
  const delta = { content: null, refusal: 'I may not.' };
  model.respondWith(chunksResponse({ choices: [{ delta, finish_reason: 'stop' }] }));

  expect((await runAgent(alice, agent, 'Hi')).body.output).toBe('I may not.');
});

spec('runAgent', 200, 'a text may be the beginning of a tag, or contain a tag', async () => {
  for (const text of ['<th', '<thing>', 'Use <think> and </think>.']) {
    model.respondWith(textResponse(text));
    expect((await runAgent(alice, agent, 'Hi')).body.output).toBe(text);
  }
});
