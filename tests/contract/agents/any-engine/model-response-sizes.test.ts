import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../support/agents.ts';
import { chunksResponse, textResponse, type ModelResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel();

describe('a model server that sends more than 4 MiB', () => {
  const megabyte = 'x'.repeat(2 ** 20);
  const json = (status: number): ModelResponse => {
    return (response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: megabyte.repeat(5) } }] }));
    };
  };
  const oneLine: ModelResponse = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: ');
    response.end(megabyte.repeat(5));
  };
  const delta = { choices: [{ index: 0, delta: { content: megabyte } }] };

  it.each([
    ['in one response', json(200)],
    ['in several chunks', chunksResponse(delta, delta, delta, delta, delta)],
    ['in one line', oneLine],
    ['with an error', json(400)],
  ])('%s fails the run, and is not asked again', async (_name, response) => {
    model.respondWith(response);

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'failed', output: null });
    expect(body.error?.message).toBe('The response of the model server was larger than 4 MiB.');
    expect(model.requests).toHaveLength(1);
  });
});

describe('a model server that sends almost 4 MiB', () => {
  spec('runAgent', 200, 'completes the run with the whole text', async () => {
    const text = 'x'.repeat(4 * 2 ** 20 - 2000);
    model.respondWith(textResponse(text));

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body.status).toBe('completed');
    expect(body.output).toHaveLength(text.length);
  });
});

describe('a model server that streams a long text word by word', () => {
  spec('runAgent', 200, 'completes the run, although the stream is larger than 4 MiB', async () => {
    const words = 20_000;
    const chunk = {
      id: 'chatcmpl-0123456789abcdefghijklmnop',
      object: 'chat.completion.chunk',
      created: 1_780_000_000,
      model: 'a-model-of-the-tests',
      system_fingerprint: 'fp_0123456789',
      choices: [{ index: 0, delta: { content: 'word ' }, logprobs: null, finish_reason: null }],
      usage: null,
    };
    model.respondWith(chunksResponse(...Array<object>(words).fill(chunk)));

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(JSON.stringify(chunk).length * words).toBeGreaterThan(4 * 2 ** 20);
    expect(body.output).toHaveLength('word '.length * words);
  });
});

describe('a model server that sends a million', () => {
  const millionZeros = Array<number>(1_000_000).fill(0);

  it.each([
    ['choices', { choices: millionZeros }],
    ['calls', { choices: [{ index: 0, delta: { tool_calls: millionZeros } }] }],
  ])('%s fails the run', async (_name, chunk) => {
    model.respondWith(chunksResponse(chunk));

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body.status).toBe('failed');
  });
});
