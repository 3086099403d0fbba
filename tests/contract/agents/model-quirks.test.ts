import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { messagesOf, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import {
  callsTool,
  refuses,
  says,
  streams,
  type ModelAnswer,
  type ModelServer,
} from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

let model: ModelServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  ({ model, alice, agent } = await startWithModel());
});

const task = { title: 'Quirk' };
const quirks: readonly (readonly [string, readonly ModelAnswer[]])[] = [
  ['gives its calls no id', [callsTool('create_task', task, { call: { id: null } }), says('Done.')]],
  ['gives its calls no type', [callsTool('create_task', task, { call: { type: undefined } }), says('Done.')]],
  [
    'writes arguments as an object',
    [
      callsTool('create_task', '', { call: { function: { name: 'create_task', arguments: task } } }),
      says('Done.'),
    ],
  ],
  ['says stop although it calls', [callsTool('create_task', task, { finish: 'stop' }), says('Done.')]],
  ['does not say why it ends', [callsTool('create_task', task, { finish: null }), says('Done.')]],
  [
    'writes broken arguments',
    [callsTool('create_task', '{"title": '), callsTool('create_task', task), says('Done.')],
  ],
  ['calls a tool that there is not', [callsTool('fly', {}), callsTool('create_task', task), says('Done.')]],
  [
    'answers at once where a stream was asked for',
    [
      (response) => {
        const call = {
          id: 'x',
          type: 'function',
          function: { name: 'create_task', arguments: '{"title":"Quirk"}' },
        };
        const message = { role: 'assistant', content: null, tool_calls: [call] };
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
      },
      says('Done.'),
    ],
  ],
  [
    'has too much to do for a moment',
    [refuses(429, { 'Retry-After': '0' }), callsTool('create_task', task), says('Done.')],
  ],
  [
    'breaks off its answer in the middle',
    [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hal' } }] })}\n\n`);
        setImmediate(() => response.destroy());
      },
      callsTool('create_task', task),
      says('Done.'),
    ],
  ],
];

describe.each(quirks)('a model server that %s', (_name, answers) => {
  spec('runAgent', 200, 'is survived, and the task is made once', async () => {
    const before = (await alice.ok('listTasks', { query: { q: 'Quirk' } })).body.count;
    model.answers(...answers);

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
    expect((await alice.ok('listTasks', { query: { q: 'Quirk' } })).body.count).toBe(before + 1);
  });
});

spec('runAgent', 200, 'invents no usage where the server tells none, and no text', async () => {
  model.answers(streams({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));

  const { body } = await runAgent(alice, agent, 'Say nothing');

  expect(body).toMatchObject({ status: 'completed', output: '', usage: null });
});

spec('runAgent', 200, 'tells the model which of its arguments was wrong', async () => {
  model.answers(callsTool('create_task', { title: 5 }), says('Sorry.'));

  await runAgent(alice, agent, 'Do it', { context: { session_id: 'wrong' } });

  const [, , answer] = await messagesOf(alice, 'wrong');
  expect(answer).toMatchObject({ role: 'tool', is_error: true });
  expect(answer?.content).toMatch(/^The field "title" must be string/);
});

spec('runAgent', 200, 'is told of a tool that was called without the id it needs', async () => {
  model.answers(callsTool('get_task', {}), callsTool('get_task', { id: 5 }), says('So be it.'));

  await runAgent(alice, agent, 'Hi', { context: { session_id: 'no-id' } });

  const [none, number] = (await messagesOf(alice, 'no-id')).filter(({ role }) => role === 'tool');
  expect(none).toMatchObject({
    is_error: true,
    content: expect.stringMatching(/^The path parameter "id" is req/),
  });
  expect(number).toMatchObject({ is_error: true, content: expect.stringMatching(/"id" must be string/) });
});
