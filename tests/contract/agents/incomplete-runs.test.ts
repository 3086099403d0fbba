import { describe, expect } from 'vitest';
import { messagesOf, runAgent } from '../../support/agents.ts';
import { eventsFrom, summarizeEvents } from '../../support/events.ts';
import { metricOf } from '../../support/metrics.ts';
import {
  chunksResponse,
  cutOffResponse,
  textResponse,
  toolCallResponse,
  toolCallsResponse,
} from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

const { model, server, alice, agent } = await startWithModel();

const reasons = [
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
] as const;

describe.each(reasons)('an answer that ends with %s', (finish, reason) => {
  spec('runAgent', 200, 'makes the run incomplete, with the text so far as output and message', async () => {
    model.respondWith(cutOffResponse('The first half', finish));

    const { body } = await runAgent(alice, agent, 'Hi', { context: { session_id: finish } });

    expect(body).toMatchObject({
      status: 'incomplete',
      output: 'The first half',
      error: null,
      incomplete_details: { reason },
      usage: { input_tokens: 10, output_tokens: 5 },
      completed_at: expect.any(String),
    });
    expect((await alice.ok('getRun', { id: body.id })).body).toEqual(body);
    expect((await messagesOf(alice, finish)).at(-1)).toMatchObject({
      role: 'assistant',
      content: 'The first half',
      partial: true,
    });
  });

  spec('runAgent', 200, 'leaves the session idle, and the next run has the text', async () => {
    const context = { session_id: `next-${finish}` };
    model.respondWith(cutOffResponse('The first half', finish));
    await runAgent(alice, agent, 'Hi', { context });
    model.respondWith(textResponse('The rest.'));

    const { body: session } = await alice.ok('getSession', { id: context.session_id });
    const { body } = await runAgent(alice, agent, 'Go on', { context });

    expect([session.status, session.run?.status]).toEqual(['idle', 'incomplete']);
    expect(body).toMatchObject({ status: 'completed', incomplete_details: null });
    const { messages = [] } = model.requests[0] ?? {};
    expect(messages.map(({ content }) => content).slice(1)).toEqual(['Hi', 'The first half', 'Go on']);
  });

  spec('runAgent', 200, 'executes none of its tool calls, whose results say so', async () => {
    const session_id = `calls-${finish}`;
    model.respondWith(toolCallResponse('create_task', { title: finish }, { finish }));

    const { body } = await runAgent(alice, agent, 'Do it', { context: { session_id } });

    expect(body).toMatchObject({ status: 'incomplete', output: '' });
    expect(model.requests).toHaveLength(1);
    expect((await alice.ok('listTasks', { query: { q: finish } })).body.count).toBe(0);
    const [, call, result] = await messagesOf(alice, session_id);
    expect(result).toMatchObject({
      role: 'tool',
      tool_call_id: call?.tool_calls?.[0]?.id,
      is_error: true,
      content: 'This call was not executed, because the answer was cut off.',
    });
  });

  spec('runAgent', 200, 'ends the stream with run.incomplete, and counts in the metrics', async () => {
    const metric = 'agent_runs_total{outcome="incomplete"}';
    const before = await metricOf(server, metric);
    model.respondWith(cutOffResponse('Half', finish));
    const request = { id: agent.id, body: { input: 'Hi' }, headers: { Accept: 'text/event-stream' } };

    const { body } = await alice.send('runAgent', request);

    const events = eventsFrom(String(body));
    expect(summarizeEvents(events).at(-1)).toBe('run.incomplete incomplete');
    expect(events.at(-1)).toMatchObject({ data: { output: 'Half', incomplete_details: { reason } } });
    expect(await metricOf(server, metric)).toBe(before + 1);
  });
});

const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const empty = [
  ['without a text', chunksResponse(stop)],
  ['of spaces', textResponse(' \n ')],
  [
    'of thoughts alone',
    chunksResponse({ choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] }, stop),
  ],
  ['of thoughts in its text', textResponse('<think>Hm.</think>')],
] as const;

describe.each(empty)('an answer %s', (_name, response) => {
  spec('runAgent', 200, 'is asked for once more', async () => {
    model.respondWith(response, textResponse('Here I am.'));

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'completed', output: 'Here I am.' });
    expect(model.requests).toHaveLength(2);
  });

  spec('runAgent', 200, 'fails the run with a sentence the second time', async () => {
    model.respondWith(response);

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'failed', error: { code: 'runtime_error' } });
    expect(body.error?.message).toMatch(
      /^The model answered neither with a text nor with a call of a tool\./,
    );
    expect(model.requests).toHaveLength(2);
  });
});

spec('runAgent', 200, 'calls above the limit of a step are answered, not executed', async () => {
  const context = { session_id: 'many-calls' };
  const calls = Array.from({ length: 23 }, (_, i) => ['create_task', { title: `Many ${i}` }] as const);
  model.respondWith(toolCallsResponse(...calls), textResponse('Done.'));

  const { body } = await runAgent(alice, agent, 'Do it', { context });

  expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
  expect((await alice.ok('listTasks', { query: { q: 'Many ' } })).body.count).toBe(20);
  const results = (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(23);
  const refused = results.filter(({ content }) => content?.includes('was not executed'));
  expect(refused).toHaveLength(3);
  expect(refused[0]?.content).toBe(
    'This call was not executed: a step may have 20 calls, and this one has 23.',
  );
});
