import { describe, expect, it } from 'vitest';
import { createAgent, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { decide } from '../../support/approvals.ts';
import { openChangeStream } from '../../support/change-stream.ts';
import { textResponse, toolCallResponse } from '../../support/model-server.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { createTask } from '../../support/tasks.ts';
import { startWithModel } from '../../support/with-model.ts';
import { writtenResponse } from '../../support/writing-model.ts';

const bytesMax = 64 * 1024;
const bytesOf = (data: unknown): number => Buffer.byteLength(JSON.stringify(data));
const tea = '🍵'.repeat(50_000);

const { model, server, alice, agent } = await startWithModel();

it('a stream of changes leaves out a description of 200 kB, which a page and the task have', async () => {
  const fields = { description: tea };
  const { id, etag } = await createTask(alice, { title: 'Long', ...fields });
  const { task } = (await alice.ok('updateTask', { id, body: { status: 'done' } })).body;
  const query = { after: '0', include: 'task' };
  const stream = await openChangeStream(server, await server.token('alice'), query);
  const [created, updated] = await stream.take(2);
  stream.close();

  for (const change of [created, updated]) {
    expect(bytesOf(change)).toBeLessThanOrEqual(bytesMax);
    expect(change).toMatchObject({ truncated: true, task: { ...task, description: null, metadata: null } });
  }
  expect(created).toMatchObject({ task_id: id, action: 'create', etag, payload: '{}' });
  expect(updated?.payload).toContain('"to":"done"');
  const { body: page } = await alice.ok('listChanges', { query: { ...query, limit: 1 } });
  expect(page.changes).toMatchObject([{ id: created?.id, task }]);
  expect(page.changes[0]?.payload).toContain(JSON.stringify(fields).slice(1, 100));
  expect(page.changes[0]).not.toHaveProperty('truncated');
});

describe('a stream of a run', () => {
  it('leaves out messages and an output above 64 KiB, and sends the preview in pieces', async () => {
    const answer = writtenResponse();
    model.respondWith(answer.response);
    const run = await startRun(alice, agent, tea, 'long');
    const stream = await openRunStream(server, run.id);
    await answer.write(tea);
    await stream.until(() => stream.preview().text === tea);
    await answer.end();
    const events = await stream.ended;

    expect(Math.max(...events.map(({ data }) => bytesOf(data)))).toBeLessThanOrEqual(bytesMax);
    const messages = await messagesOf(alice, 'long');
    expect(messages.map(({ content }) => content)).toEqual([tea, tea]);
    expect(events.flatMap(({ event, data }) => (event === 'message' ? [data] : []))).toEqual(
      messages.map((message) => ({ ...message, content: '', truncated: true })),
    );
    const { body } = await alice.ok('getRun', { id: run.id });
    expect(body.output).toBe(tea);
    expect(events.at(-1)).toEqual({
      event: 'run.completed',
      data: { ...body, output: null, truncated: true },
    });
    const { body: page } = await alice.ok('listMessages', { id: 'long', query: { offset: 1, limit: 1 } });
    expect(page.messages).toEqual(messages.slice(1));
  });

  it('leaves out all waiting calls each time the run waits', async () => {
    const careful = await createAgent(alice, { runtime: 'local', approvals: ['create_task'] });
    const call = toolCallResponse('create_task', { title: 'Long', description: tea });
    model.respondWith(call, call, textResponse('Done.'));
    const { body: run } = await runAgent(alice, careful, 'Create', { context: { session_id: 'calls' } });
    const stream = await openRunStream(server, run.id, { query: '?until=finished' });
    const asked = () => stream.events.filter(({ event }) => event === 'run.requires_action');

    await stream.until(() => asked().length === 1);
    await decide(alice, run, { approve: true });
    await stream.until(() => asked().length === 2);
    await decide(alice, (await alice.ok('getRun', { id: run.id })).body, { approve: true });
    await stream.ended;

    expect(asked().map(({ data }) => data)).toEqual(
      Array(2).fill(expect.objectContaining({ required_action: null, truncated: true })),
    );
    expect(Math.max(...stream.events.map(({ data }) => bytesOf(data)))).toBeLessThanOrEqual(bytesMax);
  });
});
