import { describe, expect } from 'vitest';
import { messagesOf, runAgent } from '../../../support/agents.ts';
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
const deviations: readonly (readonly [string, readonly ModelResponse[]])[] = [
  [
    'sends tool calls without an id',
    [toolCallResponse('create_task', task, { call: { id: null } }), textResponse('Done.')],
  ],
  [
    'sends tool calls without a type',
    [toolCallResponse('create_task', task, { call: { type: undefined } }), textResponse('Done.')],
  ],
  [
    'sends arguments as an object',
    [
      toolCallResponse('create_task', '', { call: { function: { name: 'create_task', arguments: task } } }),
      textResponse('Done.'),
    ],
  ],
  [
    'finishes a tool call with "stop"',
    [toolCallResponse('create_task', task, { finish: 'stop' }), textResponse('Done.')],
  ],
  [
    'sends no finish reason',
    [toolCallResponse('create_task', task, { finish: null }), textResponse('Done.')],
  ],
  [
    'sends malformed arguments',
    [
      toolCallResponse('create_task', '{"title": '),
      toolCallResponse('create_task', task),
      textResponse('Done.'),
    ],
  ],
  [
    'calls an unknown tool',
    [toolCallResponse('fly', {}), toolCallResponse('create_task', task), textResponse('Done.')],
  ],
  [
    'sends a single response instead of a stream',
    [
      (response) => {
        const call = {
          id: 'x',
          type: 'function',
          function: { name: 'create_task', arguments: '{"title":"Quirk"}' },
        };
        const message = { role: 'assistant', content: null, tool_calls: [call] };
        response.writeHead(200, { 'Content-Type': 'Application/JSON' });
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
      },
      textResponse('Done.'),
    ],
  ],
  [
    'sends pings, empty lines, choices that are null, numbers as ids and counts as text',
    [
      (response) => {
        const function_ = { name: 'create_task', arguments: JSON.stringify(task) };
        const call = { index: 0, id: 7, type: 'function', function: function_ };
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': a comment\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: \n\n');
        for (const chunk of [
          { id: 1, choices: null },
          { id: 1, choices: [{ index: 0, delta: { tool_calls: [call] } }] },
          { id: 1, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
          {
            id: 1,
            choices: null,
            usage: { prompt_tokens: '10', completion_tokens: '5', total_tokens: '15' },
          },
        ])
          response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        response.end('data: [DONE]\n\n');
      },
      textResponse('Done.'),
    ],
  ],
  [
    'is overloaded for a moment',
    [
      errorResponse(429, { 'Retry-After': '0' }),
      toolCallResponse('create_task', task),
      textResponse('Done.'),
    ],
  ],
  [
    'closes the connection in the middle of a response',
    [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hal' } }] })}\n\n`);
        setImmediate(() => response.destroy());
      },
      toolCallResponse('create_task', task),
      textResponse('Done.'),
    ],
  ],
];

describe.each(deviations)('a model server that %s', (_name, responses) => {
  spec('runAgent', 200, 'the run completes, and creates the task once', async () => {
    const before = (await alice.ok('listTasks', { query: { q: 'Quirk' } })).body.count;
    model.respondWith(...responses);

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
    expect((await alice.ok('listTasks', { query: { q: 'Quirk' } })).body.count).toBe(before + 1);
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

spec(
  'runAgent',
  200,
  'the beginning of a tag, and a tag later in a text, are part of the answer',
  async () => {
    for (const text of ['<th', '<thing>', 'Use <think> and </think>.']) {
      model.respondWith(textResponse(text));
      expect((await runAgent(alice, agent, 'Hi')).body.output).toBe(text);
    }
  },
);

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

spec('runAgent', 200, 'the model receives the name of an invalid argument', async () => {
  model.respondWith(toolCallResponse('create_task', { title: 5 }), textResponse('Sorry.'));

  await runAgent(alice, agent, 'Do it', { context: { session_id: 'wrong' } });

  const [, , result] = await messagesOf(alice, 'wrong');
  expect(result).toMatchObject({ role: 'tool', is_error: true });
  expect(result?.content).toMatch(/^Title must be a string\.$/);
});

spec('runAgent', 200, 'the model receives an error if it calls a tool without a required id', async () => {
  model.respondWith(
    toolCallResponse('get_task', {}),
    toolCallResponse('get_task', { id: 5 }),
    textResponse('So be it.'),
  );

  await runAgent(alice, agent, 'Hi', { context: { session_id: 'no-id' } });

  const [missing, number] = (await messagesOf(alice, 'no-id')).filter(({ role }) => role === 'tool');
  expect(missing).toMatchObject({
    is_error: true,
    content: expect.stringMatching(/^The path parameter "id" is req/),
  });
  expect(number).toMatchObject({ is_error: true, content: expect.stringMatching(/"id" must be a string/) });
});
