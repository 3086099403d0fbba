import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgent } from '../support/agents.ts';
import { openChangeStream, type ChangeStream } from '../support/change-stream.ts';
import { Client } from '../support/client.ts';
import { metricOf } from '../support/metrics.ts';
import { isShareable, startTestServer, type SharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const server = await startTestServer();
const alice = await server.as('alice');

/** Opens a stream until the test ends. */
async function open(
  query: Record<string, string>,
  headers: Record<string, string> = {},
  { at = server, user = 'alice' }: { at?: SharedServer; user?: string } = {},
): Promise<ChangeStream> {
  const stream = await openChangeStream(at, await server.token(user), query, headers);
  onTestFinished(stream.close);
  return stream;
}

describe('a stream of changes', () => {
  it('sends the changes so far, and then new ones', async () => {
    const before = await createTask(alice);
    const stream = await open({ after: '0' });
    const [first] = await stream.take(1);

    await alice.ok('updateTask', { id: before.id, body: { status: 'done' } });
    await alice.ok('deleteTask', { id: before.id });

    expect(first).toMatchObject({ task_id: before.id, action: 'create' });
    expect((await stream.take(2)).map(({ action }) => action)).toEqual(['update', 'delete']);
    expect([stream.status, stream.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(stream.headers.get('Cache-Control')).toBe('no-store');
    expect(stream.headers.get('X-Accel-Buffering')).toBe('no');
  });

  it('begins after "now" with new changes, and resumes after any event', async () => {
    await createTask(alice);
    const stream = await open({ after: 'now' });
    stream.close();
    const { id } = await createTask(alice);
    const { id: next } = await createTask(alice);

    const resumed = await open({ after: 'now' }, { 'Last-Event-ID': stream.start });
    const repeated = await open({ after: stream.start }, { 'Last-Event-ID': '' });

    for (const each of [resumed, repeated]) {
      const [first, second] = await each.take(2);
      expect([first?.task_id, second?.task_id]).toEqual([id, next]);
      const rest = await open({ after: 'now' }, { 'Last-Event-ID': first?.cursor ?? '' });
      expect(await rest.take(1)).toEqual([second]);
    }
  });

  it('of a workspace sends only its changes', async () => {
    const stream = await open({ after: 'now', workspace_id: 'garden' });
    await createTask(alice, { workspace_id: 'house' });
    const { id } = await createTask(alice, { workspace_id: 'garden' });

    expect((await stream.take(1)).map(({ task_id: taskId }) => taskId)).toEqual([id]);
  });

  it('ends when its token is refused', async () => {
    // Tokens are accepted for 5 s after their expiry.
    const token = await tokenFor('alice', { exp: Date.now() / 1000 - 3.5 });
    const stream = await openChangeStream(server, token, { after: 'now' });

    await stream.ended;

    await new Client(server, token).fails('listChanges', 401, { query: { after: 'now' } });
  });

  it.runIf(isShareable)('sends the changes that another server makes', async () => {
    const other = await startTestServer({ sharing: server });
    const stream = await open({ after: 'now' }, {}, { at: other });
    const { id } = await createTask(alice);

    expect((await stream.take(1)).map(({ task_id: taskId }) => taskId)).toEqual([id]);
  });

  it('ends when its server stops', async () => {
    const stopping = await startTestServer();
    const stream = await openChangeStream(stopping, await stopping.token('alice'), { after: 'now' });
    await createTask(await stopping.as('alice'));
    await stream.take(1);

    await stopping.close();
    await stream.ended;
  });
});

spec('listChanges', 503, 'the 21st stream of a caller is refused, and those of others are not', async () => {
  const greedy = await server.as('greedy');
  const agent = await createAgent(greedy);
  const another = () => open({ after: 'now' }, {}, { user: 'greedy' });
  const streams = [];
  for (let n = 0; n < 20; n += 1) streams.push(await another());
  expect(await metricOf(server, 'long_requests')).toBe(20);

  const headers = { Accept: 'text/event-stream' };
  const ofChanges = await greedy.fails('listChanges', 503, { query: { after: 'now' }, headers });
  const body = { input: 'help', context: { session_id: 'unstreamed' } };
  const ofRun = await greedy.fails('runAgent', 503, { id: agent.id, headers, body });
  await open({ after: 'now' }, {}, { user: 'modest' });
  streams[0]?.close();

  for (const refused of [ofChanges, ofRun]) {
    expect(refused.body.detail).toMatch(/, or close streams that you do not need\.$/);
    expect(refused.headers.get('Retry-After')).toBe('1');
  }
  // The refused run was not started.
  await greedy.fails('getSession', 404, { id: 'unstreamed' });
  const reopen = () => another().catch(() => undefined);
  await expect.poll(async () => (await reopen())?.status).toBe(200);
});
