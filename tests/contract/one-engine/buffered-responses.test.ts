import { afterEach, expect, it } from 'vitest';
import { metricOf } from '../../support/metrics.ts';
import { sendAndLeaveUnread } from '../../support/raw.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { tokenFor } from '../../support/tokens.ts';
import { openChangeStream } from '../../support/change-stream.ts';

const long = '長'.repeat(65_536);
const large = { title: 'A task', description: long, metadata: long };
const room = 10 * 2 ** 20;
// One page of each of these users takes almost a quarter of the memory.
const heavyUsers = ['alice', 'carol', 'dave', 'grace', 'heidi'];

const lines: string[] = [];
let open: (() => void)[] = [];

const server = await startTestServer({ log: lines, changes: { bufferedBytesMax: room } });
const alice = await server.as('alice');
const bob = await server.as('bob');
for (const user of heavyUsers) {
  const client = await server.as(user);
  for (let n = 0; n < 22; n += 2) await client.ok('batchTasks', { body: { create: [large, large] } });
}
// In JSON, this character takes six bytes, so the task has about 790 kB.
const control = '\u0001'.repeat(65_536);
const escaped = { description: control, metadata: control };

afterEach(async () => {
  for (const close of open) close();
  open = [];
  await expect.poll(() => unreadBytes()).toBe(0);
});

async function requestOf(user: string, line: string, ...rest: readonly string[]): Promise<string> {
  const authorization = `Authorization: Bearer ${await tokenFor(user)}`;
  return [`${line} HTTP/1.1`, 'Host: x', authorization, ...rest].join('\r\n');
}

/**
 * Requests lists as a user on one connection and reads none of the responses, until the operating system takes no more
 * and a page waits in the server.
 */
async function leavePageUnread(user: string): Promise<void> {
  const request = await requestOf(user, 'GET /api/tasks', '', '');
  const before = await unreadBytes();
  await expect
    .poll(async () => {
      open.push(await sendAndLeaveUnread(server.url, request.repeat(4)));
      // The operating system may still take a page that has just been written.
      const [earlier, later] = [await unreadBytes(), await unreadBytes()];
      return Math.min(earlier, later) - before;
    })
    .toBeGreaterThan(room / 8);
}

function unreadBytes(of = server): Promise<number> {
  return metricOf(of, 'http_buffered_bytes');
}

spec('listTasks', 503, 'a user who leaves over a quarter of the memory unread is refused', async () => {
  await leavePageUnread('alice');

  const { body, headers } = await alice.fails('listTasks', 503);

  expect(body.code).toBe('Overloaded');
  expect(headers.get('Retry-After')).toBe('1');
  expect(headers.get('Link')).toBeNull();
  await bob.ok('listTasks');
  for (const close of open) close();
  await expect.poll(() => unreadBytes()).toBe(0);
  expect((await alice.ok('listTasks')).body.count).toBe(22);
});

spec('updateTask', 503, 'a user who leaves the responses to writes unread is refused', async () => {
  const frank = await server.as('frank');
  const { id } = await createTask(frank, escaped);

  const body = '{"priority":"high"}';
  const length = `Content-Length: ${body.length}`;
  const request = await requestOf('frank', `PUT /api/tasks/${id}`, length, '', body);

  // The operating system takes a few megabytes of each connection. Then one response waits in the server.
  for (let n = 0; n < 8; n += 1) open.push(await sendAndLeaveUnread(server.url, request.repeat(32)));
  await expect.poll(() => unreadBytes()).toBeGreaterThan(room / 4);

  await frank.fails('updateTask', 503, { id, body: { priority: 'high' } });

  expect(await unreadBytes()).toBeLessThan(room);
  await bob.ok('listTasks');
});

spec('listTasks', 503, 'only lists are refused when unread responses fill the memory', async () => {
  for (const user of heavyUsers.slice(1)) await leavePageUnread(user);

  await alice.fails('listTasks', 503);
  await createTask(bob);

  expect(await unreadBytes()).toBeLessThanOrEqual(room);
  await expect
    .poll(async () => {
      await alice.fails('listTasks', 503);
      return lines.map((line) => JSON.parse(line) as unknown);
    })
    .toContainEqual(
      expect.objectContaining({
        limit: 'http_buffered_bytes',
        holders: Array(3).fill({
          user: expect.stringMatching(/carol|dave|grace|heidi/),
          in_use: expect.any(Number),
        }),
      }),
    );
});

const streamRoom = 512 * 1024;
// The event of a change has this text twice, in the task and in the payload.
const longText = 'x'.repeat(30_000);
// Their events are larger than what the operating system buffers for a connection.
const tasksCount = 150;

const streaming = await startTestServer({ changes: { bufferedBytesMax: streamRoom } });

/** Opens a stream of all changes of a user with their tasks, and reads nothing. */
async function leaveStreamUnread(user: string): Promise<void> {
  const line = 'GET /api/changes?after=0&include=task';
  const request = await requestOf(user, line, 'Accept: text/event-stream', '', '');
  open.push(await sendAndLeaveUnread(streaming.url, request));
}

it('unread events count as unread responses, and a stream above the limit ends and can be continued', async () => {
  const alice = await streaming.as('alice');
  const ids: string[] = [];
  for (let n = 0; n < tasksCount; n += 1) ids.push((await createTask(alice, { description: longText })).id);
  await expect
    .poll(async () => {
      await leaveStreamUnread('alice');
      return unreadBytes(streaming);
    })
    .toBeGreaterThan(streamRoom / 8);

  const token = await streaming.token('alice');
  const first = await openChangeStream(streaming, token, { after: '0', include: 'task' });
  await first.ended;
  const received = first.drain();
  expect(received.length).toBeLessThan(ids.length);
  expect(await unreadBytes(streaming)).toBeLessThanOrEqual(streamRoom);
  await createTask(await streaming.as('bob'));

  for (const close of open) close();
  await expect.poll(() => unreadBytes(streaming)).toBe(0);
  const headers = { 'Last-Event-ID': received.at(-1)?.cursor ?? first.start };
  const next = await openChangeStream(streaming, token, { after: '0', include: 'task' }, headers);
  const rest = await next.take(ids.length - received.length);
  next.close();

  expect([...received, ...rest].map(({ task_id: id }) => id)).toEqual(ids);
});
