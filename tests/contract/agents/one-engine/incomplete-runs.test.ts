import { describe, expect } from 'vitest';
import { messagesOf, runAgent, streamRun } from '../../../support/agents.ts';
import { tasksTitled } from '../../../support/approvals.ts';
import { summarizeEvents } from '../../../support/events.ts';
import { metricOf } from '../../../support/metrics.ts';
import {
  chunksResponse,
  cutOffResponse,
  textResponse,
  toolCallResponse,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, server, alice, agent } = await startWithModel();

const reasons = [
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
  // Finish reasons of other protocols.
  ['MAX_TOKENS', 'max_output_tokens'],
  ['model_length', 'max_output_tokens'],
  ['model_context_window_exceeded', 'max_output_tokens'],
  ['content_filter:RECITATION', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['SAFETY', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['abort', 'interrupted'],
  ['network_error', 'interrupted'],
  // The answer has no call.
  ['tool_calls', 'interrupted'],
] as const;

describe.each(reasons)('an answer that ends with %s', (finish, reason) => {
  spec('runAgent', 200, 'makes the run incomplete, with the text so far as output and message', async () => {
    const metric = 'agent_runs_total{outcome="incomplete"}';
    const before = await metricOf(server, metric);
    model.respondWith(cutOffResponse('The first half', finish));

    const events = await streamRun(alice, agent, 'Hi', { context: { session_id: finish } });

    expect(summarizeEvents(events).at(-1)).toBe('run.incomplete incomplete');
    const { body: session } = await alice.ok('getSession', { id: finish });
    expect(session).toMatchObject({ status: 'idle', run: events.at(-1)?.data });
    expect(session.run).toMatchObject({
      ...{ status: 'incomplete', output: 'The first half', error: null, incomplete_details: { reason } },
      ...{ usage: { input_tokens: 10, output_tokens: 5 }, completed_at: expect.any(String) },
    });
    const message = { role: 'assistant', content: 'The first half', partial: true };
    expect((await messagesOf(alice, finish)).at(-1)).toMatchObject(message);
    expect(await metricOf(server, metric)).toBe(before + 1);
  });
});

describe('an answer that was cut off', () => {
  spec('runAgent', 200, 'is part of the conversation of the next run', async () => {
    const context = { session_id: 'next' };
    model.respondWith(cutOffResponse('The first half', 'length'));
    await runAgent(alice, agent, 'Hi', { context });
    model.respondWith(textResponse('The rest.'));

    const { body } = await runAgent(alice, agent, 'Go on', { context });

    expect(body).toMatchObject({ status: 'completed', incomplete_details: null });
    const { messages = [] } = model.requests[0] ?? {};
    expect(messages.map(({ content }) => content).slice(1)).toEqual(['Hi', 'The first half', 'Go on']);
  });

  spec('runAgent', 200, 'has tool calls that are not executed, and their results say so', async () => {
    model.respondWith(toolCallResponse('create_task', { title: 'Half' }, { finish: 'length' }));

    const { body } = await runAgent(alice, agent, 'Do it');

    expect(body).toMatchObject({ status: 'incomplete', output: '' });
    expect(model.requests).toHaveLength(1);
    expect(await tasksTitled(alice, 'Half')).toEqual([]);
    const [, call, result] = await messagesOf(alice, body.session_id);
    expect(result).toMatchObject({
      ...{ role: 'tool', tool_call_id: call?.tool_calls?.[0]?.id, is_error: true },
      content: 'This call was not executed, because the answer was cut off.',
    });
  });
});

const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const thoughts = { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] };
const empty = {
  'without a text': chunksResponse(stop),
  'of spaces': textResponse(' \n '),
  'of invisible characters': textResponse('\u200b\u200b'),
  'of thoughts alone': chunksResponse(thoughts, stop),
  'of thoughts in its text': textResponse('<think>Hm.</think>'),
};

describe.each(Object.entries(empty))('an answer %s', (_name, response) => {
  spec('runAgent', 200, 'is asked for once more, and fails the run the second time', async () => {
    model.respondWith(response, textResponse('Here I am.'));
    const { body: again } = await runAgent(alice, agent, 'Hi');
    model.respondWith(response);
    const { body: failed } = await runAgent(alice, agent, 'Hi');

    expect(again).toMatchObject({ status: 'completed', output: 'Here I am.' });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'runtime_error' } });
    const sentence = /^The model answered neither with a text nor with a call of a tool\./;
    expect(failed.error?.message).toMatch(sentence);
    expect(model.requests).toHaveLength(2);
  });
});
