import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { messagesOf, runAgent, startRun, streamRun } from '../../../support/agents.ts';
import type { ConfigChanges } from '../../../support/config.ts';
import { summarizeEvents } from '../../../support/events.ts';
import {
  chunksResponse,
  errorResponse,
  textResponse,
  toolCallResponse,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { openRunStream } from '../../../support/run-stream.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';
import { writtenResponse } from '../../../support/writing-model.ts';

const busy = errorResponse(503, { 'Retry-After': '0' });
const longBusy = errorResponse(503, { 'Retry-After': '50' });

async function start(changes: ConfigChanges = {}) {
  const log: string[] = [];
  return { log, ...(await startWithModel({}, {}, changes, log)) };
}

function waitsIn(log: readonly string[]): unknown[] {
  const lines = log.filter((line) => line.includes('a run waits for its model server'));
  return lines.map((line) => JSON.parse(line) as unknown);
}

const overloadedIn200 = errorResponse(200, {}, { error: { code: 503, message: 'No instances available' } });
const limitedInStream = chunksResponse({ error: { code: 429, message: 'Rate limited upstream' } });
const atDate = errorResponse(429, { 'Retry-After': new Date(0).toUTCString() });

const unavailable: readonly (readonly [string, Schemas['RunWaiting']['reason'], ModelResponse])[] = [
  ['has too many requests', 'model_busy', errorResponse(429)],
  ['loads its model', 'model_busy', busy],
  ['names the time of the next request', 'model_busy', atDate],
  ['is behind a proxy that reports its status in the stream', 'model_busy', limitedInStream],
  ['is behind a proxy that reports its status with 200', 'model_busy', overloadedIn200],
  ['is behind a gateway that cannot reach it', 'model_unreachable', errorResponse(502)],
  ['fails', 'model_unreachable', errorResponse(500)],
  ['has a conflict with another request', 'model_unreachable', errorResponse(409)],
  ['closes the connection before a response', 'model_unreachable', (response) => response.destroy()],
];

const shared = await start();
// A server that has never answered may refuse the form of the request with a 500.
shared.model.respondWith(textResponse('Hi.'));
await runAgent(shared.alice, shared.agent, 'Hi');

describe.each(unavailable)('a model server that %s', (_name, reason, response) => {
  spec('runAgent', 200, 'is asked again, and the stream says so', async () => {
    const { model, log, alice, agent } = shared;
    model.respondWith(response, response, textResponse('Hello.'));
    const before = log.length;

    const streamed = await streamRun(alice, agent, 'Hi');

    const waiting = streamed.flatMap(({ event, data }) => (event === 'run.waiting' ? [data] : []));
    const last = streamed.at(-1);
    expect(last).toMatchObject({ event: 'run.completed', data: { output: 'Hello.' } });
    const run_id = last?.event === 'run.completed' ? last.data.id : '';
    const waits = { run_id, reason, retry_after_s: expect.any(Number) as number };
    expect(waiting).toEqual([waits, waits]);
    expect(waitsIn(log.slice(before))).toMatchObject([
      { level: 40, runtime: 'local', reason, user: 'alice' },
    ]);
  });
});

spec('runAgent', 202, 'a response that an overloaded model breaks off is written again', async () => {
  const { model, server, alice, agent } = shared;
  const again = writtenResponse();
  const begun = { choices: [{ index: 0, delta: { content: 'Hello wor' } }] };
  const overloaded = { error: { code: 503, message: 'Overloaded' } };
  model.respondWith(chunksResponse(begun, overloaded), again.response);
  const run = await startRun(alice, agent, 'Hi');
  const stream = await openRunStream(server, run.id);

  await again.write('Hello world.');
  await stream.until(() => stream.preview().text.endsWith('world.'));
  const preview = stream.preview();
  await again.end();
  await stream.ended;

  const [, message, ...others] = await messagesOf(alice, run.session_id);
  expect(preview).toEqual({ messageId: message?.id, text: 'Hello world.' });
  expect(message).toMatchObject({ content: 'Hello world.', partial: false });
  expect(others).toEqual([]);
});

describe('a run that waits for its model server', () => {
  spec('runAgent', 200, 'waits in a later step too, and repeats no call of a tool', async () => {
    const { model, alice, agent } = shared;
    const called = toolCallResponse('create_task', { title: 'Only once' });
    model.respondWith(busy, called, busy, busy, textResponse('Done.'));

    const streamed = await streamRun(alice, agent, 'Hi');

    expect(summarizeEvents(streamed).filter((line) => !line.startsWith('message.delta'))).toEqual([
      'run.started running',
      'message user',
      'run.waiting model_busy',
      'message assistant',
      'message tool',
      'run.waiting model_busy',
      'run.waiting model_busy',
      'message assistant',
      'run.completed completed',
    ]);
    expect((await alice.ok('listTasks', { query: { q: 'Only once' } })).body.count).toBe(1);
  });

  spec('runAgent', 200, 'fails at the time limit of a run, with what it waited for', async () => {
    const { model, alice, agent } = await start({ agents: { runMs: 500 } });
    model.respondWith(longBusy);

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({ status: 'failed', error: { code: 'model_unavailable' } });
    expect(body.error?.message).toBe(
      'The model server is overloaded, or loads the model. The run waited for it until the time limit of a run.',
    );
  });

  spec('cancelRun', 200, 'ends at once when it is cancelled', async () => {
    const { model, log, alice, agent } = await start();
    model.respondWith(longBusy);
    const waited = runAgent(alice, agent, 'Hi');
    await expect.poll(() => waitsIn(log)).toHaveLength(1);
    const [run] = (await alice.ok('listRuns')).body.runs;

    const { body } = await alice.ok('cancelRun', { id: run?.id ?? '' });

    expect(body.status).toBe('cancelled');
    expect((await waited).body).toMatchObject({ id: body.id, status: 'cancelled' });
    model.respondWith(textResponse('Next.'));
    const context = { session_id: body.session_id };
    expect((await runAgent(alice, agent, 'Next', { context })).body.output).toBe('Next.');
  });
});
