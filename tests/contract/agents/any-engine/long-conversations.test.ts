import { expect } from 'vitest';
import { messagesOf, runAgent } from '../../../support/agents.ts';
import { toolCallResponse, textResponse, toolCallsResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { createTask } from '../../../support/tasks.ts';
import { startWithModel } from '../../../support/with-model.ts';

const long = '長'.repeat(65_536);

const { model, alice, agent } = await startWithModel();

spec('runAgent', 200, 'the model receives at most 64 KiB of the result of a tool', async () => {
  const { id } = await createTask(alice);
  for (let n = 0; n < 22; n += 1) await alice.ok('createComment', { id, body: { body: long } });
  model.respondWith(toolCallResponse('list_comments', { id }), textResponse('Done.'));

  await runAgent(alice, agent, 'Read', { context: { session_id: 'long-result' } });

  const [, , result] = await messagesOf(alice, 'long-result');
  expect(Buffer.byteLength(result?.content ?? '')).toBeLessThanOrEqual(64 * 1024);
  expect(result?.content).toMatch(/"note":"Only \d+ entries fit into one result\./);
  expect(model.requests[1]?.messages.at(-1)?.content).toBe(result?.content);
});

spec('runAgent', 200, 'the oldest turns of a long conversation are not sent to the model', async () => {
  const context = { session_id: 'long-turns' };
  model.respondWith(toolCallResponse('list_tasks', {}), textResponse('a'.repeat(300_000)));
  await runAgent(alice, agent, 'One', { context });
  model.respondWith(toolCallResponse('list_tasks', { limit: 1 }), textResponse('b'.repeat(300_000)));
  await runAgent(alice, agent, 'Two', { context });
  model.respondWith(textResponse('Done.'));

  await runAgent(alice, agent, 'Three', { context });

  const [, ...conversation] = model.requests[0]?.messages ?? [];
  expect(conversation.map(({ role, content }) => `${role} ${(content ?? '').slice(0, 3)}`)).toEqual([
    'user Two',
    'assistant ',
    'tool {"t',
    'assistant bbb',
    'user Thr',
  ]);
});

spec('runAgent', 200, 'the model receives at most 512 KiB of the results of its own run', async () => {
  const { id } = await createTask(alice, { description: '長'.repeat(20_000) });
  const calls = Array.from({ length: 20 }, (): [string, object] => ['get_task', { id }]);
  const read = toolCallsResponse(...calls);
  model.respondWith(read, read, read, textResponse('Done.'));

  const { body } = await runAgent(alice, agent, 'Read', { context: { session_id: 'own-results' } });

  expect(body.output).toBe('Done.');
  const stored = (await messagesOf(alice, 'own-results')).filter(({ role }) => role === 'tool');
  expect(stored.every(({ content }) => content.length > 20_000)).toBe(true);
  for (const { messages } of model.requests)
    expect(Buffer.byteLength(messages.map(({ content }) => content ?? '').join(''))).toBeLessThan(512 * 1024);
  const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results).toHaveLength(60);
  expect(results.every(({ content }) => content?.includes('[cut: the whole text has'))).toBe(true);
});
