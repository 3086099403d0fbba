import { beforeAll, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { messagesOf, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { callsTool, says, streams, type ModelServer } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { startWithModel } from '../../support/with-model.ts';

const long = '長'.repeat(65_536);

let model: ModelServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  ({ model, alice, agent } = await startWithModel());
});

spec('runAgent', 200, 'gives the model at most 64 KiB of what a tool answers', async () => {
  const { id } = await createTask(alice);
  for (let n = 0; n < 22; n += 1) await alice.ok('createComment', { id, body: { body: long } });
  model.answers(callsTool('list_comments', { id }), says('Done.'));

  await runAgent(alice, agent, 'Read', { context: { session_id: 'long-answer' } });

  const [, , answer] = await messagesOf(alice, 'long-answer');
  expect(Buffer.byteLength(answer?.content ?? '')).toBeLessThanOrEqual(64 * 1024);
  expect(answer?.content).toMatch(/"note":"Only the first \d+ of 20 entries fit here\./);
  expect(model.requests[1]?.messages.at(-1)?.content).toBe(answer?.content);
});

spec('runAgent', 200, 'reminds the model of the last turns only as far as there is room', async () => {
  const context = { session_id: 'long-turns' };
  model.answers(callsTool('list_tasks', {}), says('a'.repeat(300_000)));
  await runAgent(alice, agent, 'One', { context });
  model.answers(callsTool('list_tasks', { limit: 1 }), says('b'.repeat(300_000)));
  await runAgent(alice, agent, 'Two', { context });
  model.answers(says('Done.'));

  await runAgent(alice, agent, 'Three', { context });

  const [, ...said] = model.requests[0]?.messages ?? [];
  expect(said.map(({ role, content }) => `${role} ${(content ?? '').slice(0, 3)}`)).toEqual([
    'user Two',
    'assistant ',
    'tool {"c',
    'assistant bbb',
    'user Thr',
  ]);
});

spec('runAgent', 200, 'makes at most twenty calls of one step', async () => {
  const calls = Array.from({ length: 25 }, (_, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'list_tasks', arguments: '{}' },
  }));
  model.answers(
    streams({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] }),
    says('Done.'),
  );

  const { body } = await runAgent(alice, agent, 'Much', { context: { session_id: 'much' } });

  expect(body.output).toBe('Done.');
  expect((await messagesOf(alice, 'much')).filter(({ role }) => role === 'tool')).toHaveLength(20);
});
