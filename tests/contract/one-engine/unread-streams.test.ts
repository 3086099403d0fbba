import { afterEach, expect, it } from 'vitest';
import { openChangeStream } from '../../support/change-stream.ts';
import { metricOf } from '../../support/metrics.ts';
import { sendAndLeaveUnread } from '../../support/raw.ts';
import { startTestServer } from '../../support/server.ts';
import { createTask } from '../../support/tasks.ts';
import { tokenFor } from '../../support/tokens.ts';

const room = 512 * 1024;
// The event of a change has this text twice, in the task and in the payload.
const long = 'x'.repeat(30_000);
// So many that their events do not fit into what the operating system buffers for a connection.
const tasksCount = 150;

let open: (() => void)[] = [];

const server = await startTestServer({ changes: { bufferedBytesMax: room } });

afterEach(() => {
  for (const close of open) close();
  open = [];
});

function unreadBytes(): Promise<number> {
  return metricOf(server, 'http_buffered_bytes');
}

/** Opens a stream of all changes of a user with their tasks, and reads nothing. */
async function leaveStreamUnread(user: string): Promise<void> {
  const head = [
    'GET /api/changes?after=0&include=task HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${await tokenFor(user)}`,
    'Accept: text/event-stream',
  ];
  open.push(await sendAndLeaveUnread(server.url, `${head.join('\r\n')}\r\n\r\n`));
}

it('events that nobody reads count as unread responses, so that a stream without room ends and is continued', async () => {
  const alice = await server.as('alice');
  const ids: string[] = [];
  for (let n = 0; n < tasksCount; n += 1) ids.push((await createTask(alice, { description: long })).id);
  await expect
    .poll(async () => {
      await leaveStreamUnread('alice');
      return unreadBytes();
    })
    .toBeGreaterThan(room / 8);

  const token = await server.token('alice');
  const first = await openChangeStream(server, token, { after: '0', include: 'task' });
  await first.ended;
  const received = first.drain();
  expect(received.length).toBeLessThan(ids.length);
  expect(await unreadBytes()).toBeLessThanOrEqual(room);
  await createTask(await server.as('bob'));

  for (const close of open) close();
  await expect.poll(unreadBytes).toBe(0);
  const headers = { 'Last-Event-ID': received.at(-1)?.cursor ?? first.start };
  const next = await openChangeStream(server, token, { after: '0', include: 'task' }, headers);
  const rest = await next.take(ids.length - received.length);
  next.close();

  expect([...received, ...rest].map(({ task_id: id }) => id)).toEqual(ids);
});
