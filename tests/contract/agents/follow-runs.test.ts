import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import {
  createAgent,
  finishedSession,
  messagesOf,
  runAgent,
  startRun,
  streamRun,
} from '../../support/agents.ts';
import { decide, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { eventsFrom, summarizeEvents } from '../../support/events.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';
import { startWithModel } from '../../support/with-model.ts';
import { writingRun } from '../../support/writing-model.ts';

type RunEvent = Schemas['RunEvent'];

const fixture = await startWithModel();
const { server, alice } = fixture;
const builtin = await createAgent(alice);
const careful = await createAgent(alice, { approvals: ['create_task'] });
const accept = { Accept: 'text/event-stream' };

/** Leaves out deltas. A stream has none for a message that was complete when the stream read it. */
const withoutDeltas = (events: readonly RunEvent[]): RunEvent[] =>
  events.filter(({ event }) => event !== 'message.delta');

describe('the stream of a run', () => {
  spec('getRun', 200, 'has its numbered messages and its end, like the stream that started it', async () => {
    const body = { input: 'create a task titled Followed' };
    const started = await alice.send('runAgent', { id: builtin.id, body, headers: accept });
    const [{ id }] = (await alice.ok('listRuns', { query: { limit: 1 } })).body.runs as [Schemas['Run']];

    const followed = await alice.send('getRun', { id, headers: accept });

    const { body: run } = await alice.ok('getRun', { id });
    for (const { status, headers, body: text } of [started, followed]) {
      const sent = ['Content-Type', 'X-Accel-Buffering', 'Cache-Control'].map((name) => headers.get(name));
      expect([status, ...sent]).toEqual([200, 'text/event-stream', 'no', 'no-store']);
      const events = withoutDeltas(eventsFrom(String(text)));
      expect(summarizeEvents(events)).toEqual([
        'run.started running',
        'message user',
        'message assistant',
        'message tool',
        'message assistant',
        'run.completed completed',
      ]);
      const messages = events.slice(1, -1);
      expect(messages.map((event) => 'id' in event && event.id)).toEqual(['1', '2', '3', '4']);
      expect(messages.map(({ data }) => data)).toEqual(await messagesOf(alice, run.session_id));
      expect(events.at(-1)?.data).toEqual(run);
    }
  });

  spec('runAgent', 200, 'may be asked for with a charset, and again under an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'twice', Accept: 'text/event-stream;charset=utf-8' };
    const input = 'create a task titled Streamed twice';

    const first = await streamRun(alice, builtin, input, { headers });
    const second = await streamRun(alice, builtin, input, { headers });

    expect(first.at(-1)?.event).toBe('run.completed');
    expect(withoutDeltas(second)).toEqual(withoutDeltas(first));
    expect(await tasksTitled(alice, 'Streamed twice')).toHaveLength(1);
  });

  it('may lose its reader, and the run continues', async () => {
    const client = new AbortController();
    const Authorization = `Bearer ${await server.token('alice')}`;
    const response = await fetch(`${server.url}/v1/agents/${builtin.id}/run`, {
      method: 'POST',
      headers: { ...accept, Authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ input: 'create a task titled Continued', context: { session_id: 'left' } }),
      signal: client.signal,
    });
    await response.body?.getReader().read();
    client.abort();

    const { run } = await finishedSession(alice, 'left');

    expect(run).toMatchObject({ status: 'completed', output: 'Created the task "Continued".' });
  });

  it('that joins late shows every piece of text once, however many join', async () => {
    const { run, answer, stream } = await writingRun(fixture, 'late', 'Buy ');
    const streams = [stream];
    for (const piece of ['oats, ', 'milk ', 'and ', 'tea 🍵 ', 'today.']) {
      streams.push(await openRunStream(server, run.id), await openRunStream(server, run.id));
      await answer.write(piece);
    }
    const text = 'Buy oats, milk and tea 🍵 today.';
    for (const each of streams) await each.until(() => each.preview().text === text);
    await answer.end();

    for (const each of streams) await each.ended;
    const [, message] = await messagesOf(alice, 'late');
    expect(message).toMatchObject({ role: 'assistant', content: text, partial: false });
    for (const each of streams) expect(each.preview()).toEqual({ messageId: message?.id, text });
  });

  it('leaves out the messages up to Last-Event-ID', async () => {
    const { body: run } = await runAgent(alice, builtin, 'create a task titled Resumed');
    const all = await (await openRunStream(server, run.id)).ended;

    for (const id of ['1', '3', '4', '999999999999']) {
      const rest = await (await openRunStream(server, run.id, { headers: { 'Last-Event-ID': id } })).ended;
      const expected = all.filter((event) => event.event === 'message' && Number(event.id) > Number(id));
      expect(rest).toEqual([...expected, all.at(-1)]);
    }
  });

  spec('getRun', 400, 'rejects a Last-Event-ID that is not the id of an event', async () => {
    const { body: run } = await runAgent(alice, careful, 'help');
    const headers = { ...accept, 'Last-Event-ID': 'm-1' };

    const { body } = await alice.fails('getRun', 400, { id: run.id, headers });

    const detail = 'The header parameter "last-event-id" must be the id of an event.';
    expect(body.errors).toMatchObject([{ pointer: '/header/last-event-id', detail }]);
  });

  it('ends when the run requires action, unless it is asked to go on', async () => {
    const run = await waitingRun(alice, careful, 'Approved later');
    const short = await openRunStream(server, run.id);
    const long = await openRunStream(server, run.id, { query: '?until=finished' });
    await long.until(() => long.events.at(-1)?.event === 'run.requires_action');

    await decide(alice, run, { approve: true });

    expect(summarizeEvents(await short.ended).at(-1)).toBe('run.requires_action requires_action');
    expect(summarizeEvents(withoutDeltas(await long.ended))).toEqual([
      'run.started running',
      'message user',
      'message assistant',
      'run.requires_action requires_action',
      'message tool',
      'message assistant',
      'run.completed completed',
    ]);
  });

  it('ends when its token is refused', async () => {
    const { run } = await writingRun(fixture, 'expiring', 'Slow');
    // Tokens are accepted for 5 s after their expiry.
    const token = await tokenFor('alice', { exp: Math.ceil(Date.now() / 1000) - 3 });

    const stream = await openRunStream(server, run.id, { token });

    expect(summarizeEvents(await stream.ended)).not.toContain('run.completed completed');
    await alice.ok('cancelRun', { id: run.id });
  });
});

it('a queued run says what it waits for, and when that changes', async () => {
  const first = await waitingRun(alice, careful, 'Ahead', 'waiting-behind');
  const second = await startRun(alice, careful, 'help', 'waiting-behind');

  const stream = await openRunStream(server, second.id);
  await stream.until(() => stream.events.length === 1);

  const waits_for = { run_id: first.id, status: 'requires_action' };
  expect(stream.events).toEqual([{ event: 'run.queued', data: { run: second, waits_for } }]);
  await decide(alice, first, { approve: false });
  const names = withoutDeltas(await stream.ended).map(({ event }) => event);
  expect(names.filter((name) => name !== 'run.queued')).toEqual([
    'run.started',
    'message',
    'message',
    'run.completed',
  ]);
});
