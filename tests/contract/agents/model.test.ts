import { beforeAll, describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operations.ts';
import { createAgent, messagesOf, noLimits, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { eventsFrom, outline } from '../../support/events.ts';
import {
  callsTool,
  modelEnv,
  refuses,
  says,
  startModelServer,
  streams,
  type ModelAnswer,
  type ModelServer,
} from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

let model: ModelServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  model = await startModelServer();
  const server = await startTestServer({
    env: { ...noLimits, ...modelEnv(model), AGENT_MAX_STEPS: '3', AGENT_STEP_TIMEOUT_MS: '5000' },
  });
  alice = await server.as('alice');
  agent = await createAgent(alice, { runtime: 'local', skills: ['tasks'], instructions: 'Be brief.' });
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

const failures: readonly (readonly [string, ModelAnswer, RegExp])[] = [
  ['refuses the key', refuses(401), /refuses this server's key/],
  ['fails', refuses(400), /answered with status 400/],
  ['sends nonsense', streams({ nonsense: true, choices: 'none' }), /sent nonsense/],
  ['sends no stream', (response) => response.end('<html>'), /sent nonsense/],
  ['never comes to an end of its steps', callsTool('list_tasks', {}), /not done after 3 steps/],
];

describe.each(failures)('a model server that %s', (name, answer, sentence) => {
  spec('runAgent', 500, 'fails the run with a sentence, and the session can be used again', async () => {
    const context = { session_id: name.replaceAll(' ', '-') };
    model.answers(answer);
    const { body } = await alice.fails('runAgent', 500, { id: agent.id, body: { input: 'Hi', context } });
    const { body: session } = await alice.ok('getSession', { id: context.session_id });
    model.answers(says('Back again.'));
    const again = await runAgent(alice, agent, 'Hi again', { context });

    expect(body).toMatchObject({ code: 'Server Error', session_id: context.session_id });
    expect(body.detail).toMatch(sentence);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|a-secret-key|message of the model server/);
    expect(session).toMatchObject({ status: 'failed', run: { id: body.run_id, status: 'failed' } });
    expect(again.body.output).toBe('Back again.');
  });
});

describe('a model server that is slow', () => {
  it('has its run failed when the time of a run is over', async () => {
    const server = await startTestServer({ env: { ...modelEnv(model), AGENT_RUN_TIMEOUT_MS: '300' } });
    const bob = await server.as('bob');
    const slow = await createAgent(bob, { runtime: 'local' });
    model.answers(() => undefined);

    const { body } = await bob.fails('runAgent', 500, { id: slow.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The run took longer than this server allows\./);
    const { body: session } = await bob.ok('getSession', { id: body.session_id ?? '' });
    expect(session.run?.error?.code).toBe('timeout');
  });

  it('has its run failed when the time of a step is over', async () => {
    const server = await startTestServer({ env: { ...modelEnv(model), AGENT_STEP_TIMEOUT_MS: '300' } });
    const bob = await server.as('bob');
    const slow = await createAgent(bob, { runtime: 'local' });
    model.answers(() => undefined);

    const { body } = await bob.fails('runAgent', 500, { id: slow.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The model did not answer in the time it is given\./);
  });

  spec('runAgent', 202, 'keeps nobody waiting longer than they prefer', async () => {
    model.answers(() => undefined);

    const answer = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'patient' },
      headers: { Prefer: 'wait=0' },
    });

    expect(answer.status).toBe(202);
    expect(answer.headers.get('Preference-Applied')).toBe('wait=0');
    expect((await alice.ok('getSession', { id: 'patient' })).body.status).toBe('running');
  });
});

describe('a model server that is down', () => {
  spec('runAgent', 500, 'fails the run with a sentence', async () => {
    const env = { ...modelEnv(model), AGENT_RUNTIME_LOCAL_URL: 'http://127.0.0.1:1/v1' };
    const server = await startTestServer({ env });
    const bob = await server.as('bob');
    const lost = await createAgent(bob, { runtime: 'local' });

    const { body } = await bob.fails('runAgent', 500, { id: lost.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The model server cannot be reached\./);
  });
});
