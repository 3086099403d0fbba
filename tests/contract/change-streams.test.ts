import { afterEach, describe, expect, it } from 'vitest';
import { createAgent } from '../support/agents.ts';
import { openChangeStream, type ChangeStream } from '../support/change-stream.ts';
import { Client } from '../support/client.ts';
import { metricOf } from '../support/metrics.ts';
import { isShareable, startTestServer, type SharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

let opened: ChangeStream[] = [];

const server = await startTestServer();
const alice = await server.as('alice');

afterEach(() => {
  for (const stream of opened) stream.close();
  opened = [];
});

async function open(
  query: Record<string, string>,
  headers: Record<string, string> = {},
  at: SharedServer = server,
): Promise<ChangeStream> {
  const stream = await openChangeStream(at, await server.token('alice'), query, headers);
  opened.push(stream);
  return stream;
}

describe('a stream of changes', () => {
  it('sends what is there, and then what comes', async () => {
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

  it('begins with what comes after "now", and its first event resumes there', async () => {
    await createTask(alice);
    const stream = await open({ after: 'now' });
    stream.close();
    const { id } = await createTask(alice);

    const resumed = await open({ after: 'now' }, { 'Last-Event-ID': stream.start });
    const repeated = await open({ after: stream.start }, { 'Last-Event-ID': '' });

    for (const each of [resumed, repeated])
      expect((await each.take(1)).map(({ task_id: taskId }) => taskId)).toEqual([id]);
  });

  it('resumes after the event that Last-Event-ID names, without a gap or a repetition', async () => {
    const stream = await open({ after: 'now' });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await createTask(alice)).id);
    const [, second] = await stream.take(5);

    const resumed = await open({ after: 'now' }, { 'Last-Event-ID': second?.cursor ?? '' });

    expect((await resumed.take(3)).map(({ task_id: taskId }) => taskId)).toEqual(ids.slice(2));
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
    const stream = await open({ after: 'now' }, {}, other);
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

spec('listChanges', 503, 'a stream above twenty of a caller is refused, unlike those of others', async () => {
  const token = await server.token('greedy');
  const greedy = await server.as('greedy');
  const agent = await createAgent(greedy);
  const streams = [];
  for (let n = 0; n < 20; n += 1) streams.push(await openChangeStream(server, token, { after: 'now' }));
  opened.push(...streams);
  expect(await metricOf(server, 'long_requests')).toBe(20);

  const headers = { Accept: 'text/event-stream' };
  const ofChanges = await greedy.fails('listChanges', 503, { query: { after: 'now' }, headers });
  const body = { input: 'help', context: { session_id: 'unstreamed' } };
  const ofRun = await greedy.fails('runAgent', 503, { id: agent.id, headers, body });
  opened.push(await openChangeStream(server, await server.token('modest'), { after: 'now' }));
  streams[0]?.close();

  for (const refused of [ofChanges, ofRun]) {
    expect(refused.body.detail).toMatch(/, or close streams that you do not need\.$/);
    expect(refused.headers.get('Retry-After')).toBe('1');
  }
  // The refused run was not started.
  await greedy.fails('getSession', 404, { id: 'unstreamed' });
  await expect
    .poll(async () => {
      const stream = await openChangeStream(server, token, { after: 'now' }).catch(() => undefined);
      if (stream !== undefined) opened.push(stream);
      return stream?.status;
    })
    .toBe(200);
});
