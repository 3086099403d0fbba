import { describe, expect } from 'vitest';
import { createAgent, runAgent } from '../../../support/agents.ts';
import { textResponse, type ModelRequest, type ModelResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithRuntimes } from '../../../support/with-model.ts';

const { model, alice } = await startWithRuntimes({
  plain: {},
  tuned: { TEMPERATURE: '0.7', MAX_OUTPUT_TOKENS: '4000', REASONING_EFFORT: 'low' },
  renamed: { MAX_OUTPUT_TOKENS: '50' },
});

function optionsOf(request: ModelRequest | undefined): unknown {
  const { temperature, max_tokens, max_completion_tokens, reasoning_effort } = request ?? {};
  return { temperature, max_tokens, max_completion_tokens, reasoning_effort };
}

describe('the request to a model', () => {
  spec('runAgent', 200, 'has no options where neither the agent nor the operator sets any', async () => {
    const agent = await createAgent(alice, { runtime: 'plain' });
    model.respondWith(textResponse('Hi.'));

    await runAgent(alice, agent, 'Hi');

    expect(Object.keys(model.requests[0] ?? {}).toSorted()).toEqual([
      ...['messages', 'model', 'stream', 'stream_options', 'tool_choice', 'tools'],
    ]);
  });

  spec('runAgent', 200, "has the agent's options, and the runtime's for those it does not set", async () => {
    const model_options = { temperature: 0, max_output_tokens: 500 };
    const agent = await createAgent(alice, { runtime: 'tuned' });
    const own = await createAgent(alice, { runtime: 'tuned', model_options });
    model.respondWith(textResponse('Hi.'));

    await runAgent(alice, agent, 'Hi');
    await runAgent(alice, own, 'Hi');

    expect(model.requests.map(optionsOf)).toEqual([
      { temperature: 0.7, max_tokens: 4000, reasoning_effort: 'low' },
      { temperature: 0, max_tokens: 500, reasoning_effort: 'low' },
    ]);
  });

  spec('runAgent', 200, 'has max_completion_tokens once the server has asked for it', async () => {
    const agent = await createAgent(alice, { runtime: 'renamed' });
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const refuse: ModelResponse = (response, request) => {
      if (request.max_tokens === undefined) {
        textResponse('Hi.')(response, request);
        return;
      }
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message, code: 'unsupported_parameter' } }));
    };
    model.respondWith(refuse);

    for (const input of ['One', 'Two']) expect((await runAgent(alice, agent, input)).body.output).toBe('Hi.');

    expect(model.requests.map(optionsOf)).toEqual([
      { max_tokens: 50 },
      { max_completion_tokens: 50 },
      { max_completion_tokens: 50 },
    ]);
  });
});
