import { describe, expect } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../../../support/agents.ts';
import {
  textResponse,
  toolCallResponse,
  toolCallsResponse,
  type ModelRequest,
} from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { createTask } from '../../../support/tasks.ts';
import { startWithRuntimes } from '../../../support/with-model.ts';

const { model, alice } = await startWithRuntimes({
  small: { CONTEXT: '4000' },
  large: { CONTEXT: '16000' },
  tiny: { CONTEXT: '1024' },
  unknown: {},
});
const agent = await createAgent(alice, { runtime: 'unknown' });

/** The size of the texts in a request, as the server estimates it. */
function tokensOf(request: ModelRequest | undefined): number {
  const texts = request?.messages.map(({ content }) => content);
  return Buffer.byteLength(JSON.stringify([texts, request?.tools])) / 3;
}

describe('AGENT_RUNTIME_<NAME>_CONTEXT', () => {
  spec('runAgent', 200, 'leaves out the oldest turns, and the instructions say so', async () => {
    const agent = await createAgent(alice, { runtime: 'small', skills: [] });
    const context = { session_id: 'turns' };
    for (const n of [1, 2, 3, 4]) {
      model.respondWith(textResponse(`Answer ${n}. ${'word '.repeat(500)}`));
      await runAgent(alice, agent, `Question ${n}`, { context });
    }
    model.respondWith(textResponse('Done.'));

    await runAgent(alice, agent, 'Question 5', { context });

    const [system, ...messages] = model.requests[0]?.messages ?? [];
    expect(system?.content).toContain('The earlier part of this conversation is left out');
    expect(messages.map(({ content }) => content?.slice(0, 10).trim())).toEqual([
      ...['Question 2', 'Answer 2.', 'Question 3', 'Answer 3.', 'Question 4', 'Answer 4.', 'Question 5'],
    ]);
    expect(tokensOf(model.requests[0])).toBeLessThan(3000);
    expect(await messagesOf(alice, 'turns')).toHaveLength(10);
  });

  spec('runAgent', 200, 'keeps room for the longest answer that the agent allows', async () => {
    const model_options = { max_output_tokens: 2000 };
    const agent = await createAgent(alice, { runtime: 'small', skills: [], model_options });
    const context = { session_id: 'room' };
    for (const n of [1, 2, 3, 4, 5]) {
      model.respondWith(textResponse(`Answer ${n}. ${'word '.repeat(500)}`));
      await runAgent(alice, agent, `Question ${n}`, { context });
    }

    expect(tokensOf(model.requests[0])).toBeLessThan(2000);
    expect(tokensOf(model.requests[0])).toBeGreaterThan(1000);
  });

  spec('runAgent', 200, "cuts the results of the run's own tools, the longest first", async () => {
    const agent = await createAgent(alice, { runtime: 'large', skills: ['tasks:read'] });
    const short = await createTask(alice, { title: 'Short' });
    const long = await createTask(alice, { title: 'Long', description: 'word '.repeat(10_000) });
    const calls = [short, long, long].map(({ id }) => ['get_task', { id }] as const);
    model.respondWith(toolCallsResponse(...calls), textResponse('Done.'));

    const { body } = await runAgent(alice, agent, 'Read them', { context: { session_id: 'results' } });

    const results = (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
    const stored = (await messagesOf(alice, 'results')).filter(({ role }) => role === 'tool');
    const [first, second, third] = results.map(({ content }) => content ?? '');
    expect(body.status).toBe('completed');
    expect(first).toBe(stored[0]?.content);
    expect(second).toMatch(/cut: the whole text has \d+ characters\]$/);
    expect(third).toHaveLength(second?.length ?? 0);
    expect(tokensOf(model.requests[1])).toBeLessThan(12_000);
    expect(tokensOf(model.requests[1])).toBeGreaterThan(8_000);
    expect(stored[1]?.content).not.toContain('cut:');
  });
});

const long = '長'.repeat(65_536);

spec('runAgent', 200, 'the model receives at most 64 KiB of the result of a tool', async () => {
  const { id } = await createTask(alice);
  for (let n = 0; n < 22; n += 1) await alice.ok('createComment', { id, body: { body: long } });
  model.respondWith(toolCallResponse('list_comments', { id }), textResponse('Done.'));

  await runAgent(alice, agent, 'Read', { context: { session_id: 'long-result' } });

  const [, , result] = await messagesOf(alice, 'long-result');
  expect(Buffer.byteLength(result?.content ?? '')).toBeLessThanOrEqual(64 * 1024);
  // The page ends with the comment that reaches 2 MiB.
  expect((JSON.parse(result?.content ?? '') as { comments: unknown[] }).comments).toHaveLength(11);
  expect(model.requests[1]?.messages.at(-1)?.content).toBe(result?.content);
});

spec('runAgent', 200, 'the model receives at most 512 KiB of the calls of its own run', async () => {
  const { id } = await createTask(alice, { description: '長'.repeat(20_000) });
  const calls = Array.from({ length: 20 }, (): [string, object] => ['get_task', { id }]);
  const read = toolCallsResponse(...calls);
  const write = toolCallResponse('create_task', { title: 'a'.repeat(200_000) });
  model.respondWith(read, read, read, write, textResponse('Done.'));

  const { body } = await runAgent(alice, agent, 'Read', { context: { session_id: 'own-results' } });

  expect(body.output).toBe('Done.');
  const stored = (await messagesOf(alice, 'own-results')).filter(({ role }) => role === 'tool');
  expect(stored.slice(0, -1).every(({ content }) => content.length > 20_000)).toBe(true);
  for (const { messages } of model.requests)
    expect(Buffer.byteLength(messages.map(({ content }) => content ?? '').join(''))).toBeLessThan(512 * 1024);
  const { messages = [] } = model.requests.at(-1) ?? {};
  const results = messages.filter(({ role }) => role === 'tool').slice(0, -1);
  expect(results).toHaveLength(60);
  expect(results.every(({ content }) => content?.includes('[cut: the whole text has'))).toBe(true);
  const sent = messages.flatMap(({ tool_calls: made }) => made ?? []).map((call) => call.function.arguments);
  expect(sent.slice(0, -1)).toEqual(Array(60).fill(JSON.stringify({ id })));
  expect(sent.at(-1)).toMatch(/a+… \[cut: the whole text has 200012 characters\]/);
});
