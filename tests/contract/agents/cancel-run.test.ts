import { expect } from 'vitest';
import { createAgent, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { textResponse, toolCallResponse, type ModelResponse } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const { model, alice, agent } = await startWithModel();

spec('cancelRun', 200, 'stops the model, whatever the case of the id, and the session goes on', async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  const answer: ModelResponse = (response) => {
    response.once('close', () => {
      resolve(undefined);
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': writing\n\n');
  };
  const { run, release } = await startedRun({ model, alice, agent }, 'cancelled', {}, answer);
  release();

  const { body } = await alice.ok('cancelRun', { id: run.id.toUpperCase() });
  await stopped;
  model.respondWith(textResponse('Next.'));
  const next = await runAgent(alice, agent, 'Again', { context: { session_id: 'cancelled' } });

  expect(body).toMatchObject({ id: run.id, status: 'cancelled', output: null, error: null });
  expect(body.completed_at).not.toBeNull();
  expect(next.body.output).toBe('Next.');
  expect((await alice.ok('cancelRun', { id: next.body.id })).body).toEqual(next.body);
  expect((await alice.ok('getRun', { id: run.id })).body).toEqual(body);
  const roles = (await messagesOf(alice, 'cancelled')).map(({ role }) => role);
  expect(roles).toEqual(['user', 'user', 'assistant']);
});

spec('cancelRun', 200, 'ends only the queued run, and the runs behind it are executed', async () => {
  const { run: first } = await startedRun({ model, alice, agent }, 'queue');
  const second = await startRun(alice, agent, 'Second', 'queue');
  const third = await startRun(alice, agent, 'Third', 'queue');

  expect((await alice.ok('cancelRun', { id: second.id })).body.status).toBe('cancelled');
  // When a worker has taken this new run, it could also have taken the other runs of the queue.
  await runAgent(alice, await createAgent(alice), 'list my tasks');
  expect(model.requests).toHaveLength(1);
  model.respondWith(textResponse('Third.'));
  await alice.ok('cancelRun', { id: first.id });

  await expect.poll(async () => (await alice.ok('getRun', { id: third.id })).body.output).toBe('Third.');
});

spec('cancelRun', 200, 'gives each tool call a result, and keeps no partial text', async () => {
  // The model answers only requests with this input, because it may still get requests of a run that another test
  // has cancelled.
  const input = 'Keep a task';
  const toolCall = toolCallResponse('create_task', { title: 'Kept' });
  model.respondWith((response, request) => {
    if (request.messages.at(-1)?.content === input) toolCall(response, request);
  });
  const run = await startRun(alice, agent, input, 'tools');
  // The worker executes the call. The second model step gets no answer.
  await expect.poll(() => model.requests.some(({ messages }) => messages.at(-1)?.role === 'tool')).toBe(true);

  await alice.ok('cancelRun', { id: run.id });

  const messages = await messagesOf(alice, 'tools');
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  const results = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  expect(results.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
  expect(messages.filter(({ partial }) => partial)).toEqual([]);
  expect((await alice.ok('listTasks', { query: { q: 'Kept' } })).body.count).toBe(1);
});
