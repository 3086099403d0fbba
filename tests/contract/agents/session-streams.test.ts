import { describe, expect, it } from 'vitest';
import { createClient } from '../../../sdk/src/index.ts';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { fetchBreakingStreams } from '../../sdk/fake-server.ts';
import { createAgent, messagesOf, noLimits, runAgent, startRun } from '../../support/agents.ts';
import { decide, waitingRun } from '../../support/approvals.ts';
import { Client } from '../../support/client.ts';
import { readEvents } from '../../support/events.ts';
import { run as runStatement } from '../../support/postgres.ts';
import { openStream } from '../../support/run-stream.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

type SessionEvent = Schemas['SessionEvent'];

const server = await startTestServer({ env: noLimits, changes: { waitingRequestsMax: 16 } });
const alice = await server.as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });
const accept = { Accept: 'text/event-stream' };

const pathOf = (id: string): string => `/v1/sessions/${id}/messages`;

/** Each message by its role, and each run by its status. */
const summaryOf = (events: readonly SessionEvent[]): string[] =>
  events.map(({ event, data }) => (event === 'message' ? data.role : data.status));

const isCompleted = ({ event, data }: SessionEvent): boolean =>
  event === 'run' && data.status === 'completed';

describe('the stream of a session', () => {
  it.runIf(isShareable)('has what another server does: messages once, and runs as they change', async () => {
    const run = await waitingRun(alice, agent, 'Elsewhere');
    const other = await startTestServer({ env: noLimits, sharing: server });
    const stream = await openStream<SessionEvent>(other, pathOf(run.session_id));
    await stream.until(() => stream.events.length === 3);
    expect(summaryOf(stream.events)).toEqual(['user', 'assistant', 'requires_action']);

    await decide(alice, run, { approve: true });
    await stream.until(() => stream.events.some(isCompleted));
    await runAgent(alice, agent, 'list my tasks', { context: { session_id: run.session_id } });
    await stream.until(() => stream.events.filter(isCompleted).length === 2);

    const messages = stream.events.flatMap(({ event, data }) => (event === 'message' ? data : []));
    const listed = await messagesOf(alice, run.session_id);
    expect(messages.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    const ids = new Set(stream.events.flatMap(({ event, data }) => (event === 'run' ? data.id : [])));
    expect(ids.size).toBe(2);
  });

  it('has the end of each run that was unfinished when it began', async () => {
    const first = await waitingRun(alice, agent, 'Ahead', 'two-runs');
    const second = await startRun(alice, agent, 'list my tasks', 'two-runs');
    const stream = await openStream<SessionEvent>(server, pathOf('two-runs'));
    await stream.until(() => summaryOf(stream.events).includes('queued'));

    await decide(alice, first, { approve: true });

    await stream.until(() => stream.events.filter(isCompleted).length === 2);
    const ended = stream.events.filter(isCompleted).map(({ data }) => data.id);
    expect(ended).toEqual([first.id, second.id]);
  });

  it('begins after a message, with the latest run', async () => {
    const { session_id: id } = (await runAgent(alice, agent, 'list my tasks')).body;
    const [first] = await messagesOf(alice, id);

    const whole = await openStream<SessionEvent>(server, pathOf(id));
    const after = await openStream<SessionEvent>(server, `${pathOf(id)}?after=${first?.id ?? ''}`);
    const headers = { 'Last-Event-ID': '2' };
    const continued = await openStream<SessionEvent>(server, pathOf(id), { headers });

    for (const stream of [whole, after, continued]) await stream.until(() => stream.events.some(isCompleted));
    expect(summaryOf(whole.events)).toEqual(['user', 'assistant', 'tool', 'assistant', 'completed']);
    expect(after.events).toEqual(whole.events.slice(1));
    expect(continued.events).toEqual(whole.events.slice(2));
  });

  it.each([Infinity, 2, 4])('ends with its session, and is complete if broken after %j events', async (n) => {
    const { session_id: id } = (await runAgent(alice, agent, 'list my tasks')).body;
    const [token, fetch] = [await server.token('alice'), fetchBreakingStreams(n)];
    const client = createClient({ baseUrl: server.url, token, fetch });
    const statuses: string[] = [];

    const following = (async () => {
      for await (const { event, data } of client.sessions.follow(id)) {
        statuses.push(event === 'message' ? data.role : data.status);
        if (event === 'run') await alice.ok('deleteSession', { id });
      }
    })();

    await expect(following).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(statuses).toEqual(['user', 'assistant', 'tool', 'assistant', 'completed']);
  });

  it('ends with its session, even if a run has made another one with its id', async () => {
    const { session_id: id } = (await runAgent(alice, agent, 'list my tasks')).body;
    const stream = await openStream<SessionEvent>(server, pathOf(id));
    await stream.until(() => stream.events.some(isCompleted));

    await alice.ok('deleteSession', { id });
    await startRun(alice, agent, 'list my tasks', id);
    await runAgent(alice, agent, 'list my tasks', { context: { session_id: id } });

    expect(summaryOf(await stream.ended)).toEqual(['user', 'assistant', 'tool', 'assistant', 'completed']);
  });

  spec('listMessages', 503, 'counts for the limit of the streams of a user, runs included', async () => {
    const greedy = await server.as('greedy');
    const token = await server.token('greedy');
    const { body: run } = await runAgent(greedy, await createAgent(greedy), 'list my tasks');
    const { session_id: id } = run;
    for (let n = 0; n < 4; n += 1) await openStream(server, pathOf(id), { token });

    const { headers } = await greedy.fails('listMessages', 503, { id, headers: accept });

    expect(headers.get('Retry-After')).toBe('1');
    await greedy.fails('getRun', 503, { id: run.id, headers: accept });
    await alice.fails('listMessages', 404, { id, headers: accept });
  });
});

// More bytes than the buffers of a connection hold.
const logged = 1000;

/** A finished run, with a log of 60 MB. */
async function longRun(): Promise<Schemas['Run']> {
  const { body: run } = await runAgent(alice, agent, 'list my tasks');
  await runStatement(
    server.env['DATABASE_URL'] ?? '',
    `insert into messages (
      user_id, session_id, seq, created_at, id, run_id, role, content, partial, is_error, actor_type, actor_id
    )
    select user_id, session_id, 100 + n, created_at, gen_random_uuid(), run_id, role, repeat('x', 60000),
      partial, is_error, actor_type, actor_id
    from messages, generate_series(1, ${logged}) n where run_id = '${run.id}' and seq = 1`,
  );
  return run;
}

describe.runIf(isShareable)('a reader whose token expires while it reads', () => {
  it.each<[string, (run: Schemas['Run']) => string]>([
    ['a session', (run) => pathOf(run.session_id)],
    ['a run', (run) => `/v1/runs/${run.id}`],
  ])('gets only a part of the log of %s, and no end', async (_what, path) => {
    const run = await longRun();
    // Tokens are accepted for 5 s after their expiry.
    const token = await tokenFor('alice', { exp: Date.now() / 1000 - 3.5 });
    const headers = { ...accept, Authorization: `Bearer ${token}` };
    const response = await fetch(server.url + path(run), { headers });
    const client = new Client(server, token);
    await expect.poll(() => client.fails('listAgents', 401).then(() => true), { timeout: 5000 }).toBe(true);

    const names: string[] = [];
    for await (const { event } of readEvents<{ event: string }>(response)) names.push(event);

    expect(names).toContain('message');
    expect(names.length).toBeLessThan(logged);
    expect(names.filter((name) => name === 'run' || name === 'run.completed')).toEqual([]);
  });
});
