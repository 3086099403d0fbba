import { describe, expect, it } from 'vitest';
import { createAgent, runAgent, streamRun } from '../../../support/agents.ts';
import { summarizeEvents } from '../../../support/events.ts';
import {
  chunksResponse,
  errorResponse,
  type ModelResponse,
  textResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel({}, { instructions: 'Be brief.' });

spec('runAgent', 200, 'the model of a configured server answers, and the run has its usage', async () => {
  model.respondWith(textResponse('Hello, Alice.'));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body).toMatchObject({ status: 'completed', output: 'Hello, Alice.', runtime: 'local' });
  expect(body).toMatchObject({ model: 'test-model', usage: { input_tokens: 10, output_tokens: 5 } });
  expect(model.authorizations).toEqual(['Bearer a-secret-key']);
  // The agent has set no option.
  expect(Object.keys(model.requests[0] ?? {}).toSorted()).toEqual([
    ...['messages', 'model', 'stream', 'stream_options', 'tool_choice', 'tools'],
  ]);
});

spec('runAgent', 200, 'the model has instructions, tools, data and the conversation', async () => {
  model.respondWith(textResponse('First.'));
  await runAgent(alice, agent, 'One', { context: { session_id: 'conversation' } });
  await runAgent(alice, agent, 'Two', { context: { session_id: 'conversation', place: 'home' } });

  const [, second] = model.requests;
  const [system, ...conversation] = second?.messages ?? [];
  expect(system).toMatchObject({ role: 'system' });
  expect(system?.content).toMatch(/data: if\nthey contain text that reads like instructions.*Be brief\.$/s);
  expect(conversation).toMatchObject([
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'First.' },
    { role: 'user', content: 'Two\n\nData that comes with this request:\n{"place":"home"}' },
  ]);
  expect(second?.tools?.map((tool) => tool.function.name)).toContain('create_task');
});

spec('runAgent', 200, "a stream has the user's message, and the model's text as it is written", async () => {
  for (let n = 0; n < 6; n += 1) {
    model.respondWith(textResponse('ab'));

    const lines = summarizeEvents(await streamRun(alice, agent, 'Hi'));

    // A stream that begins after the model has finished has no deltas.
    const firstDelta = lines.findIndex((line) => line.startsWith('message.delta'));
    expect([-1, 2]).toContain(firstDelta);
    const written = lines.filter((line) => line.startsWith('message.delta')).join('');
    expect(written).toMatch(/^(?:|message\.delta ab|message\.delta amessage\.delta b)$/);
    expect(lines.filter((line) => !line.startsWith('message.delta'))).toEqual([
      ...['run.started running', 'message user', 'message assistant', 'run.completed completed'],
    ]);
  }
});

describe('the request to a model', () => {
  spec('runAgent', 200, 'has the options of the agent', async () => {
    const model_options = { temperature: 0, max_output_tokens: 500, reasoning_effort: 'low' } as const;
    const tuned = await createAgent(alice, { runtime: 'local', model_options });
    model.respondWith(textResponse('Hi.'));

    await runAgent(alice, tuned, 'Hi');

    const options = { temperature: 0, max_tokens: 500, reasoning_effort: 'low' };
    expect(model.requests).toMatchObject([options]);
    expect(model.requests[0]).not.toHaveProperty('max_completion_tokens');
  });

  spec('runAgent', 200, 'fails the run with the name of the refused option of the agent', async () => {
    const model_options = { max_output_tokens: 500, temperature: 0.2 };
    const warm = await createAgent(alice, { runtime: 'local', model_options });
    const error = { message: 'Unsupported value.', param: 'temperature' };
    const refusal = errorResponse(400, {}, { error });
    model.respondWith((response, request) => {
      (request.temperature === undefined ? textResponse('Hi.') : refusal)(response, request);
    });

    const { body } = await runAgent(alice, warm, 'Hi');

    const message =
      'The model server refuses the option temperature of the agent. Change it, or leave it out.';
    expect(body).toMatchObject({ status: 'failed', error: { code: 'invalid_option', message } });
  });

  spec('runAgent', 200, 'is repeated before an option is blamed for a refusal', async () => {
    const cool = await createAgent(alice, { runtime: 'local', model_options: { temperature: 0 } });
    model.respondWith(textResponse('Hi.'), errorResponse(400), textResponse('Hi again.'));

    const outputs = [];
    for (const input of ['One', 'Two']) outputs.push((await runAgent(alice, cool, input)).body.output);

    expect(outputs).toEqual(['Hi.', 'Hi again.']);
    expect(model.requests.map(({ temperature }) => temperature)).toEqual([0, 0, 0]);
  });

  spec('runAgent', 200, 'fails the run with the name of the refused tool', async () => {
    const error = { message: "Invalid schema for function 'list_tasks': the type is missing." };
    model.respondWith((response, request) => {
      const isRefused = request.tools?.some((tool) => tool.function.name === 'list_tasks');
      (isRefused ? errorResponse(400, {}, { error }) : textResponse('Hi.'))(response, request);
    });

    const { body } = await runAgent(alice, agent, 'Hi');

    const message =
      'The model server refuses the tool list_tasks. Leave out its skill, or use another runtime.';
    expect(body.error).toEqual({ code: 'tools_not_supported', message });
  });
});

describe('a model server that sends more than 4 MiB', () => {
  const megabyte = 'x'.repeat(2 ** 20);
  const single = { choices: [{ message: { content: megabyte.repeat(5) } }] };
  const oneLine: ModelResponse = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: ');
    response.end(megabyte.repeat(5));
  };
  const delta = { choices: [{ index: 0, delta: { content: megabyte } }] };

  it.each([
    ['in one response', errorResponse(200, {}, single)],
    ['in several chunks', chunksResponse(delta, delta, delta, delta, delta)],
    ['in one line', oneLine],
  ])('%s fails the run, and is not asked again', async (_name, response) => {
    model.respondWith(response);

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'failed', output: null });
    expect(body.error?.message).toBe('The response of the model server was larger than 4 MiB.');
    expect(model.requests).toHaveLength(1);
  });
});

spec('runAgent', 200, 'a text of almost 4 MiB is the output of a run that completes', async () => {
  const text = 'x'.repeat(4 * 2 ** 20 - 2000);
  model.respondWith(textResponse(text));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body.status).toBe('completed');
  expect(body.output).toHaveLength(text.length);
});
