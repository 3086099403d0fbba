import { describe, expect } from 'vitest';
import { createAgent, runAgent } from '../../../support/agents.ts';
import { errorResponse, textResponse, type ModelRequest } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel();

function optionsOf(request: ModelRequest | undefined): unknown {
  const { temperature, max_tokens, max_completion_tokens, reasoning_effort } = request ?? {};
  return { temperature, max_tokens, max_completion_tokens, reasoning_effort };
}

describe('the request to a model', () => {
  spec('runAgent', 200, 'has no options where the agent sets none', async () => {
    model.respondWith(textResponse('Hi.'));

    await runAgent(alice, agent, 'Hi');

    expect(Object.keys(model.requests[0] ?? {}).toSorted()).toEqual([
      ...['messages', 'model', 'stream', 'stream_options', 'tool_choice', 'tools'],
    ]);
  });

  spec('runAgent', 200, 'has the options of the agent', async () => {
    const model_options = { temperature: 0, max_output_tokens: 500, reasoning_effort: 'low' } as const;
    const tuned = await createAgent(alice, { runtime: 'local', model_options });
    model.respondWith(textResponse('Hi.'));

    await runAgent(alice, tuned, 'Hi');

    expect(model.requests.map(optionsOf)).toEqual([
      { temperature: 0, max_tokens: 500, reasoning_effort: 'low' },
    ]);
  });

  spec('runAgent', 200, 'fails the run by the name of an option of the agent that is refused', async () => {
    const model_options = { max_output_tokens: 500, temperature: 0.2 };
    const warm = await createAgent(alice, { runtime: 'local', model_options });
    model.respondWith((response, request) => {
      (request.temperature === undefined ? textResponse('Hi.') : errorResponse(400))(response, request);
    });

    const { body } = await runAgent(alice, warm, 'Hi');

    const message =
      'The model server refuses the option temperature of the agent. Change it, or leave it out.';
    expect(body).toMatchObject({ status: 'failed', error: { code: 'invalid_option', message } });
  });
});
